/** Diffs between positions: lists, patches and one file. */
import type { FileVersion } from '../../../contract/log.ts'
import { bytesOf } from '../diff/counted.ts'
import { fileDiff } from '../diff/display.ts'
import { othersBetween, ownEdits, ownFile } from '../diff/own-file.ts'
import type { DiffRequest } from '../diff/range.ts'
import { changesFor, describeRequested, diffOf, patchOf } from '../diff/requested.ts'
import { lookAtFolder } from '../sessions/dead-runs.ts'
import type { Store } from '../store/open-store.ts'
import { versionAt } from '../store/version-at.ts'
import type { OpenWorkspace } from '../workspaces/recorder.ts'
import type { Handlers } from './handler.ts'

export const DIFF: Handlers<'diff.files' | 'diff.patch' | 'diff.file'> = {
  'diff.files': async ({ registry }, params) => {
    const open = registry.open(params.workspace)
    return diffOf(open.store, await looked(open, params))
  },
  'diff.patch': async ({ registry }, params) => {
    const open = registry.open(params.workspace)
    const request = await looked(open, params)
    const asked = changesFor(open.store, request)
    const { patch, omitted } = patchOf(open.store, asked.changes, params.use ?? 'git')
    const warning = [
      asked.range.warning,
      omitted.length > 0
        ? `Left out of the patch, content not kept or not git's: ${omitted.slice(0, 20).join(', ')}${omitted.length > 20 ? ' and more' : ''}.`
        : ''
    ]
    return {
      ...describeRequested(open.store, asked, request),
      warning: warning.filter(Boolean).join(' '),
      patch: patch.toString('utf8')
    }
  },
  'diff.file': ({ registry }, { workspace, path, oldPath, fromSeq, toSeq, run, others, full }) => {
    const { store } = registry.open(workspace)
    const edits = run ? ownEdits(store, run) : null
    const own = edits && !others ? ownFile(store, edits, path, oldPath) : null
    const ends =
      own ??
      (edits
        ? othersBetween(store, edits, path)
        : { before: versionAt(store, oldPath ?? path, fromSeq), after: versionAt(store, path, toSeq) })
    return fileDiff({
      path,
      ...(oldPath === undefined ? {} : { oldPath }),
      before: { version: ends.before, bytes: shownBytes(store, ends.before) },
      after: { version: ends.after, bytes: shownBytes(store, ends.after) },
      full: full ?? false,
      ...(own ? { own } : {})
    })
  }
}

/** The request after a look at the disk, where that is one of its ends. From the disk means from the newest position. */
async function looked<R extends DiffRequest>(open: OpenWorkspace, request: R): Promise<R> {
  if (request.to === 'now' || request.target === 'now') await open.lock.run(() => lookAtFolder(open, 'present'))
  return request.target === 'now' ? { ...request, target: `seq:${open.store.records.lastSeq()}` } : request
}

/** Content above this is never shown, so it is not read either. */
const SHOWN_LIMIT = 20 * 1024 * 1024

function shownBytes(store: Store, version: FileVersion): Buffer | null {
  return version.size > SHOWN_LIMIT ? null : bytesOf(store, version)
}
