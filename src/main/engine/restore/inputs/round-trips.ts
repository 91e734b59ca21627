/**
 * [RS-10] Round trips: outside edits after which a file was again, under the same name, what it had been before them, as
 * after `git checkout` of another branch and back, or `git stash` and `pop`. What a run wrote is its own, also if it is equal.
 */
import { walkChain } from '../../log/chain.ts'
import { proofOf } from '../../log/same-version.ts'
import type { EditRow } from '../../store/edits.ts'
import type { Store } from '../../store/open-store.ts'

type Log = Store['records']

interface Step {
  readonly edit: EditRow
  /** As of ChainStep. */
  readonly omitted: boolean
}

/**
 * The log without the round trips on the chain of `head`: the newest edit of each counts as the pointer of a restore
 * (`log/chain.ts`) to the edit before it. `isOwn`: is never part of one.
 */
export function withoutRoundTrips(head: number, log: Log, isOwn: (edit: EditRow) => boolean): Log {
  const returns = new Map<number, number>()
  let steps: Step[] = []
  const end = (): void => {
    for (const { newest, before } of roundTrips(steps, log)) returns.set(newest, before)
    steps = []
  }
  for (const step of walkChain(head, log)) {
    // The edit before outside ones counts with them: they may return to what it left.
    steps.push(step)
    if (step.edit.origin !== 'outside' || isOwn(step.edit) || step.omitted) end()
  }
  end()
  return {
    ...log,
    edit: (seq) => {
      const [edit, base] = [log.edit(seq), returns.get(seq)]
      return base === undefined ? edit : { ...edit, origin: 'restore', base, movedFrom: null }
    }
  }
}

/** The longest ones from the newest step on: the newest edit of each and the edit before it, by `seq`. */
function* roundTrips(steps: readonly Step[], log: Log) {
  const states = steps.map(({ edit, omitted }) => {
    const proof = omitted ? null : proofOf(log.version(edit.after))
    return proof && `${edit.path} ${proof}`
  })
  const oldest = new Map(states.map((state, at) => [state, at]))
  for (let at = 0; at < steps.length; at++) {
    const state = states[at]
    const before = state ? (oldest.get(state) ?? at) : at
    const [from, to] = [steps[at], steps[before]]
    if (before > at && from && to) yield { newest: from.edit.seq, before: to.edit.seq }
    at = before
  }
}
