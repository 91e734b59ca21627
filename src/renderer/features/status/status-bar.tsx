/** The bottom line: coverage, history size, and the last check. */
import type { WorkspaceStatus } from '../../../contract/status.ts'
import { isBackupFailing } from '../../../contract/words/backup.ts'
import { formatNumber, plural } from '../../../contract/words/numbers.ts'
import { formatBytes } from '../../../contract/words/sizes.ts'
import { clockSeconds } from '../../../contract/words/times.ts'
import { DISK_FULL_TEXT } from '../../../contract/words/watching.ts'
import type { CopyProgress, ExcludedReason } from '../../../contract/workspace.ts'
import { useQuery } from '../../client/use-query.ts'
import { Icon } from '../../ui/icon.tsx'
import { useNow } from '../../ui/use-now.ts'
import { restoreWait, timeAgo } from './restore-wait-dialog.tsx'

interface StatusBarProps {
  readonly status: WorkspaceStatus | null
  /** Shown while a run is live; absent if the screen shows no runs. */
  readonly work?: {
    /** Whether its edits are recorded as they happen. */
    readonly recorded: boolean
    /** Explains why restores wait. */
    readonly onWhy: () => void
  }
  readonly onCoverage: () => void
  readonly onCheck: () => void
}

/** Excluded on purpose or not copied yet: not a problem to show. */
const EXPECTED_REASONS = new Set<ExcludedReason>(['ignored', 'never', 'workspace', 'pending', 'special'])

/** Of a review of a bundle. */
export function ReviewStatusBar() {
  return <footer className="status">Review of a bundle: nothing is recorded here.</footer>
}

export function StatusBar({ status, work, onCoverage, onCheck }: StatusBarProps) {
  const copy = status?.copy ?? null
  const wait = work ? restoreWait(status?.activeRuns ?? []) : null
  const skipped = status?.notCovered.filter(({ reason }) => !EXPECTED_REASONS.has(reason)).length ?? 0
  return (
    <footer className="status" data-waits={wait ? true : undefined}>
      {status ? (
        <>
          {copy ? (
            <button type="button" onClick={onCoverage}>
              <Icon name="shield" size="xs" />
              Initial snapshot: {copiedText(copy)}
              <span className="meter status-meter" data-tone="accent">
                <i style={{ width: `${copyPercent(copy)}%` }} />
              </span>
            </button>
          ) : work?.recorded ? (
            <>
              <span className="c-live status-live">
                <span className="led" data-tone="live" />
                Recording
              </span>
              {status.lastEditAt === null ? null : <LastEdit at={status.lastEditAt} />}
            </>
          ) : (
            <button type="button" onClick={onCoverage}>
              <Icon name="shield" size="xs" />
              {plural(status.covered.files, 'file')} covered
            </button>
          )}
          {skipped > 0 ? (
            <button type="button" className="not-stored" onClick={onCoverage}>
              {formatNumber(skipped)} not stored
            </button>
          ) : null}
          <button type="button" className="wide-status" onClick={onCoverage}>
            History {formatBytes(status.store.historyBytes)} of {formatBytes(status.store.budget)}
          </button>
          {status.disk.low ? (
            <span className="c-warn status-details" title={DISK_FULL_TEXT}>
              <Icon name="stop" size="xs" />
              Disk nearly full, not recording
            </span>
          ) : null}
          {isBackupFailing(status.host.backup) ? (
            <span className="c-warn status-details" title={status.host.backup?.last?.message}>
              <Icon name="stop" size="xs" />
              Backup failed
            </span>
          ) : null}
        </>
      ) : (
        <span>Reading the folder status…</span>
      )}
      <span className="grow" />
      {work && wait ? (
        <>
          <span className="ell waits">{wait.text}</span>
          <button type="button" aria-label={`${wait.text}. Why?`} onClick={work.onWhy}>
            Why?
          </button>
        </>
      ) : status ? (
        <button type="button" data-tip="Compare the disk with the recorded history" onClick={onCheck}>
          <span>
            {checkedText(status)}
            <span className="status-details">{foundText(status)}</span>
          </span>
        </button>
      ) : null}
    </footer>
  )
}

/** The bottom line of a screen without an open workspace. */
export function AppStatusBar() {
  const { data } = useQuery('app.info', {}, { once: true })
  return (
    <footer className="status">
      <span>Driftline {data?.version}</span>
      <span className="grow" />
      <span>No account, no telemetry</span>
    </footer>
  )
}

function LastEdit({ at }: { readonly at: number }) {
  return <span className="num last-edit status-ago">last edit {timeAgo(at, useNow('second'))}</span>
}

export function copiedText({ files, filesTotal, counted }: CopyProgress): string {
  return `${formatNumber(files)} of ${counted ? '' : 'at least '}${plural(filesTotal, 'file')}`
}

export function copyPercent(copy: CopyProgress): number {
  return copy.filesTotal === 0 ? 0 : Math.min(100, Math.round((copy.files / copy.filesTotal) * 100))
}

function checkedText({ checkedAt }: WorkspaceStatus): string {
  return checkedAt === null ? 'Not checked yet' : `Checked ${clockSeconds(checkedAt)}`
}

function foundText({ checkedAt, drift }: WorkspaceStatus): string {
  if (checkedAt === null) return ''
  const open = drift.reduce((sum, { state, count }) => sum + (state === 'open' ? count : 0), 0)
  return open > 0 ? `, ${formatNumber(open)} changed outside` : ', no outside changes'
}
