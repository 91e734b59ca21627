/** Records differences as edits of the live runs, or of the open drift, whose count always matches its edits. */
import type { Author, AuthorOf } from '../capture/append.ts'
import { isFolderPresent } from '../capture/presence.ts'
import {
  type Reconciled,
  type ReconcileOptions,
  type RecordingContext,
  reconcile,
  type Scope
} from '../capture/reconcile.ts'
import { foldersAbove } from '../files/paths.ts'
import { CLOCK_SLACK_MS, changeTime, latestMoment } from '../files/racy-times.ts'
import { createWorkspaceFs } from '../files/workspace-fs.ts'
import type { Store } from '../store/open-store.ts'
import { unfinishedPaths } from '../store/restore-items.ts'
import { transact, type Writable } from '../store/sql.ts'
import { endedCommands, openWritingCalls } from '../store/tool-calls.ts'
import { endedCommandTurns, openCommandTurns } from '../store/turns.ts'
import { closeReturnedDrift, type DriftCause, outsideAuthor, refreshOpenDrift } from './drifts.ts'
import { recordRenames } from './renames.ts'

interface RecordOptions extends Pick<ReconcileOptions, 'deep' | 'named' | 'images' | 'notAfter' | 'observer'> {
  readonly late?: LateChanges
  /** Whether an event reported a change of the path; by default every path counts as reported. */
  readonly wasReported?: (path: string) => boolean
  /** [RS-19] The folder itself was deleted, so that every path is absent. */
  readonly folderDeleted?: boolean
}

/**
 * Changes found by a comparison in the background: their own times decide to which run they belong, also to one that has
 * ended.
 */
export interface LateChanges {
  /** They were made after this time, ms UTC. */
  readonly since: number
  /** Called in the transaction that attributed edits to a run, after them. */
  onAttributed(tx: Writable<Store>, run: string): void
}

/**
 * `cause`: the reason noted for outside edits. Paths of unfinished restores are skipped. Call inside the workspace's
 * lock.
 */
export async function recordChanges(
  context: RecordingContext,
  scope: Scope,
  cause: DriftCause,
  { late, wasReported = () => true, folderDeleted = false, ...options }: RecordOptions = {}
): Promise<Reconciled> {
  const { store } = context
  let outside = false
  let anyOutside = false
  let first: number | null = null
  const runs = new Set<string>()
  const done = await reconcile(
    context,
    scope,
    (tx) => {
      outside = false
      runs.clear()
      const nobody = (): Author => {
        outside = anyOutside = true
        return outsideAuthor(tx, cause, context.now())
      }
      const { root } = context
      const authorOf = authorsNow(tx, { root, madeSince: late?.since ?? null, wasReported, outside: nobody })
      if (!late) return authorOf
      return (change) => {
        const author = authorOf(change)
        for (const { run } of author.by) runs.add(run)
        return author
      }
    },
    {
      skip: () => unfinishedPaths(store),
      ...options,
      isFolderPresent: () => folderDeleted || isFolderPresent(context),
      onAppended: (tx, edits, at) => {
        const since = edits[0]?.seq ?? 0
        first ??= since
        recordRenames(tx, edits, { since: first, at })
        if (outside) refreshOpenDrift(tx, since)
        for (const run of runs) late?.onAttributed(tx, run)
      }
    }
  )
  // Not after each part of the changes: a checkout is recorded in several. The first comparison of everything also closes what
  // a recorder that was killed between these two transactions left.
  const isFirst = scope === 'all' && !compared.has(store)
  const since = isFirst ? 0 : anyOutside ? done.edits[0]?.seq : undefined
  if (since !== undefined) transact(store, (tx) => closeReturnedDrift(tx, since))
  if (isFirst) compared.add(store)
  return done
}

/** Histories whose folder this process has compared as a whole. */
const compared = new WeakSet<Store>()

/** A time in which changes are attributed to a call, or to a run as a whole. */
interface AttributionWindow {
  readonly run: string
  readonly turn: string
  readonly call: string | null
  /** The paths that the call names. */
  readonly declared: ReadonlySet<string>
  /** Changes before this time are not its own, ms. */
  readonly since: number
  /** Changes after this time are not its own, ms; null while it is open. */
  readonly until: number | null
}

interface OpenWindow extends AttributionWindow {
  /** The position at which it opened. */
  readonly start: number
  /** Everything older that an event reported was recorded before it opened. */
  readonly complete: boolean
}

type EndedWindow = AttributionWindow & { readonly until: number }

