/** The input of undoing edits: each of their paths returns to before them, with or without what others wrote since. */
import { readWithoutRoundTrips } from '../../diff/provenance.ts'
import { currentPathOf, currentPaths, findCoveredScope, findUndoScope } from '../../log/chain.ts'
import type { EditRow } from '../../store/edits.ts'
import { createHistoryReader, inReadingOrder } from '../../store/history-reader.ts'
import type { Store } from '../../store/open-store.ts'
import type { Head, PathId } from '../../store/paths.ts'
import { createWriterReader } from '../../store/writers.ts'
import type { RequestedPath } from './request-input.ts'
import { departuresOfRestores } from './restore-moves.ts'
import { isSelected, maybeSelected } from './selected-hunks.ts'
import {
  type AnyScope,
  replaceFile,
  returnReplaced,
  type Undo,
  type UndoRequest,
  type UndoScope,
  undoInFile
} from './undo-file.ts'

/**
 * [RS-10] [RS-13] Each file of `edits` returns to before the deepest of them that is in force. [RS-20] A file that was
 * moved since is changed where it is now, and moves back if the undone edits moved it.
 */
export function undoEdits(source: Store, request: UndoRequest): RequestedPath[] {
  const touched = inReadingOrder(
    maybeSelected(
      source,
      request.selection,
      request.edits.map((edit) => edit.path)
    )
  )
  const since = firstEdit(request.edits)
  const undo = createUndo(createHistoryReader(source, touched, since), request, since)
  // Those that others changed are decided when all are known.
  const files = inReadingOrder(currentPaths(touched, undo.log)).flatMap((path) => undoUnlessDoubtful(undo, path))
  const returned = new Set(
    files.flatMap((file) => (isDoubtful(file) ? (file.returned?.own ?? []) : [])).map(({ seq }) => seq)
  )
  return files.flatMap((file) => (isDoubtful(file) ? undoDoubtful(undo, file, returned) : [file]))
}

/**
 * The edit below which an undo of these edits needs no history, where nobody else changed the file. Of moves, and of restores,
 * which return to an earlier edit, it needs that.
 */
function firstEdit(edits: readonly EditRow[]): number {
  if (edits.some(({ origin, movedFrom }) => origin === 'restore' || movedFrom !== null)) return 1
  return edits.reduce((first, { seq }) => Math.min(first, seq), Number.MAX_SAFE_INTEGER)
}

type Log = Store['records']

/** An undo with the readings of the history that decide what it does to each file. */
interface EditsUndo extends Undo {
  readonly isOwn: (edit: EditRow) => boolean
  /** No edit before this one is to be undone. */
  readonly since: number
  /** Without moves that are a creation and a deletion to this undo. */
  readonly log: Log
  /** Both without round trips (RS-24). */
  readonly returned: { readonly store: Store; readonly log: Log }
}

function createUndo(store: Store, request: UndoRequest, since: number): EditsUndo {
  const { records } = store
  const seqs = new Set(request.edits.map((edit) => edit.seq))
  const isOwn = (edit: EditRow): boolean => seqs.has(edit.seq)
  const log = withoutEndedMoves(records, seqs)
  return {
    ...request,
    ...{ store, seqs, isOwn, since, log },
    writersOf: createWriterReader(store),
    departureOf: departuresOfRestores(store),
    returned: {
      store: readWithoutRoundTrips(store, isOwn),
      log: readWithoutRoundTrips({ ...store, records: log }, isOwn).records
    }
  }
}

/** Without moves of which only one of the two edits is undone, and those of files that were replaced at their new name. */
function withoutEndedMoves(log: Log, seqs: ReadonlySet<number>): Log {
  const known = new Map<number, boolean>()
  const isReplaced = (departure: EditRow): boolean => {
    const is = known.get(departure.seq) ?? currentPathOf(departure, log) === null
    known.set(departure.seq, is)
    return is
  }
  const isEnded = ({ seq, movedFrom }: EditRow): boolean => {
    if (movedFrom === null) return false
    return seqs.has(seq) ? !seqs.has(movedFrom) || isReplaced(log.edit(movedFrom)) : seqs.has(movedFrom)
  }
  return {
    ...log,
    edit: (seq: number): EditRow => {
      const edit = log.edit(seq)
      return isEnded(edit) ? { ...edit, movedFrom: null } : edit
    },
    arrivalOf: (seq: number): EditRow | null => {
      const arrival = log.arrivalOf(seq)
      return arrival && !isEnded(arrival) ? arrival : null
    }
  }
}

/** A path that others changed since, or where nothing is to be undone. */
interface Doubtful {
  readonly head: Head
  readonly scope: AnyScope
  /** [RS-24] The edits to undo, without round trips of others; null if none are in force then. */
  readonly returned: UndoScope | null
}

function isDoubtful(file: RequestedPath | Doubtful): file is Doubtful {
  return 'head' in file
}

/** Undoes the edits of a file that nobody else changed since. */
function undoUnlessDoubtful(undo: EditsUndo, path: PathId): readonly (RequestedPath | Doubtful)[] {
  const { store, log, isOwn, since } = undo
  const head = store.records.headById(path)
  if (head.version === null) return []
  const scope = findUndoScope(head.edit, log, isOwn, since)
  if (isClean(scope)) return undoIfSelected(undo, store, head, scope)
  const returned = findUndoScope(head.edit, undo.returned.log, isOwn, since)
  return [{ head, scope, returned: returned.state === 'in-force' ? returned : null }]
}

/** `returnedEdits`: the edits to undo of all files, without round trips. */
function undoDoubtful(
  undo: EditsUndo,
  { head, scope, returned }: Doubtful,
  returnedEdits: ReadonlySet<number>
): readonly RequestedPath[] {
  const { store, log, selection, isOwn } = undo
  if (returned) return undoIfSelected(undo, undo.returned.store, head, returned)
  if (scope.state === 'in-force') {
    // What outside changes moved away and back is undone where it is again.
    const isElsewhere = scope.own.every(({ seq }) => returnedEdits.has(seq))
    return isElsewhere ? [] : undoIfSelected(undo, store, head, scope)
  }
  const covered = findCoveredScope(head.edit, log, isOwn)
  if (!isSelected(selection, head.path)) return []
  if (covered.state === 'in-force') return [replaceFile(store, undo, head, covered)]
  const replaced = returnReplaced(store, undo, head)
  return replaced ? [replaced] : []
}

/** `from`: the reading of the history in which the edits of `scope` are. */
function undoIfSelected(undo: EditsUndo, from: Store, head: Head, scope: UndoScope): readonly RequestedPath[] {
  const names = namesOf(undo.store, head, scope)
  const isAny = names.some((name) => isSelected(undo.selection, name))
  return isAny ? [undoInFile(from, { ...undo, head, scope, names })] : []
}

type CleanScope = UndoScope & { readonly foreign: readonly []; readonly merged: false }

function isClean(scope: AnyScope): scope is CleanScope {
  return scope.state === 'in-force' && scope.foreign.length === 0 && !scope.merged
}

/** The name of the file and those it had for the edits to undo, and before. A person may select it by any. */
function namesOf({ records }: Store, head: Head, { own }: UndoScope): string[] {
  const paths = own.flatMap(({ path, movedFrom }) =>
    movedFrom === null ? [path] : [path, records.edit(movedFrom).path]
  )
  return [...new Set([head.path, ...paths.map((path) => records.headById(path).path)])]
}
