/** Notifies clients of changes in the history of an open workspace. */
import type { ChangedKind } from '../../../contract/api.ts'
import { readRev } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import type { Emit, OpenWorkspace } from './workspace.ts'

interface NoticeOptions {
  /** Id of the workspace. */
  readonly workspace: string
  readonly store: Store
  readonly emit: Emit
  /** After clients were notified. */
  onChanged(kinds: readonly ChangedKind[]): void
}

/** Of changes of this process, or of others, whose commits show in `rev`. */
export function createChangeNotices({
  workspace,
  store,
  emit,
  onChanged
}: NoticeOptions): Pick<OpenWorkspace, 'notifyChanged' | 'detectForeignCommits'> {
  let rev = readRev(store)
  const notifyChanged: OpenWorkspace['notifyChanged'] = (kinds, paths = []) => {
    rev = readRev(store)
    emit('workspace.changed', { workspace, rev, kinds, paths })
    onChanged(kinds)
  }
  return {
    notifyChanged,
    detectForeignCommits: () => {
      if (readRev(store) !== rev) notifyChanged(['edits', 'runs', 'checkpoints', 'restores', 'drift', 'status'])
    }
  }
}

/** Changes with which git's own state is captured. */
const MARKS_POSITIONS: ReadonlySet<ChangedKind> = new Set(['runs', 'checkpoints', 'restores'])

/** What follows in this process from a change of the history. */
export function followChange(open: OpenWorkspace, kinds: readonly ChangedKind[]): void {
  // A run or turn began or ended, or a position was marked. Captured before the caller gets its answer.
  if (kinds.some((kind) => MARKS_POSITIONS.has(kind))) open.repositories.capture()
  // A run may have ended.
  if (kinds.includes('runs')) {
    open.applyQueuedRestores()
    open.brake.runsChanged()
  }
  if (kinds.includes('edits')) open.brake.editsRecorded()
}
