/** Facts of undoing a run or a turn: its own Edits go back, and those that several runs may have made stay (GW-4). */

import { DriftlineError } from '../../../../contract/errors.ts'
import type { Act, Choice, Choices } from '../../../../contract/restore.ts'
import { editsOfRun, findRun } from '../../sessions/runs.ts'
import type { Store } from '../../store/open-store.ts'
import { resolveTarget } from '../../store/targets.ts'
import { type ActFacts, neutralFacts } from './act-facts.ts'
import { isWhole } from './selection.ts'
import { takeBack } from './take-back.ts'

export function undoRunFacts(store: Store, act: Act & { kind: 'undo-run' }, choices: Choices): ActFacts {
  const target = resolveTarget(store, act.run)
  if (!target.run)
    throw new DriftlineError('UnknownTarget', `"${act.run}" is not a run or a turn.`, { target: act.run })
  const run = findRun(store, target.run)
  const edits = editsOfRun(store, target.run, target.turn ?? undefined).map(store.records.edit)
  // Edits that several runs may have made are foreign to each of them (GW-4).
  const own = edits.filter((edit) => edit.attribution !== 'shared')
  const defaultChoice: Choice = act.onConflict === 'replace' || act.onConflict === 'merge' ? act.onConflict : 'keep'
  return {
    ...neutralFacts(store, choices),
    paths: takeBack(store, own, {
      selection: act,
      reason: 'changed by somebody else after this run',
      shown: edits
    }),
    defaultChoice,
    title: `"${run?.title ?? target.run}"`,
    target: target.run,
    targetAt: run?.started_at ?? null,
    whole: isWhole(act),
    warnings:
      own.length < edits.length
        ? ['Some files were changed while several runs were open; those changes are not taken back.']
        : []
  }
}
