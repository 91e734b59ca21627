/** The names of positions, as titles of restores have them. They are stored and searched as text. Pure. */
import type { Checkpoint } from '../checkpoint.ts'
import { checkpointLabel } from './checkpoints.ts'
import { plural } from './numbers.ts'
import { clip, quotedTitle } from './text.ts'

export const positionTitle = (seq: number): string => `position ${seq}`

/** The last position at which tests passed. */
export const greenTitle = (command: string): string => `where ${quotedTitle(clip(command, 60))} last passed`

export const NEVER_GREEN =
  'No test has passed here yet, as far as was recorded: a command that runs tests, with its exit code, marks its position.'

/** Of a run or turn. */
export const sideTitle = (title: string, end: boolean): string => `${end ? 'end' : 'start'} of ${quotedTitle(title)}`

/** A run's title as the target of an undo. */
export const runTitle = quotedTitle

/** Of a run that a bundle brought. */
export const receivedTitle = (title: string): string => `the changes of ${quotedTitle(title)}`

export const guardTitle = (restore: string): string => `before the restore to ${restore}`

/** Without a number if it is not known. */
export function beforeDriftTitle(files?: number): string {
  return `before ${files === undefined ? 'the outside changes' : plural(files, 'outside change')}`
}

export function checkpointTargetTitle(checkpoint: Pick<Checkpoint, 'label' | 'reason'>): string {
  const label = checkpointLabel(checkpoint)
  return label === '' ? (REASONS[checkpoint.reason] ?? 'checkpoint') : quotedTitle(label)
}

const REASONS: Readonly<Record<string, string>> = {
  run_start: 'start of a run',
  end_of_turn: 'end of a turn',
  manual: 'a pinned checkpoint',
  pre_restore_guard: 'before a restore'
}
