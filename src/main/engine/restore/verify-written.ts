/** Last phase of a restore: everything is read back. */
import { createHash } from 'node:crypto'
import { absoluteOf, createInside, type Inside } from '../files/inside.ts'
import type { Signature } from '../files/signature.ts'
import { readStable } from '../files/stable-read.ts'
import { sha256 } from '../store/hash.ts'
import { type ApplyItem, type ApplyState, fail, failed } from './apply-state.ts'
import { refusedBySystem } from './refused-by-system.ts'

/** [RS-5] What is on disk now decides, not what was written. */
export function verify(state: ApplyState): void {
  const { root, items, progress } = state.options
  const inside = createInside(root)
  let done = 0
  for (const item of items) {
    if (!failed(state, item)) {
      const { signature, wrong } = readBack(inside, item, state.keepsModes)
      if (wrong) fail(state, item, wrong)
      else {
        const reason = state.notes.get(item.n) ?? ''
        state.results.set(item.n, { n: item.n, path: item.path, result: 'done', reason, signature })
      }
    }
    if (++done % 50 === 0 || done === items.length) progress('verify', done, item.path)
  }
}

function readBack(inside: Inside, item: ApplyItem, modes: boolean): { signature: Signature | null; wrong: string } {
  try {
    const signature = inside.look(item.path)
    return { signature, wrong: difference(inside.root, item, signature, modes) }
  } catch (error) {
    return { signature: null, wrong: `it could not be read back: ${refusedBySystem(error)}` }
  }
}

function difference(root: string, item: ApplyItem, now: Signature | null, modes: boolean): string {
  const { after } = item
  if (after.kind === 'absent') return now === null ? '' : 'it is still there'
  if (!now) return 'it is not there'
  if (now.kind !== after.kind) return `it is a ${now.kind}, not a ${after.kind}`
  if (modes && after.kind !== 'symlink' && now.mode !== after.mode) return 'its permissions are not what they should be'
  if (after.kind === 'dir') return ''
  const digest = createHash('sha256')
  const read = readStable(absoluteOf(root, item.path), Number.POSITIVE_INFINITY, {
    restart: () => {},
    piece: (piece) => digest.update(piece)
  })
  if (read.result === 'link') return read.target === after.target ? '' : 'it points somewhere else'
  const hash = read.result === 'bytes' ? sha256(read.bytes) : read.result === 'pieces' ? digest.digest() : null
  return hash?.toString('hex') === after.hash ? '' : 'its content is not what was written'
}
