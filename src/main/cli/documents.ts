/** The `--json` documents that differ from the engine's answers: plan, result, item, conflict. Their keys are stable. */

import type { ErrorShape } from '../../contract/errors.ts'
import type { Conflict, PlanItem, RestorePlan, RestoreResult } from '../../contract/restore.ts'
import { conflictReason, noteText, obstacleText, outcomeReason, warningText } from '../../contract/words/plan.ts'

export interface ItemDocument {
  readonly path: string
  readonly action: PlanItem['action']
  readonly note?: string
}

export interface ConflictDocument {
  readonly path: string
  readonly reason: string
  /** `run` is a run's id or "outside". */
  readonly by: readonly { readonly run: string; readonly at: number }[]
  readonly choices: readonly string[]
  readonly choice: string
  readonly mergeable: boolean
}

export interface PlanDocument {
  readonly plan: string
  readonly act: RestorePlan['act']
  readonly target: string
  readonly title: string
  readonly items: readonly ItemDocument[]
  readonly conflicts: readonly ConflictDocument[]
  readonly warnings: readonly string[]
  readonly unchanged: number
  readonly live: RestorePlan['live']
  readonly mode: RestorePlan['mode']
  readonly modes: readonly object[]
  readonly conversation: object | null
}

export function planDocument(plan: RestorePlan): PlanDocument {
  return {
    plan: plan.plan,
    act: plan.act,
    target: plan.target,
    title: plan.title,
    items: plan.items.map(itemDocument),
    conflicts: plan.conflicts.map(conflictDocument),
    warnings: plan.warnings.map(warningText),
    unchanged: plan.unchanged,
    live: plan.live,
    mode: plan.mode,
    modes: plan.modes.map((mode) => ({ ...mode, why: obstacleText(mode.why) })),
    conversation: plan.conversation && { ...plan.conversation, why: obstacleText(plan.conversation.why) }
  }
}

/** A refusal before anything was written: the current plan with the keys of a result, and the reason. */
export function refusedDocument(plan: RestorePlan, refusal: string, error: ErrorShape | null): object {
  return {
    ...planDocument(plan),
    restore: '',
    state: 'refused',
    guard: '',
    refusal,
    ...(error ? { error: { code: error.code, message: error.message, data: {} } } : {})
  }
}

export function resultDocument(result: RestoreResult): object {
  return {
    restore: result.restore,
    state: result.state,
    guard: result.guard,
    items: result.items.map((item) => {
      const reason = outcomeReason(item)
      return { ...itemDocument(item), result: item.result, ...(reason ? { reason } : {}) }
    }),
    conflicts: result.conflicts.map(conflictDocument),
    warnings: result.warnings.map(warningText),
    ...(result.conversation ? { conversation: result.conversation } : {}),
    ...(result.refusal ? { refusal: result.refusal } : {})
  }
}

function itemDocument({ path, action, note }: PlanItem): ItemDocument {
  return { path, action, ...(note ? { note: noteText(note) } : {}) }
}

function conflictDocument(conflict: Conflict): ConflictDocument {
  return {
    path: conflict.path,
    reason: conflictReason(conflict),
    by: conflict.by.map(({ who, at }) => ({ run: who, at })),
    choices: conflict.choices,
    choice: conflict.choice,
    mergeable: conflict.mergeable
  }
}
