/** Diffs between positions: lists, patches and one file. */
import type { Params } from '../../../contract/api.ts'
import { isSecret, shownBytes } from '../diff/describe-changes.ts'
import { fileDiff } from '../diff/display.ts'
import { type Ends, editsOfTarget, foreignChange, reviewFile } from '../diff/file-review.ts'
import {
  type DiffRequest,
  diffFiles,
  formatRequestedPatch,
  rangeOf,
  resolveChanges,
  warningsOfPatch
} from '../diff/requested-changes.ts'
import type { Store } from '../store/open-store.ts'
import { recordedHead } from '../store/targets.ts'
import { versionAt } from '../store/version-at.ts'
import type { OpenWorkspace } from '../workspaces/workspace.ts'
import type { WorkspaceHandlers } from './handler.ts'

export const DIFF: WorkspaceHandlers<'diff.files' | 'diff.patch' | 'diff.file'> = {
  'diff.files': async (open, params) => diffFiles(open.store, await withScan(open, params)),
  'diff.patch': async (open, params) => {
    const request = await withScan(open, params)
    const requested = resolveChanges(open.store, request)
    const { use = 'git', secrets = use === 'git' } = params
    const changes = secrets ? requested.changes : requested.changes.filter((change) => !isSecret(change))
    const formatted = formatRequestedPatch(open.store, changes, use)
    return {
      ...diffFiles(open.store, request, requested),
      warnings: [...requested.range.warnings, ...warningsOfPatch(formatted)],
      patch: formatted.patch.toString('utf8')
    }
  },
  'diff.file': ({ store }, params) => {
    const { path, oldPath, edits, full } = params
    const own = edits ? editsOfTarget(store, params.target) : null
    const review = own && edits === 'own' ? reviewFile(store, own, path, oldPath) : null
    const sides = review ?? (own ? foreignChange(store, own, path) : versionsBetween(store, params))
    return fileDiff({
      path,
      ...(oldPath === undefined ? {} : { oldPath }),
      before: { version: sides.before, bytes: shownBytes(store, sides.before) },
      after: { version: sides.after, bytes: shownBytes(store, sides.after) },
      full: full ?? false,
      ...(review ? { own: { ...review, startBytes: review.start && shownBytes(store, review.start) } } : {})
    })
  }
}

/** Scans the folder if the disk is one side of the diff. */
async function withScan<R extends DiffRequest>(open: OpenWorkspace, request: R): Promise<R> {
  if (request.to === 'now' || request.target === 'now') await open.lock.run(() => open.refresh('present'))
  for (const path of request.paths ?? []) recordedHead(open.store, path)
  return withoutNow(open.store, request)
}

/** As the older side, the disk is the newest position. */
function withoutNow<R extends DiffRequest>(store: Store, request: R): R {
  return request.target === 'now' ? { ...request, target: `seq:${store.records.lastSeq()}` } : request
}

/** Both versions of a path in a comparison. The folder is not scanned: its list of files was. */
function versionsBetween(store: Store, request: Params<'diff.file'>): Ends {
  const { fromSeq, toSeq } = rangeOf(store, withoutNow(store, request))
  return {
    before: versionAt(store, request.oldPath ?? request.path, fromSeq),
    after: versionAt(store, request.path, toSeq)
  }
}