/**
 * [GW-4] Attributes a change to whoever may have made it. In this order:
 * 1. declared: a tool call that names the path was open;
 * 2. inferred: a command, or a run without hooks, was open;
 * 3. inferred: a command has ended, but the change was made before that and is observed only now; for changes made
 *    after `madeSince`, ms UTC, this holds for commands and runs that ended after it, too;
 * 4. outside: nobody that is known.
 * A change that several runs may have made is shared. The system's change time of the file decides which windows were
 * open when the change was made; for what is in a folder that is renamed, that of the folder. Where everything older was
 * recorded before the window opened, it decides only for a file that changed in place without an event, as one does that is
 * written through another of its hard links.
 *
 * Reads the open windows; the returned function decides per change. `outside` is called at most once, for the first
 * change that no window claims. Call inside a transaction.
 */
function authorsNow(store: Store, { root, madeSince, wasReported, outside }: AuthorOptions): AuthorOf {
  const windows = openWindows(store, madeSince !== null)
  let ended: EndedWindow[] | null = null
  let outsideAuthor: Author | null = null
  return ({ path, inPlace, changedAt }) => {
    const isOpen = ({ until }: AttributionWindow): boolean =>
      until === null || (changedAt() ?? 0) <= until + CLOCK_SLACK_MS
    const declaring = windows.filter((window) => window.declared.has(path) && isOpen(window))
    if (declaring.length > 0) return authorOf(declaring, 'declared')
    const isNewerThan = ({ complete, since, start }: OpenWindow): boolean =>
      (complete && (!inPlace || wasReported(path))) ||
      latestMoment(changedAt() ?? since) >= since ||
      (!inPlace && latestMoment(cameAt(store, root, path, start)) >= since)
    const open = windows.filter((window) => isOpen(window) && isNewerThan(window))
    if (open.length > 0) return authorOf(open, 'inferred')
    ended ??= endedWindows(store, madeSince)
    // No watcher reported it in time. It is attributed only if its time lies clearly inside the window of an ended
    // command.
    const madeAt = ended.length > 0 ? changedAt() : null
    const late = ended.filter(
      (window) => madeAt !== null && madeAt >= window.since && madeAt <= window.until - CLOCK_SLACK_MS
    )
    if (late.length > 0) return authorOf(late, 'inferred')
    outsideAuthor ??= outside()
    return outsideAuthor
  }
}

/**
 * When the newest of the folders above a path that have appeared since the position came to its place, ms UTC; 0 if none has. It is
 * the folder's time, because what is in a folder that is renamed keeps its own.
 */
function cameAt({ records }: Store, root: string, path: string, position: number): number {
  const fs = createWorkspaceFs(root)
  const isNew = (folder: string): boolean => {
    const edit = records.head(folder)?.edit ?? 0
    return edit > position && records.edit(edit).before === records.absent
  }
  return Math.max(
    0,
    ...foldersAbove(path)
      .filter(isNew)
      .map((folder) => fs.stat(folder))
      .map((stat) => (stat ? changeTime(stat) : 0))
  )
}

interface AuthorOptions extends Required<Pick<RecordOptions, 'wasReported'>> {
  readonly root: string
  /** Changes of runs that ended after this time, ms UTC, are theirs, too; null = only those of live runs. */
  readonly madeSince: number | null
  outside(): Author
}

/** One entry per run, with its innermost call. `attribution` applies when it is a single run. */
function authorOf(windows: readonly AttributionWindow[], attribution: 'declared' | 'inferred'): Author {
  const byRun = new Map<string, AttributionWindow>()
  for (const window of windows) {
    if (!byRun.get(window.run)?.call) byRun.set(window.run, window)
  }
  return {
    origin: 'agent',
    attribution: byRun.size === 1 ? attribution : 'shared',
    by: [...byRun.values()].map(({ run, turn, call }) => ({ run, turn, call })),
    drift: null
  }
}

/**
 * Open calls that may write, newest first, then live runs without hooks. `late`: what is found now was not recorded before
 * they opened.
 */
function openWindows(store: Store, late: boolean): OpenWindow[] {
  return [
    ...openWritingCalls(store).map((call) => ({
      run: call.run,
      turn: call.turn,
      call: call.id,
      declared: new Set(JSON.parse(call.paths) as string[]),
      since: call.opened_at,
      start: call.start_seq,
      complete: call.wholeFolder === 1 && call.complete === 1 && !late,
      until: call.ended_at
    })),
    ...openCommandTurns(store).map(({ run, turn, since, start }) => ({
      run,
      turn,
      call: null,
      declared: NO_PATHS,
      since,
      start,
      complete: !late,
      until: null
    }))
  ]
}

/** Ended commands of live runs, newest first; with `madeSince`, ms, also of runs that ended after it, and those runs. */
function endedWindows(store: Store, madeSince: number | null): EndedWindow[] {
  return [
    ...endedCommands(store, madeSince),
    ...(madeSince === null ? [] : endedCommandTurns(store, madeSince)).map((turn) => ({ ...turn, call: null }))
  ].map((window) => ({ ...window, declared: NO_PATHS }))
}

const NO_PATHS: ReadonlySet<string> = new Set()
