/** Facts of putting outside changes back. */

import { DriftlineError } from '../../../../contract/errors.ts'
import type { Act, Choices } from '../../../../contract/restore.ts'
import { findDrift } from '../../drift/drifts.ts'
import type { Store } from '../../store/open-store.ts'
import { type ActFacts, neutralFacts } from './act-facts.ts'
import { isWhole } from './selection.ts'
import { takeBack } from './take-back.ts'

export function driftFacts(store: Store, act: Act & { kind: 'drift' }, choices: Choices): ActFacts {
  const drift = findDrift(store, act.drift)
  if (!drift)
    throw new DriftlineError('UnknownTarget', `There is no outside change "${act.drift}".`, { target: act.drift })
  const edits = (store.db.prepare('SELECT seq FROM edit WHERE drift = ?').all(drift.id) as { seq: number }[]).map(
    (one) => store.records.edit(one.seq)
  )
  return {
    ...neutralFacts(store, choices),
    paths: takeBack(store, edits, {
      selection: act,
      reason: 'changed again by somebody else'
    }),
    title: `before ${drift.count === 1 ? '1 outside change' : `${drift.count} outside changes`}`,
    target: drift.id,
    targetAt: drift.foundAt,
    whole: isWhole(act)
  }
}
