/**
 * [BK-3] Backups by themselves, where the setting `backup.repository` names a repository: some time after a run ended, or in
 * the interval that `backup.interval` says.
 * That one is due is stored, so a recorder that ends before it leaves it to the next one; how the last one ended is
 * stored, too, for status, doctor and the window.
 */
import type { BackupOutcome, BackupState } from '../../../contract/storage.ts'
import type { Clock } from '../ports/clock.ts'
import { log } from '../ports/log.ts'

const MINUTE_MS = 60_000
/** Runs that end one after another delay a backup by this much at most, ms. */
const MAX_DELAY_MS = 10 * MINUTE_MS
/** After a failure, unless a run ends before, ms. */
const RETRY_MS = 60 * MINUTE_MS
/** How soon after an open restore it is tried again, ms. */
const RESTORE_MS = 10_000

/** Keys of app.db that no person changes. */
const DUE = 'backup.due'
const LAST = 'backup.last'

export interface BackupEnd {
  readonly ok: boolean
  /** What the command printed. */
  readonly message: string
}

interface AutomaticBackupOptions {
  readonly clock: Clock
  /** The value that applies, the default included. */
  setting(key: 'backup.repository' | 'backup.delay' | 'backup.interval'): string
  readStored(key: string): string | null
  store(key: string, value: string): void
  isRestoreOpen(): boolean
  /** Never rejects. */
  backUp(repository: string): Promise<BackupEnd>
  /** The answer of `state` changed. */
  onChanged(): void
}

export type AutomaticBackup = ReturnType<typeof createAutomaticBackup>

export function createAutomaticBackup(options: AutomaticBackupOptions) {
  const { clock, setting, readStored, store, isRestoreOpen, backUp, onChanged } = options
  let cancel = (): void => {}
  /** When a backup became due, null if none is. */
  let dueSince: number | null = null
  let startedAt: number | null = null
  let last = parseOutcome(readStored(LAST))
  let closed = false

  const schedule = (ms: number): void => {
    cancel()
    if (!closed) cancel = clock.setTimeout(() => void start(), ms)
  }
  /** From one backup to the next, ms; 0: after each run. */
  const interval = (): number => Number(setting('backup.interval')) * MINUTE_MS
  const put = (key: string, value: string): void => {
    try {
      store(key, value)
    } catch (error) {
      // A full disk: what is in memory still shows it.
      log.error(`${key} could not be stored`, error)
    }
  }
  /** Until the interval from the last backup to the same repository is over, ms. */
  const untilNext = (now: number): number => {
    if (interval() === 0 || !last?.ok || last.repository !== setting('backup.repository')) return 0
    return last.at + interval() - now
  }
  const request = (): void => {
    if (closed || setting('backup.repository') === '') return
    const now = clock.now()
    if (dueSince === null) put(DUE, '1')
    dueSince ??= now
    const delay = Number(setting('backup.delay')) * MINUTE_MS
    const afterRuns = Math.min(delay, dueSince + Math.max(delay, MAX_DELAY_MS) - now)
    // The one that is running has not copied this run: the next one starts when it is done.
    if (startedAt === null) schedule(Math.max(0, afterRuns, untilNext(now)))
  }
  const start = async (): Promise<void> => {
    const repository = setting('backup.repository')
    if (closed || repository === '') return
    if (isRestoreOpen()) return schedule(RESTORE_MS)
    dueSince = null
    startedAt = clock.now()
    onChanged()
    const { ok, message } = await backUp(repository)
    startedAt = null
    // Still due for the next recorder.
    if (closed) return
    last = { repository, at: clock.now(), ok, message }
    put(LAST, JSON.stringify(last))
    if (!ok) log.warn(`the backup to ${repository} failed: ${message}`)
    onChanged()
    if (dueSince !== null) return request()
    if (!ok) return schedule(RETRY_MS)
    put(DUE, '')
    if (interval() > 0) schedule(interval())
  }
  if (readStored(DUE) === '1' || interval() > 0) request()
  return {
    /** Something is recorded that no backup has. */
    request,
    /** null without a repository. */
    state: (): BackupState | null => {
      const repository = setting('backup.repository')
      if (repository === '') return null
      return { repository, startedAt, last: last?.repository === repository ? last : null }
    },
    /** One that is running continues as a process of its own. */
    close: (): void => {
      closed = true
      cancel()
    }
  }
}

function parseOutcome(text: string | null): BackupOutcome | null {
  return text ? (JSON.parse(text) as BackupOutcome) : null
}
