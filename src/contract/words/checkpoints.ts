/** The words of checkpoints: why each was made, what it is called, and why it is not available. Pure. */
import type { Checkpoint, CheckpointCause, CheckpointReason } from '../checkpoint.ts'
import { driftTitle } from './drift.ts'
import { plural } from './numbers.ts'

export const CHECKPOINT_REASONS: Readonly<Record<CheckpointReason, string>> = {
  run_start: 'Before a run',
  pre_write: 'Before a turn',
  end_of_turn: 'After a turn',
  compact: 'Before the agent compacted its context',
  plan_mode: 'When plan mode changed',
  manual: 'Pinned by you',
  pre_restore_guard: 'Before a restore',
  pre_run_drift: 'Outside changes before a run',
  run_stopped: 'Where a run was stopped'
}

/** A checkpoint by its label, or by the reason it was created. */
export function checkpointTitle(checkpoint: Pick<Checkpoint, 'label' | 'reason'>): string {
  return checkpointLabel(checkpoint) || CHECKPOINT_REASONS[checkpoint.reason]
}

const PLAN_MODE: Readonly<Record<string, string>> = { entered: 'plan mode entered', left: 'plan mode left' }

/** The label in words; "" without one. Earlier versions of Driftline stored words for automatic checkpoints, too. */
export function checkpointLabel({ label, reason }: Pick<Checkpoint, 'label' | 'reason'>): string {
  if (reason === 'plan_mode') return PLAN_MODE[label] ?? label
  if (reason === 'run_stopped') return `stopped after it deleted ${plural(Number(label), 'file')}`
  return reason === 'pre_run_drift' && /^\d+$/.test(label) ? driftTitle(Number(label)) : label
}

/** Why it is not available, without capital and full stop; "" while it is. */
export function checkpointCauseText(cause: CheckpointCause | null): string {
  switch (cause?.code) {
    case undefined:
      return ''
    case 'restored':
      return `left behind by the restore ${cause.restore}`
    case 'pruned':
      return 'part of its content was deleted: over the history limits, or on the exclude list'
    case 'broken':
      return `the stored content of ${cause.path} is damaged`
  }
}
