/**
 * [RS-10] Round trips: outside edits after which a file was again, under the same name, what it had been before them, as
 * after `git checkout` of another branch and back, or `git stash` and `pop`. What a run wrote is its own, also if it is equal.
 */
import { proofOf } from '../../log/same-version.ts'
import type { EditRow } from '../../store/edits.ts'
import type { Store } from '../../store/open-store.ts'
import type { PathId } from '../../store/paths.ts'

type Log = Store['records']

/**
 * The log without the round trips of each path: the newest edit of each counts as the pointer of a restore
 * (`log/chain.ts`) to the edit before it. `isOwn`: is never part of one.
 */
export function withoutRoundTrips(log: Log, isOwn: (edit: EditRow) => boolean): Log {
  const known = new Map<PathId, ReadonlyMap<number, number>>()
  const returnsOn = (path: PathId): ReadonlyMap<number, number> => {
    const returns = known.get(path) ?? findReturns(path, log, isOwn)
    known.set(path, returns)
    return returns
  }
  return {
    ...log,
    edit: (seq) => {
      const edit = log.edit(seq)
      const base = returnsOn(edit.path).get(seq)
      return base === undefined ? edit : { ...edit, origin: 'restore', base, movedFrom: null }
    }
  }
}

/** Of a path: the newest edit of each round trip and the edit before it, 0 if the initial snapshot is. */
function findReturns(path: PathId, log: Log, isOwn: (edit: EditRow) => boolean): Map<number, number> {
  const returns = new Map<number, number>()
  const edits = log.editsOf(path)
  let states: State[] = []
  const end = (): void => {
    for (const { newest, before } of roundTrips(states, log)) returns.set(newest, before)
    states = []
  }
  for (const edit of edits) {
    // The edit before outside ones counts with them: they may return to what it left.
    states.push({ seq: edit.seq, version: edit.after })
    if (edit.origin !== 'outside' || isOwn(edit)) end()
  }
  const oldest = edits.at(-1)
  if (oldest) states.push({ seq: 0, version: oldest.before })
  end()
  return returns
}

/** What a path was after an edit. */
interface State {
  readonly seq: number
  readonly version: number
}

/** The longest ones from the newest state on: the newest edit of each and the edit before it. */
function* roundTrips(states: readonly State[], log: Log) {
  const proofs = states.map(({ version }) => proofOf(log.version(version)))
  const oldest = new Map(proofs.map((proof, at) => [proof, at]))
  for (let at = 0; at < states.length; at++) {
    const proof = proofs[at]
    const before = proof ? (oldest.get(proof) ?? at) : at
    const [from, to] = [states[at], states[before]]
    if (before > at && from && to) yield { newest: from.seq, before: to.seq }
    at = before
  }
}
