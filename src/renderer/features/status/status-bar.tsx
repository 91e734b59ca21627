/** The bottom line: what is covered, what is not, how much is stored, when the disk was last compared. */

import type { NotStoredReason } from '../../../contract/log.ts'
import { formatBytes } from '../../../contract/sizes.ts'
import type { WorkspaceStatus } from '../../../contract/status.ts'
import type { CopyProgress } from '../../../contract/workspace.ts'
import { clockSeconds, count, plural } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { timeAgo, restoreWait } from './restore-wait.ts'

interface StatusBarProps {
  readonly status: WorkspaceStatus | null
  readonly copy: CopyProgress | null
  /** What is said while a run works; absent where nothing of the work is on screen. */
  readonly work?: {
    /** What it writes is recorded as it happens. */
    readonly recorded: boolean
    readonly now: number
    /** Says why restores wait. */
    readonly onWhy: () => void
  }
  readonly onCoverage: () => void
  readonly onCheck: () => void
}

/** Left out on purpose or not reached yet: no loss to point at. */
const EXPECTED = new Set<NotStoredReason>(['ignored', 'never', 'workspace', 'pending', 'special'])

export function StatusBar({ status, copy, work, onCoverage, onCheck }: StatusBarProps) {
  const waits = work ? restoreWait(status?.activeRuns ?? []) : null
  const lost = status?.notCovered.filter(({ reason }) => !EXPECTED.has(reason)).length ?? 0
  return (
    <footer className="status">
      {status ? (
        <>
          {copy ? (
            <button type="button" onClick={onCoverage}>
              <Icon name="shield" size="xs" />
              Initial snapshot: {count(copy.files)} of {copy.counted ? '' : 'at least '}
              {plural(copy.filesTotal, 'file')}
              <span className="meter accent status-meter">
                <i style={{ width: `${copyPercent(copy)}%` }} />
              </span>
            </button>
          ) : work?.recorded ? (
            <>
              <span className="c-live">
                <span className="led live" />
                Recording
              </span>
              {status.lastEditAt === null ? null : (
                <>
                  <span className="dot-sep" />
                  <span className="num">last edit {timeAgo(status.lastEditAt, work.now)}</span>
                </>
              )}
            </>
          ) : (
            <button type="button" onClick={onCoverage}>
              <Icon name="shield" size="xs" />
              {plural(status.covered.files, 'file')} covered
            </button>
          )}
          {lost > 0 ? (
            <button type="button" onClick={onCoverage}>
              {count(lost)} not stored
            </button>
          ) : null}
          <button type="button" className="wide-status" onClick={onCoverage}>
            History {formatBytes(status.store.historyBytes)} of {formatBytes(status.store.budget)}
          </button>
          {status.disk.low ? (
            <span className="c-warn" title={status.disk.why}>
              <Icon name="stop" size="xs" />
              Disk nearly full, not recording
            </span>
          ) : null}
        </>
      ) : (
        <span>Reading the folder status…</span>
      )}
      <span className="grow" />
      {work && waits ? (
        <>
          <span className="ell waits">{waits.text}</span>
          <button type="button" aria-label={`${waits.text}. Why?`} onClick={work.onWhy}>
            Why?
          </button>
        </>
      ) : status ? (
        <button type="button" data-tip="Compare the disk with the recorded history" onClick={onCheck}>
          {checkedText(status)}
        </button>
      ) : null}
    </footer>
  )
}

export function copyPercent(copy: CopyProgress): number {
  return copy.filesTotal === 0 ? 0 : Math.min(100, Math.round((copy.files / copy.filesTotal) * 100))
}

function checkedText(status: WorkspaceStatus): string {
  if (status.checkedAt === null) return 'Not checked yet'
  const open = status.drift.reduce((sum, drift) => sum + (drift.state === 'open' ? drift.count : 0), 0)
  const found = open > 0 ? `${count(open)} changed outside` : 'no outside changes'
  return `Checked ${clockSeconds(status.checkedAt)}, ${found}`
}
