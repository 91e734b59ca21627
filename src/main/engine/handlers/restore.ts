/** Previewing and applying restores. */
import { DriftlineError } from '../../../contract/errors.ts'
import type { FileVersion } from '../../../contract/log.ts'
import type { PreviewSide, Resolution, RestoreRequest } from '../../../contract/restore.ts'
import { readContent } from '../diff/describe-changes.ts'
import { type ChangeSide, fileDiff } from '../diff/display.ts'
import { countLines } from '../diff/line-diff.ts'
import type { Merge } from '../diff/provenance.ts'
import { databaseFiles } from '../restore/inputs/database-files.ts'
import { readInput, sourcesOf } from '../restore/inputs/read-input.ts'
import type { RequestedPath } from '../restore/inputs/request-input.ts'
import { performRestore } from '../restore/perform.ts'
import type { MoveBack } from '../restore/plan-items.ts'
import { previewRestore } from '../restore/prepare.ts'
import { cancelQueuedRestore, dropHeldRestores, queueRestore } from '../restore/queue.ts'
import type { Store } from '../store/open-store.ts'
import { recordedNames } from '../store/paths.ts'
import { ingestSpool } from './agents.ts'
import type { WorkspaceHandlers } from './handler.ts'

export const RESTORE: WorkspaceHandlers<
  'restore.plan' | 'restore.preview' | 'restore.apply' | 'restore.queue' | 'restore.unqueue'
> = {
  'restore.plan': async (open, { request, resolutions }, context) => {
    // The end of a run may be spooled.
    await ingestSpool(context)
    return previewRestore(open, request, resolutions ?? {})
  },
  'restore.preview': async (open, { request, resolutions, path, side }) => {
    const { store } = open
    const sources = await sourcesOf(open, request)
    // Plans only this path: the dialog requests one path after another, and a plan may have thousands.
    const { paths } = readInput(store, narrowedTo(store, path, request), resolutions ?? {}, sources)
    const input = paths.find(({ move }) => move?.to === path) ?? paths.find((each) => each.path === path)
    if (!input)
      throw new DriftlineError('UnknownTarget', `${path} is no longer part of this restore. Refresh the preview.`, {
        path
      })
    const [from, to] = previewedSides(input, path, side, resolutions?.[path])
    const [before, after] = [toSide(store, input, from), toSide(store, input, to)]
    const counts = before.bytes || after.bytes ? countLines(before.bytes, after.bytes) : null
    return { ...fileDiff({ ...namesIn(input, path), before, after }), counts }
  },
  'restore.apply': async (open, { request, resolutions, plan, whileLive }, context) => {
    await ingestSpool(context)
    const result = await performRestore(open, {
      request,
      resolutions: resolutions ?? {},
      ...(plan === undefined ? {} : { plan }),
      whileLive: whileLive ?? false,
      progress: (restore, phase, done, total, path) =>
        context.emit('restore.progress', { workspace: open.workspace.id, restore, phase, done, total, path })
    })
    if (result.state !== 'refused') dropHeldRestores(open, request)
    return result
  },
  'restore.queue': async (open, wanted) => {
    const queued = await queueRestore(open, { ...wanted, resolutions: wanted.resolutions ?? {} })
    open.applyQueuedRestores()
    return { queued }
  },
  'restore.unqueue': (open, { queued }) => {
    cancelQueuedRestore(open, queued)
    return {}
  }
}

/** [RS-23] A file of a database may be part of the plan because another one is. */
function narrowedTo(store: Store, path: string, request: RestoreRequest): RestoreRequest {
  return request.kind !== 'undo' && request.kind !== 'redo' && request.kind !== 'recover'
    ? { ...request, paths: [path, ...recordedNames(store, databaseFiles(path))] }
    : request
}

/** The path, or of a file that moves to a free name and leaves nothing both names, whichever of them is asked for. */
function namesIn(
  { path: from, move }: RequestedPath,
  path: string
): { readonly path: string; readonly oldPath?: string } {
  return move && isRename(move) ? { path: move.to, oldPath: from } : { path }
}

function isRename(move: MoveBack): boolean {
  return move.nowThere.kind === 'absent' && move.left.version.kind === 'absent'
}

/**
 * The two texts to compare for a side of the preview. With a merge, the requested edits are the difference between the
 * merge and the file, and those of others the difference between the target and the merge. Without one, the two are
 * divided by `own`, the version right after the requested edits. Of a bundle: what its run changed, and what differs here.
 */
function previewedSides(
  { now, target, merge, own, onlyByMerge, sent, move }: RequestedPath,
  path: string,
  side: PreviewSide | undefined,
  resolution: Resolution | undefined
): readonly [FileVersion | Merge, FileVersion | Merge] {
  if (sent && side === 'own') return [sent.before, sent.after]
  if (sent && side === 'others') return [sent.before, now]
  if (side === 'own') return merge ? [merge, now] : [target, own ?? now]
  if (side === 'others') return [merge ? target : (own ?? target), merge ?? now]
  const usesMerge = merge !== null && (onlyByMerge || resolution === 'merge')
  const result = usesMerge ? merge : target
  if (!move || isRename(move)) return [now, result]
  // Each name has its own file before or after.
  return move.to === path ? [move.nowThere, result] : [now, move.left.version]
}

function toSide(store: Store, { sent, target }: RequestedPath, source: FileVersion | Merge): ChangeSide {
  const { version, bytes } = 'version' in source ? source : { version: source, bytes: null }
  if (sent && version === sent.before) return { version, bytes: sent.read('before') }
  if (sent && (version === sent.after || version === target)) return { version, bytes: sent.read('after') }
  return { version, bytes: bytes ?? readContent(store, version) }
}
