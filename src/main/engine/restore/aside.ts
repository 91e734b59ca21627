/** What a restore moved out of its way: cleared as far as the log holds it, and never hidden when it holds more. */
import { createHash } from 'node:crypto'
import { readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs'
import type { FileVersion } from '../../../contract/log.ts'
import { childOf } from '../files/inside.ts'
import { lstatSignature } from '../files/signature.ts'
import { readStable } from '../files/stable-read.ts'
import { errorCode } from '../ports/fs-errors.ts'
import { sha256 } from '../store/hash.ts'

/** A folder's mode until everything in it is in place. */
export const NEW_FOLDER_MODE = 0o700

/** Deletes what lies at `place` (once root-relative `path`) as far as it is exactly what was recorded; true when nothing is left. */
export function clearAside(place: string, path: string, recorded: ReadonlyMap<string, FileVersion>): boolean {
  const known = recorded.get(path)
  if (lstatSignature(place)?.kind !== 'dir') {
    if (!known || !isExactly(place, known)) return false
    unlinkSync(place)
    return true
  }
  for (const name of readdirSync(place)) clearAside(`${place}/${name}`, childOf(path, name), recorded)
  try {
    if (known?.kind === 'dir') rmdirSync(place)
    return known?.kind === 'dir'
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error))) throw error
    return false
  }
}

/** Renames `place` to a free name beside `home`, which was its name: people and the recorder see it there. Returns the name. */
export function giveVisibleName(place: string, home: string): string {
  for (let n = 1; ; n++) {
    const kept = `${home}.kept${n === 1 ? '' : `-${n}`}`
    if (lstatSignature(kept)) continue
    renameSync(place, kept)
    return kept.slice(kept.lastIndexOf('/') + 1)
  }
}

function isExactly(place: string, version: FileVersion): boolean {
  const digest = createHash('sha256')
  const read = readStable(place, Number.POSITIVE_INFINITY, {
    restart: () => {},
    piece: (piece) => digest.update(piece)
  })
  if (read.result === 'link') return version.kind === 'symlink' && read.target === version.target
  if (version.kind !== 'file' || version.hash === null) return false
  const hash = read.result === 'bytes' ? sha256(read.bytes) : read.result === 'pieces' ? digest.digest() : null
  return hash?.toString('hex') === version.hash
}
