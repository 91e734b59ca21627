/** What an undo of edits does to one file, once it is known which edits it reverts there (undo-edits.ts). */
import { contentBefore, type Merge, mergeWithout } from '../../diff/provenance.ts'
import { currentPathOf, type findUndoScope, walkChain } from '../../log/chain.ts'
import { sameVersion } from '../../log/same-version.ts'
import type { EditRow } from '../../store/edits.ts'
import type { Store } from '../../store/open-store.ts'
import type { Head } from '../../store/paths.ts'
import { versionAt } from '../../store/version-at.ts'
import type { StoredVersion } from '../../store/versions.ts'
import type { createWriterReader } from '../../store/writers.ts'
import type { ForeignCause, MoveBack } from '../plan-items.ts'
import { replacedByMove } from './replaced-by-move.ts'
import type { RequestedPath } from './request-input.ts'
import type { DepartureOf } from './restore-moves.ts'
import { type Selection, selectedHunks } from './selected-hunks.ts'

/** Which edits an undo removes. */
export interface UndoRequest {
  readonly edits: readonly EditRow[]
  readonly selection: Selection
  /** Why later edits of others are a conflict. */
  readonly foreignCause: ForeignCause
  /** The edits whose diff is shown and whose hunks are counted, if they are more than those that may be undone. */
  readonly shown?: readonly EditRow[]
}

/** The request, and what is read to undo it in each file. */
export interface Undo extends UndoRequest {
  /** The history as it was recorded. */
  readonly store: Store
  /** Of `edits`. */
  readonly seqs: ReadonlySet<number>
  readonly writersOf: ReturnType<typeof createWriterReader>
  readonly departureOf: DepartureOf
}

export type AnyScope = ReturnType<typeof findUndoScope<EditRow>>
export type UndoScope = Extract<AnyScope, { state: 'in-force' }>

interface FileUndo extends Undo {
  readonly head: Head
  readonly scope: UndoScope
  /** The names by which a person may select the file. */
  readonly names: readonly string[]
}

/**
 * The file returns to before the deepest of the edits to undo; what others wrote on top of them is a conflict. `store`: the
 * reading of the history in which these edits are.
 */
export function undoInFile(store: Store, undo: FileUndo): RequestedPath {
  const { records } = store
  const { head, seqs, scope } = undo
  const isRestore = scope.deepest.origin === 'restore'
  const rename = renameByRestore(store, undo)
  if (rename) return undoRename(store, undo, rename)
  const own = isRestore ? editsOfRestore(store, seqs, scope.deepest) : scope.own
  const deepest = own.at(-1) ?? scope.deepest
  const now = records.version(head.version as number)
  const target = targetBelow(store, seqs, deepest)
  const selected = selectedHunks(undo.store, { ...undo, shown: undo.shown ?? undo.edits }, own)
  const part = selected && mergeWithout(undo.store, head, own, scope.foreign, selected)
  // [RS-21] Nothing is left of a file that these edits made: it goes, too.
  const isAll = part?.version.size === 0 && target.version.kind === 'absent' && scope.foreign.length === 0
  const only = isAll ? undefined : selected
  // [RS-20] Nothing conflicts with a move that changes no line, whoever made it.
  const isChanged = own.some((edit) => !isMove(store, edit))
  // [RS-21] Nor with selected lines an edit that changes none, only permissions for instance.
  const isForeign = (edit: EditRow): boolean => !isMove(store, edit) && !(only && hasSameLines(store, edit))
  const foreign = isChanged ? scope.foreign.filter(isForeign) : []
  const isMerged = scope.foreign.length > 0 || scope.merged || only !== undefined
  const mergeOf = (): Merge | null => {
    if (only) return part ?? null
    if (!isChanged) return exactly(now, own)
    const isAlone = foreign.length === 0 && !scope.merged
    return mergeWithout(undo.store, head, own, scope.foreign) ?? (isAlone ? exactly(target.version, own) : null)
  }
  return {
    path: head.path,
    now,
    target: target.version,
    base: target.base,
    foreign: undo.writersOf(foreign),
    foreignCause: undo.foreignCause,
    merge: isMerged ? mergeOf() : null,
    own: own[0] ? records.version(own[0].after) : null,
    // The version before a restore was on disk, merges included. The version before an edit below a merge still
    // contains what the merge removed, so it is no target. Nor is one from before a move of others.
    onlyByMerge:
      (scope.merged && !isRestore) ||
      only !== undefined ||
      (scope.foreign.length > 0 && foreign.length === 0) ||
      scope.foreign.some(({ movedFrom }) => movedFrom !== null),
    isPart: only !== undefined,
    move: only ? null : moveBack(store, undo)
  }
}

/** The two edits of a restore that moved a file. */
interface RestoredMove {
  readonly arrival: EditRow
  readonly departure: EditRow
}

/**
 * The move of a restore by which a file came to a free name and left one free; null for any other edit. Where a folder or
 * another file has one of the names, each name is returned to what it was by itself.
 */
function renameByRestore(store: Store, { seqs, scope, departureOf }: FileUndo): RestoredMove | null {
  const kindOf = (version: number): string => store.records.version(version).kind
  const departure = departureOf(scope.deepest)
  if (!departure || !seqs.has(departure.seq)) return null
  const arrival = editsOfRestore(store, seqs, scope.deepest).at(-1) ?? scope.deepest
  const isFile = kindOf(scope.deepest.after) === 'file'
  const areFree = kindOf(arrival.before) === 'absent' && kindOf(departure.after) === 'absent'
  return isFile && areFree ? { arrival, departure } : null
}

