/**
 * Reviews one file of a run, a turn or an outside change: its two ends, other writers in between, and what is undone.
 */
import type { TextHunk, Writer } from '../../../contract/diff.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import type { FileVersion } from '../../../contract/log.ts'
import { currentPaths, pathsSince, walkWithCovered } from '../log/chain.ts'
import { ChangedLines, type HunkRef } from '../log/changed-lines.ts'
import { editsOfRun } from '../store/edit-calls.ts'
import { type EditRow, seqsOfDrift } from '../store/edits.ts'
import { sha256 } from '../store/hash.ts'
import type { Store } from '../store/open-store.ts'
import type { Head, PathId } from '../store/paths.ts'
import { resolveTarget } from '../store/targets.ts'
import { versionAt } from '../store/version-at.ts'
import { toFileVersion } from '../store/versions.ts'
import { writersOf } from '../store/writers.ts'
import type { PathChange } from './aggregate.ts'
import { changesOfPath } from './changes.ts'
import type { SynthesizedVersion } from './describe-changes.ts'
import { ownEditsOfFile, ownHunks } from './own-hunks.ts'
import { contentBefore, omittedHunks, textWithoutRun } from './provenance.ts'

export type Ends = Pick<PathChange, 'before' | 'after'>

/** What can be undone of a hunk, or is. `undoneBy`: the restore that undid the last part; null while a part is in force. */
export type UndoneHunk = Pick<TextHunk, 'undoneBy' | 'undoneLines' | 'byOthers'>

/** What is undone of the change of a file: ids of restores. */
interface UndoneFile {
  /** The one that undid the last part; null while a part is in force. */
  readonly undoneBy: string | null
  /** The one that undid a part last, while another is in force; null if none did. */
  readonly partlyUndoneBy: string | null
}

export interface FileReview extends Ends, UndoneFile {
  /**
   * The hunks of the text, as `ownHunks` counts them; empty when no line is undone and none is of others, null when they are
   * undone only together.
   */
  readonly hunks: readonly UndoneHunk[] | null
  /** Edits of others between the first and the last own edit, oldest first. */
  readonly between: readonly Writer[]
  /** Their changes cannot be separated from the own ones: `before` and `after` are the ends of both. */
  readonly mixed: boolean
  /** The version before the first own edit, where `before` has what others changed since then. */
  readonly start: FileVersion | null
}

/** Edits of a run, a turn or an outside change. Throws UnknownTarget. */
export function editsOfTarget(store: Store, of: string): ReadonlySet<number> {
  const target = resolveTarget(store, of)
  if (target.kind === 'drift') return new Set(seqsOfDrift(store, target.id))
  return new Set(target.run ? editsOfRun(store, target.run, target.turn ?? undefined) : [])
}

/** `own`: all edits of the run, turn or outside change. `oldPath`: set for a rename. */
export function reviewFile(store: Store, own: ReadonlySet<number>, path: string, oldPath?: string): FileReview {
  const { records } = store
  const change = changesOfPath(store, own, path)
  const separate = change && separateOwnChange(store, own, change)
  const head = records.head(path)
  const edits = oldPath === undefined ? editsOn(store, own, path) : editsOfRenamed(store, own, path)
  const first = editsOn(store, own, oldPath ?? path).at(-1)
  const [last] = edits
  // Not of a rename that only the diff finds: its edits are those of two files.
  const oldest = edits.at(-1)
  const mixed = change?.interleaved === true && !separate
  const isOneFile = oldPath === undefined || (oldest && contentBefore(store, oldest) === first?.before)
  return {
    start: separate && first ? records.version(first.before) : null,
    before: separate?.before ?? (first ? records.version(first.before) : versionAt(store, oldPath ?? path, null)),
    after: last ? records.version(last.after) : versionAt(store, path, null),
    ...findUndoOfFile(store, own, path, oldPath),
    hunks: !isOneFile ? null : head ? findUndone(store, head, own, edits).hunks(mixed) : [],
    between: writersOf(store, foreignEditsBetween(store, own, edits)),
    mixed
  }
}

/** The restore that undid the last of all edits in `own` of a path; null while one is in force. */
export function findUndoOfPath(store: Store, own: ReadonlySet<number>, path: PathId): string | null {
  const head = store.records.headById(path)
  const edits = store.records.editsOf(path).filter(({ seq }) => own.has(seq))
  return findUndone(store, head, own, edits).whole
}

