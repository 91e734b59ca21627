/** Resolves a diff request to changes, and returns them as a list or a patch. */
import type { DiffResult, FileChange } from '../../../contract/diff.ts'
import { isWithin } from '../files/paths.ts'
import { editsOfRun } from '../store/edit-calls.ts'
import { pathNamesOfDrift, wasRestoredAfter } from '../store/edits.ts'
import type { Store } from '../store/open-store.ts'
import { resolveTarget } from '../store/targets.ts'
import { changesBetween, changesOfRun } from './changes.ts'
import { describeChanges, readContent } from './describe-changes.ts'
import { withRenames } from './detect-renames.ts'
import { findUndoOfFile } from './file-review.ts'
import { withoutImpliedFolders } from './implied-folders.ts'
import { formatForReading, formatPatch, type Patch } from './patch.ts'
import { type DiffRange, type DiffRequest, resolveRange, resolveRun } from './range.ts'
import { separateOwnChange } from './separate-change.ts'
import type { PathChange } from './types.ts'

export interface ResolvedChanges {
  readonly range: DiffRange
  readonly changes: readonly PathChange[]
  /** The Edits of the run or turn; null for a comparison of two positions. */
  readonly own: ReadonlySet<number> | null
}

/** Paths named in the warning of changes that could not be separated. */
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
  const { paths } = request
  // Several outside changes can have the same positions, so an outside change is also limited to its own paths.
  const driftPaths = target.kind === 'drift' && !request.to ? new Set(pathNamesOfDrift(store, target.id)) : null
  const requested = all.filter(
    ({ path }) => (!paths || paths.some((folder) => isWithin(path, folder))) && (!driftPaths || driftPaths.has(path))
  )
  if (!run) return { range, changes: withRenames(store, requested), own: null }
  const own = new Set(editsOfRun(store, run.run, run.turn ?? undefined))
  const { changes, mixed } = separateAll(store, own, requested)
  const warning = [range.warning, mixedWarning(mixed)].filter(Boolean).join(' ')
  return { range: { ...range, warning }, changes: withRenames(store, changes), own }
}

/** Interleaved changes without the lines of others. `mixed`: paths where that is not possible; their changes contain both. */
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

function mixedWarning(paths: readonly string[]): string {
  return paths.length > 0
    ? `This diff includes changes of others that overlap with the run's: ${paths.slice(0, MOST_NAMES).join(', ')}.`
    : ''
}

export function diffFiles(store: Store, request: DiffRequest): DiffResult {
  return describeRequested(store, resolveChanges(store, request), request)
}

/** The changes as a list with line counts. With `quick` counting stops after `QUICK_MS`. */
export function describeRequested(
  store: Store,
  { range, changes, own }: ResolvedChanges,
  request: DiffRequest
): DiffResult {
  const files = describeChanges(store, withoutImpliedFolders(changes), request.quick ? QUICK_MS : undefined)
  return {
    ...range,
    files: own && hasRestoreSince(store, own) ? files.map((file) => withUndoneMark(store, own, file)) : files
  }
}

/** `reading`: for people, see `formatForReading`. */
export function formatRequestedPatch(store: Store, changes: readonly PathChange[], use: 'git' | 'reading'): Patch {
  const format = use === 'git' ? formatPatch : formatForReading
  return format(
    changes.map((change) => ({
      change,
      before: readContent(store, change.before),
      after: readContent(store, change.after)
    }))
  )
}

/** Only restores put Edits out of force. Without one, the edit chains need not be read. */
function hasRestoreSince(store: Store, own: ReadonlySet<number>): boolean {
  return wasRestoredAfter(store, own.values().next().value ?? 0)
}

function withUndoneMark(store: Store, own: ReadonlySet<number>, file: FileChange): FileChange {
  const by = findUndoOfFile(store, own, file.path, file.oldPath)
  return by ? { ...file, takenBack: by } : file
}
