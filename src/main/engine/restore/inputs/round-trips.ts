/**
 * [RS-10] Round trips: outside edits after which a file was again, under the same name, what it had been before them, as
 * after `git checkout` of another branch and back, or `git stash` and `pop`. What a run wrote is its own, also if it is equal.
 */
import { walkChain } from '../../log/chain.ts'
import { isProvablySame } from '../../log/same-version.ts'
import type { EditRow } from '../../store/edits.ts'
import type { Store } from '../../store/open-store.ts'

type Log = Store['records']

/**
 * The log without the round trips on the chain of `head`: the newest edit of each counts as the pointer of a restore
 * (`log/chain.ts`) to the edit before it. `isOwn`: is never part of one.
 */
export function withoutRoundTrips(head: number, log: Log, isOwn: (edit: EditRow) => boolean): Log {
  const chain = [...walkChain(head, log)]
  const returns = new Map<number, number>()
  for (let at = 0; at < chain.length; ) {
    const length = tripFrom(chain.slice(at), log, isOwn)
    const [newest, before] = [chain[at], chain[at + length]]
    if (newest && before && length > 0) returns.set(newest.edit.seq, before.edit.seq)
    at += length + 1
  }
  return {
    ...log,
    edit: (seq) => {
      const [edit, base] = [log.edit(seq), returns.get(seq)]
      return base === undefined ? edit : { ...edit, origin: 'restore', base, movedFrom: null }
    }
  }
}

/** How many of the first steps are one round trip, the longest; 0 if there is none. */
function tripFrom(
  steps: readonly { readonly edit: EditRow; readonly omitted: boolean }[],
  log: Log,
  isOwn: (edit: EditRow) => boolean
): number {
  const [first] = steps
  if (!first) return 0
  const end = steps.findIndex(({ edit, omitted }) => edit.origin !== 'outside' || isOwn(edit) || omitted)
  const reach = end === -1 ? steps.length - 1 : end
  const isSame = ({ path, after }: EditRow): boolean =>
    path === first.edit.path && isProvablySame(log.version(after), log.version(first.edit.after))
  for (let length = reach; length > 0; length--) {
    const before = steps[length]
    if (before && !before.omitted && isSame(before.edit)) return length
  }
  return 0
}
