/**
 * Resolves a diff request: which two positions it compares, whose changes between them it shows, and these as a list or
 * a patch.
 */
import type { Params } from '../../../contract/api.ts'
import type { DiffResult, DiffWarning, FileChange } from '../../../contract/diff.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { foldersAbove, isWithinAny } from '../files/paths.ts'
import { type CheckpointRow, findCheckpoint, findCheckpointBefore, findTurnStart } from '../store/checkpoints.ts'
import { editsOfRun } from '../store/edit-calls.ts'
import { pathNamesOfDrift, wasRestoredAfter } from '../store/edits.ts'
import type { Store } from '../store/open-store.ts'
import { findRun, type RunRow } from '../store/runs.ts'
import { resolveTarget, type Target } from '../store/targets.ts'
import { findTurn } from '../store/turns.ts'
import type { PathChange } from './aggregate.ts'
import { changesBetween, changesOfRun } from './changes.ts'
import { describeChanges, readSides } from './describe-changes.ts'
import { findUndoOfFile, separateOwnChange } from './file-review.ts'
import { formatPatch, type Patch } from './patch.ts'
import { withRenames } from './renames.ts'

export type DiffRequest = Omit<Params<'diff.files'>, 'workspace'>

/** A diff result without its files. */
type DiffRange = Omit<DiffResult, 'files'>

/** A run, or one of its turns. */
interface RunPart {
  readonly run: string
  readonly turn: string | null
}

/** The two positions that a request compares. Throws UnknownTarget and AmbiguousTarget. */
export function rangeOf(store: Store, request: DiffRequest): DiffRange {
  const target = resolveTarget(store, request.target)
  return resolveRange(store, target, resolveRun(store, target, request), request)
}

/** The run whose own changes are requested; null for everything between two positions. Throws UnknownTarget. */
function resolveRun(store: Store, target: Target, { scope, to }: DiffRequest): RunPart | null {
  if (to || scope === 'checkpoint') return null
  if (scope === undefined && target.kind !== 'run' && target.kind !== 'turn') return null
  const checkpoint = checkpointOf(store, target)
  const run = target.run ?? checkpoint?.run
  if (!run) throw new DriftlineError('UnknownTarget', `"${target.id}" does not belong to a run.`, { target: target.id })
  if (scope === 'run') return { run, turn: null }
  return { run, turn: target.kind !== 'turn' && scope === 'turn' ? (checkpoint?.turn ?? null) : target.turn }
}

const NO_CHECKPOINTS = { prevCheckpointId: '', toCheckpointId: '', workspaceDrifted: false, warnings: [] }

/** `run`: the result of `resolveRun`. Throws UnknownTarget. */
function resolveRange(store: Store, target: Target, run: RunPart | null, { to }: DiffRequest): DiffRange {
  if (to) return rangeTo(store, target, to)
  if (target.kind === 'drift') return { ...NO_CHECKPOINTS, fromSeq: target.seq, toSeq: target.endSeq }
  return run ? rangeOfRun(store, run) : rangeSincePrevious(store, target)
}

function rangeTo(store: Store, target: Target, name: string): DiffRange {
  const to = name === 'now' ? null : resolveTarget(store, name)
  return {
    ...NO_CHECKPOINTS,
    prevCheckpointId: target.checkpoint ?? '',
    toCheckpointId: to?.checkpoint ?? '',
    fromSeq: target.seq,
    toSeq: to?.seq ?? null
  }
}

function rangeOfRun(store: Store, { run: id, turn }: RunPart): DiffRange {
  const run = findRun(store, id)
  if (!run) throw new DriftlineError('UnknownTarget', `No run "${id}" was recorded here.`, { target: id })
  const part = turn ? findTurn(store, turn) : null
  const start = startOf(store, run, turn)
  return {
    prevCheckpointId: start?.id ?? '',
    toCheckpointId: run.end_checkpoint ?? '',
    fromSeq: (part ?? run).start_seq,
    toSeq: (part ?? run).end_seq ?? store.records.lastSeq(),
    workspaceDrifted: run.drifted === 1,
    warnings: [
      ...(start ? [] : [{ code: 'no-start' } as const]),
      ...(start?.status === 'pruned' ? [{ code: 'start-pruned' } as const] : []),
      ...(run.incomplete ? [{ code: 'incomplete' } as const] : [])
    ]
  }
}

function rangeSincePrevious(store: Store, target: Target): DiffRange {
  const previous = previousCheckpoint(store, target)
  return {
    ...NO_CHECKPOINTS,
    prevCheckpointId: previous?.id ?? '',
    toCheckpointId: target.checkpoint ?? '',
    fromSeq: previous?.seq ?? 0,
    toSeq: target.seq,
    warnings: previous ? [] : [{ code: 'no-earlier' }]
  }
}

/**
 * The old side of the diff: the checkpoint recorded when the run, or the turn in it, began. Later events never move it,
 * and without it nothing is guessed.
 */
function startOf(store: Store, run: RunRow, turn: string | null): CheckpointRow | null {
  return (turn ? findTurnStart(store, turn) : null) ?? findCheckpoint(store, run.start_checkpoint)
}

function checkpointOf(store: Store, { checkpoint }: Target): CheckpointRow | null {
  return checkpoint ? findCheckpoint(store, checkpoint) : null
}

