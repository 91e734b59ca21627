/** Diffs between positions: lists, patches and one file. */
import type { FileVersion } from '../../../contract/log.ts'
import { readContent } from '../diff/describe-changes.ts'
import { fileDiff } from '../diff/display.ts'
import { editsOfTarget, foreignChange, reviewFile } from '../diff/file-review.ts'
import type { DiffRequest } from '../diff/range.ts'
import { describeRequested, diffFiles, formatRequestedPatch, resolveChanges } from '../diff/requested-changes.ts'
import type { Store } from '../store/open-store.ts'
import { versionAt } from '../store/version-at.ts'
import { scanWorkspace } from '../workspaces/dead-runs.ts'
import type { OpenWorkspace } from '../workspaces/recorder.ts'
import type { Handlers } from './handler.ts'

export const DIFF: Handlers<'diff.files' | 'diff.patch' | 'diff.file'> = {
  'diff.files': async ({ registry }, params) => {
    const open = registry.open(params.workspace)
    return diffFiles(open.store, await withScan(open, params))
  },
  'diff.patch': async ({ registry }, params) => {
    const open = registry.open(params.workspace)
    const request = await withScan(open, params)
    const requested = resolveChanges(open.store, request)
    const { patch, omitted } = formatRequestedPatch(open.store, requested.changes, params.use ?? 'git')
    return {
      ...describeRequested(open.store, requested, request),
      warning: [requested.range.warning, omittedWarning(omitted)].filter(Boolean).join(' '),
      patch: patch.toString('utf8')
    }
  },
  'diff.file': ({ registry }, { workspace, path, oldPath, fromSeq, toSeq, run, others, full }) => {
    const { store } = registry.open(workspace)
    const edits = run ? editsOfTarget(store, run) : null
    const review = edits && !others ? reviewFile(store, edits, path, oldPath) : null
    const sides =
      review ??
      (edits
        ? foreignChange(store, edits, path)
        : { before: versionAt(store, oldPath ?? path, fromSeq), after: versionAt(store, path, toSeq) })
    return fileDiff({
      path,
      ...(oldPath === undefined ? {} : { oldPath }),
      before: { version: sides.before, bytes: shownBytes(store, sides.before) },
      after: { version: sides.after, bytes: shownBytes(store, sides.after) },
      full: full ?? false,
      ...(review ? { own: review } : {})
    })
  }
}

/** Paths named in one warning. */
const MAX_NAMED = 20

function omittedWarning(paths: readonly string[]): string {
  if (paths.length === 0) return ''
  const named = paths.slice(0, MAX_NAMED).join(', ')
  return `Not in the patch, because their content is not stored or git has no patch for them: ${named}${paths.length > MAX_NAMED ? ' and more' : ''}.`
}

/** Scans the folder if the disk is one side of the diff. As the older side, the disk is the newest position. */
async function withScan<R extends DiffRequest>(open: OpenWorkspace, request: R): Promise<R> {
  if (request.to === 'now' || request.target === 'now') await open.lock.run(() => scanWorkspace(open, 'present'))
  return request.target === 'now' ? { ...request, target: `seq:${open.store.records.lastSeq()}` } : request
}

/** Bytes. Larger content is never shown, so it is not read. */
const SHOWN_LIMIT = 20 * 1024 * 1024

function shownBytes(store: Store, version: FileVersion): Buffer | null {
  return version.size > SHOWN_LIMIT ? null : readContent(store, version)
}