/**
 * [RS-20] Returns a file that a restore moved to the name it had before, with its version there. What was written since is
 * a conflict without a merge: the chain of that name does not lead here.
 */
function undoRename(store: Store, undo: FileUndo, { arrival, departure }: RestoredMove): RequestedPath {
  const { records } = store
  const { head, scope, seqs } = undo
  const { version: target, base } = targetBelow(store, seqs, departure)
  const to = records.headById(departure.path).path
  return {
    path: head.path,
    now: records.version(head.version as number),
    target,
    base,
    foreign: undo.writersOf(scope.foreign),
    foreignCause: undo.foreignCause,
    merge: null,
    own: records.version(scope.deepest.after),
    onlyByMerge: false,
    move: {
      to,
      nowThere: versionAt(store, to, null),
      // Moved on since, it leaves nothing where it is.
      left: arrival.path === head.id ? targetBelow(store, seqs, arrival) : nothing(store)
    }
  }
}

/** [RS-10] Restores what had the name of a file that was moved there since: always a conflict, without a merge. */
export function replaceFile(
  store: Store,
  { foreignCause, seqs, writersOf }: Undo,
  head: Head,
  scope: UndoScope
): RequestedPath {
  const { records } = store
  const target = targetBelow(store, seqs, scope.deepest)
  return {
    path: head.path,
    now: records.version(head.version as number),
    target: target.version,
    base: target.base,
    foreign: writersOf(scope.foreign),
    foreignCause,
    merge: null,
    own: scope.own[0] ? records.version(scope.own[0].after) : null,
    onlyByMerge: false,
    move: null
  }
}

/** [RS-20] Returns what the undone edits moved a file over that is not there any more; null if there is none. */
export function returnReplaced(
  store: Store,
  { foreignCause, seqs, writersOf }: Undo,
  head: Head
): RequestedPath | null {
  const replaced = replacedByMove(store, seqs, head.edit)
  if (!replaced) return null
  const now = store.records.version(head.version as number)
  return {
    path: head.path,
    now,
    target: replaced.version,
    base: replaced.base,
    foreign: now.kind === 'absent' ? [] : writersOf(replaced.since.filter(({ origin }) => origin !== 'restore')),
    foreignCause,
    merge: null,
    own: replaced.by,
    onlyByMerge: false,
    move: null
  }
}

/** [LG-7] The edit only gave the content a new name. */
function isMove(store: Store, edit: EditRow): boolean {
  const { version } = store.records
  return edit.movedFrom !== null && sameVersion(version(contentBefore(store, edit)), version(edit.after))
}

function hasSameLines({ records }: Store, { before, after }: EditRow): boolean {
  const { hash } = records.version(before)
  return hash !== null && hash === records.version(after).hash
}

/** A merge whose result is a recorded version. Each of `own` is one hunk at most. */
function exactly(version: StoredVersion, own: readonly EditRow[]): Merge {
  return { version, bytes: null, omits: own.map(({ seq }) => ({ seq, hunk: 0, whole: true })) }
}

type Target = Pick<MoveBack['left'], 'base'> & { readonly version: StoredVersion }

/** What the name of an edit returns to: what the edit changed or, below that, what the undone edits moved a file over. */
function targetBelow(store: Store, seqs: ReadonlySet<number>, edit: EditRow): Target {
  const target = versionBelow(store, edit)
  if (target.version.kind !== 'absent') return target
  const from = store.records.arrivalOf(edit.seq) ? edit.seq : edit.base
  return replacedByMove(store, seqs, from) ?? target
}

/** What an edit changed, and the edit that made that; nothing if that content was moved away and is elsewhere now. */
function versionBelow(store: Store, edit: EditRow): Target {
  const { records } = store
  if (edit.movedFrom === null && currentPathOf(edit, records) !== null) return nothing(store)
  const { path, seq } = edit.movedFrom === null ? edit : records.edit(edit.movedFrom)
  const isOrdinary = edit.movedFrom === null && edit.origin !== 'restore'
  const base = isOrdinary ? edit.base : (records.editBefore(path, seq)?.seq ?? 0)
  return { version: records.version(contentBefore(store, edit)), base }
}

function nothing({ records }: Store): Target {
  return { version: records.version(records.absent), base: 0 }
}

/** [RS-20] The move that undoes the moves of the undone edits; null if there is none. */
function moveBack(store: Store, { head, scope, seqs }: FileUndo): MoveBack | null {
  const { records } = store
  const [newest, oldest] = [scope.moves[0], scope.moves.at(-1)]
  if (!newest || !oldest) return null
  const to = records.headById(records.edit(oldest.movedFrom as number).path).path
  if (to === head.path) return null
  // What the path held before the undone edits, if the file has been there since; else nothing.
  let first = newest
  for (;;) {
    const below = records.editBefore(head.id, first.seq)
    if (!below || !seqs.has(below.seq)) break
    first = below
  }
  const came = [...walkChain(head.edit, records)].find(({ edit }) => edit.movedFrom !== null && edit.path === head.id)
  const left = came?.edit.seq === newest.seq ? targetBelow(store, seqs, { ...first, movedFrom: null }) : nothing(store)
  return { to, nowThere: versionAt(store, to, null), left }
}

/** Newest first. A restore that was interrupted and finished may have several consecutive edits of a path. */
function editsOfRestore(store: Store, seqs: ReadonlySet<number>, edit: EditRow): EditRow[] {
  const before = store.records.editBefore(edit.path, edit.seq)
  return [edit, ...(before && seqs.has(before.seq) ? editsOfRestore(store, seqs, before) : [])]
}