/** The newest checkpoint at an earlier position: of the same session if there is one, else of the workspace. */
function previousCheckpoint(store: Store, target: Target): CheckpointRow | null {
  const session = checkpointOf(store, target)?.session ?? null
  const ofSession = session ? findCheckpointBefore(store, target.seq, session) : null
  return ofSession ?? findCheckpointBefore(store, target.seq, null)
}

interface ResolvedChanges {
  readonly range: DiffRange
  readonly changes: readonly PathChange[]
  /** The edits of the run or turn; null for a comparison of two positions. */
  readonly own: ReadonlySet<number> | null
}

/** Paths named in one warning. */
const MOST_NAMES = 10
/** Time limit for line counts of a quick request, ms. */
const QUICK_MS = 120

/** Throws UnknownTarget and AmbiguousTarget. */
export function resolveChanges(store: Store, request: DiffRequest): ResolvedChanges {
  const target = resolveTarget(store, request.target)
  const run = resolveRun(store, target, request)
  const range = resolveRange(store, target, run, request)
  const all = run
    ? changesOfRun(store, run.run, run.turn)
    : changesBetween(store, range.fromSeq, range.toSeq ?? store.records.lastSeq())
  const paths = request.paths && new Set(request.paths)
  // Several outside changes can have the same positions, so an outside change is also limited to its own paths.
  const driftPaths = target.kind === 'drift' && !request.to ? new Set(pathNamesOfDrift(store, target.id)) : null
  const requested = all.filter(
    ({ path }) => (!paths || isWithinAny(path, paths)) && (!driftPaths || driftPaths.has(path))
  )
  if (!run) return { range, changes: withRenames(store, requested), own: null }
  const own = new Set(editsOfRun(store, run.run, run.turn ?? undefined))
  const { changes, mixed } = separateAll(store, own, requested)
  const warnings = [...range.warnings, ...warningAbout('mixed', mixed)]
  return { range: { ...range, warnings }, changes: withRenames(store, changes), own }
}

/**
 * Interleaved changes without the lines of others. `mixed`: paths where that is not possible; their changes contain
 * both.
 */
function separateAll(store: Store, own: ReadonlySet<number>, all: readonly PathChange[]) {
  const mixed: string[] = []
  const changes = all.map((change) => {
    if (!change.interleaved) return change
    const separate = separateOwnChange(store, own, change)
    if (!separate) mixed.push(change.path)
    return separate ?? change
  })
  return { changes, mixed }
}

/** Names the changes that a patch does not contain. */
export function warningsOfPatch({ omitted, beyond }: Pick<Patch, 'omitted' | 'beyond'>): DiffWarning[] {
  return [...warningAbout('not-in-patch', omitted), ...warningAbout('patch-full', beyond)]
}

/** None without paths. */
function warningAbout(code: 'mixed' | 'not-in-patch' | 'patch-full', paths: readonly string[]): DiffWarning[] {
  return paths.length === 0 ? [] : [{ code, paths: paths.slice(0, MOST_NAMES), count: paths.length }]
}

/** The changes as a list with line counts. With `quick` counting stops after `QUICK_MS`. */
export function diffFiles(
  store: Store,
  request: DiffRequest,
  { range, changes, own } = resolveChanges(store, request)
): DiffResult {
  const files = describeChanges(store, withoutImpliedFolders(changes), request.quick ? QUICK_MS : undefined)
  return {
    ...range,
    files: own && hasRestoreSince(store, own) ? files.map((file) => withUndoneMark(store, own, file)) : files
  }
}

/** `use`: see `formatPatch`. */
export function formatRequestedPatch(store: Store, changes: readonly PathChange[], use: 'git' | 'reading'): Patch {
  return formatPatch(
    changes.map((change) => ({ change, read: () => readSides(store, change) })),
    use
  )
}

/** Only restores put edits out of force. Without one, the edit chains need not be read. */
function hasRestoreSince(store: Store, own: ReadonlySet<number>): boolean {
  return wasRestoredAfter(store, own.values().next().value ?? 0)
}

function withUndoneMark(store: Store, own: ReadonlySet<number>, file: FileChange): FileChange {
  const { undoneBy, partlyUndoneBy } = findUndoOfFile(store, own, file.path, file.oldPath)
  if (undoneBy !== null) return { ...file, undoneBy }
  return partlyUndoneBy === null ? file : { ...file, partlyUndoneBy }
}

/**
 * Counts exactly what the diff of the run or turn lists, so also folders that were created, deleted or changed their
 * mode.
 */
export function runTotals(store: Store, run: string, turn: string | null = null) {
  const files = describeChanges(store, withoutImpliedFolders(withRenames(store, changesOfRun(store, run, turn))))
  return {
    files: files.length,
    added: files.reduce((sum, file) => sum + file.added, 0),
    deleted: files.reduce((sum, file) => sum + file.deleted, 0)
  }
}

/**
 * Drops folders that the files in the list imply: created and deleted ones. An empty folder, or a changed mode, is
 * listed.
 */
export function withoutImpliedFolders(changes: readonly PathChange[]): PathChange[] {
  const implied = new Set(
    changes.flatMap(({ path, oldPath = '' }) => [...foldersAbove(path), ...foldersAbove(oldPath)])
  )
  const isCreatedOrDeleted = ({ before, after }: PathChange): boolean =>
    before.kind === 'dir' ? after.kind === 'absent' : before.kind === 'absent' && after.kind === 'dir'
  return changes.filter((change) => !(implied.has(change.path) && isCreatedOrDeleted(change)))
}