/** What is undone of all edits in `own` of a path and of the path it was renamed from. */
export function findUndoOfFile(store: Store, own: ReadonlySet<number>, path: string, oldPath?: string): UndoneFile {
  const undone = [path, ...(oldPath === undefined ? [] : [oldPath])].map((name) => {
    const head = store.records.head(name)
    return head ? findUndone(store, head, own, editsOn(store, own, name)) : null
  })
  const undoneBy = undone.every((each) => each?.whole) ? (undone[0]?.whole ?? null) : null
  const newest = Math.max(...undone.map((each) => each?.newest ?? 0))
  const isPartly = undoneBy === null && newest > 0
  return { undoneBy, partlyUndoneBy: isPartly ? store.records.edit(newest).restore : null }
}

/**
 * The change that others made to a path between the first and the last edit in `own`. Throws NotStored when it overlaps
 * with theirs.
 */
export function foreignChange(store: Store, own: ReadonlySet<number>, path: string): Ends {
  const edits = editsOn(store, own, path)
  const [last, first] = [edits[0], edits.at(-1)]
  const bytes = textWithoutRun(store, edits)
  if (!first || !last || !bytes)
    throw new DriftlineError(
      'NotStored',
      `The edits of others to ${path} overlap with this change and cannot be shown separately. Compare start and end to see both.`,
      { path }
    )
  const { records } = store
  return { before: records.version(first.before), after: synthesizeVersion(records.version(last.after), bytes) }
}

/**
 * [LG-4] The change with the others' lines on both sides, so that its diff shows only the run's lines. Null when the
 * change is not interleaved or cannot be separated. `own`: the edits of the run or turn.
 */
export function separateOwnChange(store: Store, own: ReadonlySet<number>, change: PathChange): PathChange | null {
  const { path, before, after, interleaved } = change
  if (!interleaved || before.kind !== 'file' || after.kind !== 'file') return null
  const bytes = textWithoutRun(store, editsOfRenamed(store, own, path))
  return bytes && { ...change, before: synthesizeVersion(before, bytes) }
}

/** A version with the given content and everything else as in `like`. */
function synthesizeVersion(like: FileVersion, bytes: Buffer): SynthesizedVersion {
  return { ...toFileVersion(like), size: bytes.length, hash: sha256(bytes).toString('hex'), bytes }
}

/** `edits`: those in `own` of one path. */
function foreignEditsBetween({ records }: Store, own: ReadonlySet<number>, edits: readonly EditRow[]): EditRow[] {
  const [last, first] = [edits[0], edits.at(-1)]
  if (!first || !last) return []
  return records
    .editsOf(first.path)
    .filter(({ seq, origin }) => seq > first.seq && seq < last.seq && !own.has(seq) && origin !== 'restore')
    .reverse()
}

function editsOfRenamed(store: Store, own: ReadonlySet<number>, path: string): EditRow[] {
  const head = store.records.head(path)
  return head ? ownEditsOfFile(store, own, head.id) : []
}

/** The edits in `own` of one path, newest first. */
function editsOn({ records }: Store, own: ReadonlySet<number>, path: string): EditRow[] {
  const head = records.head(path)
  return head ? records.editsOf(head.id).filter((edit) => own.has(edit.seq)) : []
}

/**
 * The restores that undid the edits in `own` of one path: ids, null while a part is in force. `whole`: the one that
 * undid the last part; `newest`: seq of the restore's edit that undid something of them last, else 0; `hunks`: as `whole`, for each hunk of the
 * edits' diff. `edits`: those of the path, newest first.
 */
