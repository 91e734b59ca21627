/**
 * [DR-4] [DR-7] Drift: outside edits collect in the open drift until it is accepted or reverted, or a run starts, which
 * leaves it unreviewed. At most one is open.
 */
import type { Seq } from '../../../contract/log.ts'
import type { Drift } from '../../../contract/timeline.ts'
import type { Author } from '../capture/append.ts'
import { foldersAbove, isWithinAny } from '../files/paths.ts'
import { isProvablySame } from '../log/same-version.ts'
import {
  branchesOf,
  changedPathsOfDrift,
  countAppended,
  type DriftPath,
  type DriftRow,
  endsOfPaths,
  findDriftRow,
  findOpenDrift,
  findPartOfDrift,
  hasPathsBesides,
  hasRunSince,
  insertDrift,
  insertPartOfDrift,
  listDriftRows,
  listedPathsOfDrift,
  moveDriftEdits,
  pathsOfDrift,
  setBulkCause,
  setDriftCause,
  setDriftState,
  titleOfRunBefore
} from '../store/drifts.ts'
import { newId } from '../store/ids.ts'
import { bumpRev } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import type { PathId } from '../store/paths.ts'
import type { Writable } from '../store/sql.ts'
import { addEntry } from '../store/timeline.ts'

/** More paths than a person edits between two checks: probably an install, a checkout or a generator. */
const BULK = 200
/** Paths in a description. */
const MAX_PATHS = 500

export type DriftCause = Pick<Drift, 'cause' | 'branches'>

export const ORDINARY_EDITS: DriftCause = { cause: 'edits', branches: null }

/** The author of outside edits: the open drift, created if there is none. */
export function outsideAuthor(tx: Writable<Store>, cause: DriftCause, at: number): Author {
  let id = findOpenDrift(tx)
  if (id === null) id = addDrift(tx, 'open', cause, at)
  // The cause that explains most wins: a branch switch over single edits.
  else if (cause.cause !== 'edits') setDriftCause(tx, id, cause)
  return authorOf(id)
}

/** The author of files that existed before and are covered from now on: an accepted drift. */
export function discoveredAuthor(tx: Writable<Store>, at: number): Author {
  return authorOf(addDrift(tx, 'accepted', { cause: 'settings', branches: null }, at))
}

function authorOf(drift: string): Author {
  return { origin: 'outside', attribution: 'none', by: [], drift }
}

function addDrift(tx: Writable<Store>, state: Drift['state'], cause: DriftCause, at: number): string {
  const id = newId('dr')
  insertDrift(tx, { id, state, found_at: at }, cause)
  addEntry(tx, 'drift', id)
  return id
}

/** Counts the edits of the open drift from `since` on, after appending. */
export function refreshOpenDrift(tx: Writable<Store>, since: Seq): void {
  const open = findOpenDrift(tx)
  if (open === null) return
  countAppended(tx, open, since)
  setBulkCause(tx, open, BULK)
}

/** Those of some paths that a drift left as they were before it. */
export function returnedPathsOfDrift(store: Store, id: string, paths: readonly PathId[]): PathId[] {
  const ends = endsOfPaths(store, id, paths)
  const version = store.records.versionsById(ends.flatMap(({ before, after }) => [before, after]))
  return ends.filter(({ before, after }) => isProvablySame(version(before), version(after))).map(({ path }) => path)
}

/** [DR-7] Outside changes from `since` on that reverted earlier ones, as by `git checkout` and back: both are undone. */
export function closeReturnedDrift(tx: Writable<Store>, since: Seq): void {
  const open = findOpenDrift(tx)
  const returned = open === null ? [] : returnedPathsOfDrift(tx, open, changedPathsOfDrift(tx, open, since))
  if (open === null || returned.length === 0) return
  decideOn(tx, open, 'put-back', returned)
  bumpRev(tx)
}

/** Newest first. */
export function listDrift(store: Store, state?: Drift['state']): Drift[] {
  return listDriftRows(store, state ?? null).map((row) => toDrift(store, row))
}

export function findDrift(store: Store, id: string): Drift | null {
  const row = findDriftRow(store, id)
  return row ? toDrift(store, row) : null
}

function toDrift(store: Store, row: DriftRow): Drift {
  return {
    id: row.id,
    state: row.state,
    cause: row.cause,
    branches: branchesOf(row),
    foundAt: row.found_at,
    seq: row.seq,
    count: row.count,
    paths: listedPathsOfDrift(store, row.id, MAX_PATHS),
    since: titleOfRunBefore(store, row) ?? ''
  }
}

type ClosedState = 'accepted' | 'put-back'

/**
 * Accepts or reverts a drift. With `paths` (a folder includes all below it) only those, which move to a drift of their
 * own. An unlisted folder is accepted with the last of its content.
 */
export function closeDrift(tx: Writable<Store>, id: string, state: ClosedState, paths?: readonly string[]): void {
  const all = pathsOfDrift(tx, id)
  const chosen = new Set(paths ?? [''])
  const named = all.filter(({ name }) => isWithinAny(name, chosen))
  if (paths && named.length === 0) return
  const closing = state === 'accepted' ? withImplied(all, named) : named
  decideOn(
    tx,
    id,
    state,
    closing.map((path) => path.id)
  )
}

/** Without some of its paths a drift stays as it is: those move to one of their own. */
function decideOn(tx: Writable<Store>, id: string, state: Drift['state'], paths: readonly PathId[]): void {
  if (hasPathsBesides(tx, id, paths)) moveDriftEdits(tx, id, partOf(tx, id, state), paths)
  else setDriftState(tx, id, state)
}

/**
 * An undo restored these paths of an undone drift: nobody has decided on them, so they are open again, or not
 * reviewed if another drift is open or a run has started since.
 */
export function reopenDrift(tx: Writable<Store>, id: string, paths: readonly PathId[]): void {
  const all = pathsOfDrift(tx, id)
  const own = new Set(all.map((path) => path.id))
  const reopening = paths.filter((path) => own.has(path))
  if (reopening.length === 0) return
  const state = findOpenDrift(tx) === null && !hasRunSince(tx, id) ? 'open' : 'unreviewed'
  decideOn(tx, id, state, reopening)
}

/** `closing` and the unlisted folders that have no other listed content. */
function withImplied(all: readonly DriftPath[], closing: readonly DriftPath[]): readonly DriftPath[] {
  const isClosing = new Set(closing)
  const open = all.filter((path) => !isClosing.has(path) && path.listed > 0)
  const stillNeeded = new Set(open.flatMap(({ name }) => foldersAbove(name)))
  return all.filter((path) => isClosing.has(path) || (path.listed === 0 && !stillNeeded.has(path.name)))
}

/** The drift that takes the paths closed, or opened again, before the rest; created if there is none. */
function partOf(tx: Writable<Store>, id: string, state: Drift['state']): string {
  const found = findPartOfDrift(tx, id, state)
  if (found) return found
  const part = newId('dr')
  insertPartOfDrift(tx, part, id, state)
  addEntry(tx, 'drift', part)
  return part
}
