/**
 * [RS-24] Round trips: edits after which a file was again, under the same name, what it had been before them, as after
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
 * itself. No round trip contains a run's rename, which is in force at another name, too, or an edit that is itself asked
 * about, because that has to be on the chain. What a restore undid stays undone: no edit returns to it. So a path has
 * lines of edits. An edit follows the one before it, a pointer the edit it returns to, and a merge the one before all
 * that it omits; an edit returns to one of its line.
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
  readonly merge: boolean
  readonly omitsSince: number | null
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
  const isOfOneRun = createRunTest(edits, runsOf)
  const before = edits.map((edit, at) => (isKept(edit) || isRename(edit) ? null : indexBelow(edits, at, log)))
  const states = createStates(edits, log)
  const returns = new Map<number, number>()
  for (const { at, isEnd } of walkLines(before)) {
    const edit = edits[at]
    const same = states.newestLike(at)
    if (isEnd) states.drop(at)
    else {
      if (edit && same !== null && (edit.origin === 'outside' || isOfOneRun(same + 1, at))) {
        returns.set(edit.seq, edits[same]?.seq ?? 0)
        // What one run removed and restored was not its own in between, if it had been so before.
        if (edit.origin === 'agent') for (let own = same + 1; own < at; own++) states.dropRepeated(own)
      }
      states.add(at)
    }
  }
  return returns
}

/** What a path was along the line of an edit: the edits that left it so, by index; -1: none, the initial snapshot. */
function createStates<E extends LogEdit>(edits: readonly E[], log: EditLog<E>) {
  const versions = [...edits.slice(0, 1).map((edit) => edit.before), ...edits.map(({ after }) => after)]
  const proofs = versions.map((version) => proofOf(log.version(version)))
  const lists = new Map<string, number[]>()
  /** Of those that left it as `at` did; null if it is not known how. */
  const listOf = (at: number): number[] | null => {
    const proof = proofs[at + 1] ?? null
    if (proof === null) return null
    const list = lists.get(proof) ?? []
    lists.set(proof, list)
    return list
  }
  const drop = (at: number): void => {
    const list = listOf(at)
    if (list?.at(-1) === at) list.pop()
  }
  return {
    newestLike: (at: number): number | null => listOf(at)?.at(-1) ?? null,
    add: (at: number): void => void listOf(at)?.push(at),
    drop,
    dropRepeated: (at: number): void => {
      if ((listOf(at)?.length ?? 0) > 1) drop(at)
    }
  }
}

/** The index of the edit that one follows in its line; -1: the initial snapshot. `edits`: oldest first. */
function indexBelow<E extends LogEdit>(edits: readonly E[], at: number, log: EditLog<E>): number {
  const { seq, origin, base, merge } = edits[at] as E
  if (origin !== 'restore') return at - 1
  const last = merge ? (log.edit(seq).omitsSince ?? seq) - 1 : base
  let [low, high] = [0, at]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((edits[middle] as E).seq <= last) low = middle + 1
    else high = middle
  }
  return low - 1
}

/**
 * Visits each index after the one that it follows, and again when all that follow it were visited: between the two is
 * its line. `before`: the index that each follows; null for none. It begins with -1.
 */
function* walkLines(before: readonly (number | null)[]): Generator<{ readonly at: number; readonly isEnd: boolean }> {
  const following = Map.groupBy(before.keys(), (at) => before[at] as number | null)
  const todo = [...(following.get(null) ?? []), -1].map((at) => ({ at, isEnd: false }))
  for (let next = todo.pop(); next; next = todo.pop()) {
    yield next
    if (next.isEnd) continue
    todo.push({ at: next.at, isEnd: true })
    for (const at of following.get(next.at) ?? []) todo.push({ at, isEnd: false })
  }
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