function findUndone(store: Store, head: Head, own: ReadonlySet<number>, edits: readonly EditRow[]) {
  const { records } = store
  const made = edits.map((edit) => arrivalOrSelf(store, own, edit))
  const madeSeqs = new Set(made.map(({ seq }) => seq))
  let newest = 0
  // Undone edits, and hunks of which some lines are undone -> seq of the restore's edit that did it last.
  const undone = new Map<number, number>()
  const hunks = new Map<string, number>()
  const lines = new ChangedLines()
  const inForce = new Set<number>()
  const names = everyName(store, head, made)
  for (const path of names)
    for (const { edit, omitted } of walkWithCovered(records.headOf(path), records)) {
      if (!omitted) inForce.add(edit.seq)
      if (omitted || edit.origin !== 'restore') continue
      // The walk is newest first; the newest merge that omits an edit counts.
      for (const omit of edit.omits) if (!undone.has(omit)) undone.set(omit, edit.seq)
      if (!edit.merge) continue
      for (const ref of omittedHunks(store, edit)) {
        lines.add(ref)
        if (madeSeqs.has(ref.seq)) newest = Math.max(newest, edit.seq)
        if (!hunks.has(hunkKey(ref))) hunks.set(hunkKey(ref), edit.seq)
      }
    }
  const skipped = made.map(({ seq }) => seq).filter((seq) => !inForce.has(seq) && !undone.has(seq))
  for (const [seq, by] of restoresPast(store, skipped, names)) undone.set(seq, by)
  const lastRestore = (seqs: readonly (number | undefined)[]): string | null => {
    const known = seqs.filter((seq) => seq !== undefined)
    if (known.length === 0 || known.length < seqs.length) return null
    return records.edit(Math.max(...known)).restore
  }
  for (const { seq } of made) newest = Math.max(newest, undone.get(seq) ?? 0)
  return {
    whole: lastRestore(made.map(({ seq }) => undone.get(seq))),
    newest,
    hunks: (mixed: boolean): UndoneHunk[] => {
      if (undone.size === 0 && hunks.size === 0 && !mixed) return []
      const restoreOf = (ref: HunkRef): number | undefined =>
        undone.get(ref.seq) ?? (lines.hasAll(ref) ? hunks.get(hunkKey(ref)) : undefined)
      return (ownHunks(store, edits) ?? []).map((hunk) => {
        const parts = hunk.partsOf(hunk.blocks) ?? hunk.refs
        return {
          undoneBy: lastRestore(parts.map(restoreOf)),
          undoneLines: hunk.linesThat((ref) => undone.has(ref.seq) || lines.has(ref)),
          ...(mixed && parts.length === 0 ? { byOthers: true } : {})
        }
      })
    }
  }
}

/** [RS-20] A file has left its old name as long as it is in force that it came to the new one. */
function arrivalOrSelf({ records }: Store, own: ReadonlySet<number>, edit: EditRow): EditRow {
  const arrival = edit.after === records.absent ? records.arrivalOf(edit.seq) : null
  return arrival && own.has(arrival.seq) ? arrival : edit
}

/** Every path that had the content of the edits since them. `edits`: newest first. */
function everyName({ records }: Store, head: Head, edits: readonly EditRow[]): Set<PathId> {
  const oldest = new Map(edits.map((edit) => [edit.path, edit]))
  const places = [...oldest.values()].flatMap((edit) => [...pathsSince(edit, records)])
  return currentPaths([head.id, ...places], records)
}

/**
 * [RS-10] Edits that no chain passes -> the edit of the restore since which that is so. `names`: every path that had their
 * content since.
 */
function restoresPast({ records }: Store, edits: readonly number[], names: Iterable<PathId>): Map<number, number> {
  const found = new Map<number, number>()
  let rest = edits
  const logs = rest.length > 0 ? [...names].map((path) => records.editsOf(path)) : []
  const restores = logs.flat().filter(({ origin }) => origin === 'restore')
  const byRestore = Map.groupBy(
    restores.sort((a, b) => b.seq - a.seq),
    ({ restore }) => restore
  )
  for (const [last] of byRestore.values()) {
    if (rest.length === 0) break
    const after = last!.seq
    const oldest = rest.reduce((a, b) => Math.min(a, b))
    const heads = logs.map((log) => log.find(({ seq }) => seq <= after)?.seq ?? 0)
    const steps = heads.flatMap((head) => [...walkWithCovered(head, records, oldest)])
    const inForce = new Set(steps.filter(({ omitted }) => !omitted).map(({ edit }) => edit.seq))
    rest = rest.filter((seq) => seq < after && !inForce.has(seq))
    for (const seq of rest) found.set(seq, after)
  }
  return found
}

function hunkKey({ seq, hunk }: HunkRef): string {
  return `${seq}:${hunk}`
}
