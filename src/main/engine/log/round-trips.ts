/**
 * [RS-10] Round trips: edits after which a file was again, under the same name, what it had been before them, as after
 * `git checkout` of another branch and back, `git stash` and `pop`, or an editor's undo and redo. Pure.
 *
 * The last of them counts as the pointer of a restore (`chain.ts`): it adds no content, it returns to the newest edit
 * that had left the file so. Who wrote what is then what it was, and what happened in between is no part of the file,
 * whoever did it:
 *
 *     seq  origin   content          chain of head 5:  5 -> 1 -> 0
 *      1   agent    A B
 *      2   outside  A                returns to 0
 *      3   agent    A C
 *      4   outside  A                returns to 2
 *      5   outside  A B              returns to 1
 *
 * The last edit is outside. What a run wrote is its own, also if it is equal: its edit returns only from what it did
 * itself. No round trip contains a restore, a run's rename, which is in force at another name, too, or an edit that is
 * itself asked about, because that has to be on the chain.
 */
import type { FileVersion } from '../../../contract/log.ts'
import { proofOf } from './same-version.ts'

/** The fields of an edit that are read here, as of `chain.ts`. */
interface LogEdit {
  readonly seq: number
  readonly path: number
  readonly origin: 'agent' | 'outside' | 'restore'
  readonly base: number
  /** Row ids of the versions before and after it. */
  readonly before: number
  readonly after: number
  readonly movedFrom: number | null
}

interface EditLog<E extends LogEdit> {
  edit(seq: number): E
  /** Newest first. */
  editsOf(path: number): readonly E[]
  /** Those that moved a file away. */
  departuresFrom(path: number): readonly E[]
  version(id: number): FileVersion
}

interface Question<E> {
  /** No round trip contains the edit. */
  isKept(edit: E): boolean
  /** The run of each of these edits that one run alone made. Called once for a path at most. */
  runsOf(edits: readonly number[]): ReadonlyMap<number, string>
}

/** The log with the last edit of each round trip as a pointer. O(edits of a path), once for each path that is read. */
export function withoutRoundTrips<E extends LogEdit, L extends EditLog<E>>(
  log: L & EditLog<E>,
  question: Question<E>
): L {
  const known = new Map<number, ReadonlyMap<number, number>>()
  const returnsOn = (path: number): ReadonlyMap<number, number> => {
    const returns = known.get(path) ?? findReturns(path, log, question)
    known.set(path, returns)
    return returns
  }
  return {
    ...log,
    edit: (seq: number): E => {
      const edit = log.edit(seq)
      const base = returnsOn(edit.path).get(seq)
      return base === undefined ? edit : { ...edit, origin: 'restore', base, movedFrom: null }
    }
  }
}

/** Of a path, the last edit of each round trip -> the edit that it returns to; 0 = the initial snapshot. */
function findReturns<E extends LogEdit>(
  path: number,
  log: EditLog<E>,
  { isKept, runsOf }: Question<E>
): Map<number, number> {
  const edits = log.editsOf(path).toReversed()
  const departures = new Set(log.departuresFrom(path).map(({ seq }) => seq))
  const isRename = ({ seq, origin, movedFrom }: E): boolean =>
    origin === 'agent' && (movedFrom !== null || departures.has(seq))
  const returns = new Map<number, number>()
  /** What the path was since the last edit that no round trip contains -> the newest edit that left it so, -1: none did. */
  const left = new Map<string, number>()
  const isOfOneRun = createRunTest(edits, runsOf)
  const initial = edits[0] && proofOf(log.version(edits[0].before))
  if (initial) left.set(initial, -1)
  for (const [at, edit] of edits.entries()) {
    const proof = proofOf(log.version(edit.after))
    const before = proof === null ? undefined : left.get(proof)
    if (edit.origin === 'restore' || isRename(edit) || isKept(edit)) left.clear()
    else if (before !== undefined && (edit.origin === 'outside' || isOfOneRun(before + 1, at)))
      returns.set(edit.seq, edits[before]?.seq ?? 0)
    if (proof !== null) left.set(proof, at)
  }
  return returns
}

/** Tests whether one run alone made the edits from one index to another. */
function createRunTest<E extends LogEdit>(edits: readonly E[], runsOf: Question<E>['runsOf']) {
  /** Of each edit, the first one of those before it, and itself, that are all of its run. */
  const findStarts = (): number[] => {
    const runs = runsOf(edits.flatMap(({ seq, origin }) => (origin === 'agent' ? [seq] : [])))
    const starts: number[] = []
    for (const [at, { seq }] of edits.entries()) {
      const run = runs.get(seq)
      const isSame = run !== undefined && run === runs.get(edits[at - 1]?.seq ?? 0)
      starts.push(isSame ? (starts[at - 1] as number) : at)
    }
    return starts
  }
  let starts: readonly number[] | null = null
  return (from: number, to: number): boolean => {
    starts ??= findStarts()
    return (starts[to] as number) <= from
  }
}
