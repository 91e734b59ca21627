/** The changes a request asks for, as a list and as a patch. */
import type { DiffResult, FileChange } from '../../../contract/diff.ts'
import { isWithin } from '../files/inside.ts'
import { editsOfRun } from '../sessions/runs.ts'
import type { Store } from '../store/open-store.ts'
import { resolveTarget } from '../store/targets.ts'
import { changesBetween, changesOfRun } from './changes.ts'
import { bytesOf, describeChanges } from './counted.ts'
import { withoutImpliedFolders } from './implied-folders.ts'
import { withRenames } from './moved.ts'
import { ownChange } from './own-change.ts'
import { wholeTakenBack } from './own-file.ts'
import { formatForReading, formatPatch, type Patch } from './patch.ts'
import { type DiffRequest, type Range, rangeOf, runMeant } from './range.ts'
import type { PathChange } from './types.ts'

export interface Changes {
  readonly range: Range
  readonly changes: readonly PathChange[]
  /** The Edits of the run or turn whose changes they are; null for any two positions. */
  readonly own: ReadonlySet<number> | null
}

/** Throws UnknownTarget and AmbiguousTarget. */
export function changesFor(store: Store, request: DiffRequest): Changes {
  const target = resolveTarget(store, request.target)
  const meant = runMeant(store, target, request)
  const range = rangeOf(store, target, meant, request)
  const all = meant
    ? changesOfRun(store, meant.run, meant.turn)
    : changesBetween(store, range.fromSeq, range.toSeq ?? store.records.lastSeq())
  const asked = request.paths ? all.filter((change) => request.paths?.some((path) => isWithin(change.path, path))) : all
  const outside = target.kind === 'drift' && !request.to ? namesOfDrift(store, target.id) : null
  const wanted = outside ? asked.filter((change) => outside.has(change.path)) : asked
  if (!meant) return { range, changes: withRenames(store, wanted), own: null }
  const mixed: string[] = []
  const edits = new Set(editsOfRun(store, meant.run, meant.turn ?? undefined))
  const apart = wanted.map((change) => {
    if (!change.interleaved) return change
    const alone = ownChange(store, edits, change)
    if (!alone) mixed.push(change.path)
    return alone ?? change
  })
  const warning = [
    range.warning,
    mixed.length > 0
      ? `Others' changes in between are part of this diff and cannot be told apart: ${mixed.slice(0, 10).join(', ')}.`
      : ''
  ]
  return {
    range: { ...range, warning: warning.filter(Boolean).join(' ') },
    changes: withRenames(store, apart),
    own: edits
  }
}

/** Parts of one Drift that were decided one by one lie between the same positions. */
function namesOfDrift(store: Store, drift: string): ReadonlySet<string> {
  const rows = store.db
    .prepare('SELECT DISTINCT p.name FROM edit e JOIN path p ON p.id = e.path WHERE e.drift = ?')
    .all(drift) as { name: string }[]
  return new Set(rows.map((row) => row.name))
}

export function diffOf(store: Store, request: DiffRequest): DiffResult {
  return describeRequested(store, changesFor(store, request), request)
}

/** The list of those changes, with their line counts. */
export function describeRequested(store: Store, { range, changes, own }: Changes, request: DiffRequest): DiffResult {
  const files = describeChanges(store, withoutImpliedFolders(changes), request.quick ? 120 : undefined)
  return { ...range, files: own && restoredSince(store, own) ? files.map((file) => marked(store, own, file)) : files }
}

/** `omitted`: paths whose content is not kept, or which git cannot name. */
export function patchOf(store: Store, changes: readonly PathChange[], use: 'git' | 'reading'): Patch {
  const format = use === 'git' ? formatPatch : formatForReading
  return format(
    changes.map((change) => ({ change, before: bytesOf(store, change.before), after: bytesOf(store, change.after) }))
  )
}

/** Only a restore takes Edits out of force: without one, no chain needs a look. */
function restoredSince(store: Store, own: ReadonlySet<number>): boolean {
  const first = own.values().next().value ?? 0
  return store.db.prepare('SELECT 1 FROM edit WHERE restore IS NOT NULL AND seq > ? LIMIT 1').get(first) !== undefined
}

function marked(store: Store, own: ReadonlySet<number>, file: FileChange): FileChange {
  const by = wholeTakenBack(store, own, file.path, file.oldPath)
  return by ? { ...file, takenBack: by } : file
}
