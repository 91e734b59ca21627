/** Last phase of a restore: reads everything back. */
import type { Signature } from '../files/signature.ts'
import { absoluteOf, createWorkspaceFs, type WorkspaceFs } from '../files/workspace-fs.ts'
import { type ApplyItem, type ApplyState, fail, failed } from './apply-state.ts'
import { hasContentOf } from './content-on-disk.ts'
import { fsErrorReason } from './fs-error-reason.ts'

/** Progress is reported once per this many items. */
const PROGRESS_STEP = 50

/** [RS-5] Sets the result of every item that has none: what is on disk decides, not which calls succeeded. */
export function verifyWritten(state: ApplyState): void {
  const { root, items, progress } = state.options
  const fs = createWorkspaceFs(root)
  let done = 0
  for (const item of items) {
    if (!failed(state, item)) {
      const { signature, mismatch } = readBack(fs, item, state.supportsModes)
      if (mismatch) fail(state, item, mismatch)
      else {
        const reason = state.notes.get(item.n) ?? ''
        state.results.set(item.n, { n: item.n, path: item.path, result: 'done', reason, signature })
      }
    }
    if (++done % PROGRESS_STEP === 0 || done === items.length) progress('verify', done, item.path)
  }
}

function readBack(fs: WorkspaceFs, item: ApplyItem, modes: boolean): { signature: Signature | null; mismatch: string } {
  try {
    const signature = fs.stat(item.path)
    return { signature, mismatch: findMismatch(fs.root, item, signature, modes) }
  } catch (error) {
    return { signature: null, mismatch: `it could not be read back: ${fsErrorReason(error)}` }
  }
}

function findMismatch(root: string, item: ApplyItem, now: Signature | null, modes: boolean): string {
  const { after } = item
  if (after.kind === 'absent') return now === null ? '' : 'it still exists'
  if (!now) return 'it does not exist'
  if (now.kind !== after.kind) return `it is a ${now.kind}, not a ${after.kind}`
  if (modes && after.kind !== 'symlink' && now.mode !== after.mode) return 'its permissions differ'
  if (after.kind === 'dir' || hasContentOf(absoluteOf(root, item.path), after)) return ''
  return after.kind === 'symlink' ? 'its link target differs' : 'its content differs from what was written'
}
