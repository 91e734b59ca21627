/**
 * After a `git gc`, kept loose objects and packs hold much that the repository has in a new pack, which is kept, too. This
 * drops what is held twice, so that the kept objects take the space of those that git deleted.
 */
import { existsSync, lstatSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { readSmallFile } from '../files/read-small-file.ts'
import { removeFile } from '../files/remove.ts'
import { idBytesOf } from './git-files.ts'
import { isKeptLoose, lacksPack, type ReleasedFile, releasedFiles } from './kept-objects.ts'
import { readGit, readGitBytes } from './read-git.ts'

/** Bytes of an index of a pack. One of ten million objects has 300 MB. */
const LARGEST_INDEX = 400 * 1024 * 1024
/** Objects read from a pack at once, bytes. */
const READ_AT_ONCE = 64 * 1024 * 1024

/**
 * Deletes released files of `kept` whose objects the repository has. From a pack, the few objects that it lacks are written
 * as loose ones first. Does nothing where the present objects are not kept as a whole: on another disk, or borrowed ones.
 */
export async function dropHeldTwice(kept: string, gitDir: string): Promise<void> {
  const objects = join(gitDir, 'objects')
  if (lacksPack(objects, kept) || readSmallFile(join(objects, 'info/alternates'), 2 ** 20) !== null) return
  const released = releasedFiles(kept, objects)
  const loose = released.filter(({ folder }) => folder !== 'pack')
  const lacking = await missingIn(gitDir, loose.map(idOf))
  // What git has only in a pack that came meanwhile is not kept yet.
  if (lacking === null || lacksPack(objects, kept)) return
  for (const file of loose) if (!lacking.has(idOf(file)) && isStillReleased(file, objects)) removeFile(file.file)
  for (const pack of released.filter(({ name }) => name.endsWith('.pack'))) await dropPack(kept, gitDir, pack)
}

/** A restore may have linked it back meanwhile: the repository has it by this file then, and may lose it at any time. */
function isStillReleased({ folder, name, file }: ReleasedFile, objects: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.nlink === 1 && !existsSync(join(objects, folder, name))
}

const idOf = ({ folder, name }: ReleasedFile): string => folder + name

async function dropPack(kept: string, gitDir: string, pack: ReleasedFile): Promise<void> {
  const { file, size } = pack
  const index = readSmallFile(file.replace(/\.pack$/, '.idx'), LARGEST_INDEX)
  const format = idBytesOf(gitDir) === 32 ? 'sha256' : 'sha1'
  const printed = index && (await readGit({ gitDir, kept: null }, ['show-index', `--object-format=${format}`], index))
  // Lines are "OFFSET ID (CRC)".
  const ids = printed?.split('\n').flatMap((line) => line.split(' ')[1] ?? [])
  const lacking = ids && (await missingIn(gitDir, ids))
  const packedOnly = lacking && [...lacking].filter((id) => !isKeptLoose(kept, id))
  if (!packedOnly || !(await unpack(kept, gitDir, packedOnly, size))) return
  const objects = join(gitDir, 'objects')
  if (lacksPack(objects, kept) || !isStillReleased(pack, objects)) return
  // The index last: without a pack, git passes it over.
  const base = file.replace(/\.pack$/, '')
  for (const ending of ['.pack', '.rev', '.mtimes', '.promisor', '.keep', '.idx']) removeFile(base + ending)
}

/** False, with the pack still needed, if the loose objects would take as much space as the pack of `size` bytes. */
async function unpack(kept: string, gitDir: string, ids: readonly string[], size: number): Promise<boolean> {
  if (ids.length === 0) return true
  const repository = { gitDir, kept }
  const input = `${ids.join('\n')}\n`
  const sizes = (await readGit(repository, ['cat-file', '--batch-check=%(objectsize)'], input))?.split('\n')
  const sum = sizes?.reduce((bytes, text) => bytes + Number(text), 0)
  if (sum === undefined || Number.isNaN(sum) || sum > Math.min(size * 2, READ_AT_ONCE)) return false
  const bytes = await readGitBytes(repository, ['cat-file', '--batch'], input)
  const found = bytes && parseBatch(bytes)
  if (!found || found.length !== ids.length) return false
  const files = found.map(({ id, type, content }) => ({
    id,
    packed: deflateSync(Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]))
  }))
  if (files.reduce((all, { packed }) => all + packed.length, 0) >= size) return false
  for (const { id, packed } of files) writeLoose(kept, id, packed)
  return true
}

/** "ID TYPE SIZE", newline, the bytes, newline; null if the output is cut off, or an object is missing. */
function parseBatch(bytes: Buffer): { id: string; type: string; content: Buffer }[] | null {
  const found = []
  for (let at = 0; at < bytes.length; ) {
    const line = bytes.indexOf(10, at)
    const [id, type, size] = bytes.toString('latin1', at, Math.max(at, line)).split(' ')
    const end = line + 1 + Number(size)
    if (!id || !type || Number.isNaN(end) || end >= bytes.length) return null
    found.push({ id, type, content: bytes.subarray(line + 1, end) })
    at = end + 1
  }
  return found
}

function writeLoose(kept: string, id: string, packed: Buffer): void {
  const folder = join(kept, id.slice(0, 2))
  const partial = join(folder, `tmp_obj_${process.pid}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(partial, packed, { mode: 0o444, flush: true })
  renameSync(partial, join(folder, id.slice(2)))
}

/** Of `ids`, those that the repository does not have; null if git cannot say it. */
async function missingIn(gitDir: string, ids: readonly string[]): Promise<Set<string> | null> {
  if (ids.length === 0) return new Set()
  const printed = await readGit({ gitDir, kept: null }, ['cat-file', '--batch-check'], `${ids.join('\n')}\n`)
  if (printed === null) return null
  return new Set(printed.split('\n').flatMap((line) => (line.endsWith(' missing') ? line.split(' ', 1) : [])))
}
