/** `driftline undo` and `driftline redo`: one restore back, one restore forward again. */
import { carryOutStep, STEP_OPTIONS, STEP_USAGE } from '../act.ts'
import { command } from '../command.ts'

export const undo = command({
  name: 'undo',
  usage: [STEP_USAGE],
  summary: 'take back the newest restore not yet undone',
  options: STEP_OPTIONS,
  positionals: [0, 0],
  run: (context, { values }) => carryOutStep(context, { kind: 'undo' }, values)
})

export const redo = command({
  name: 'redo',
  usage: [STEP_USAGE],
  summary: 'do again what undo took back',
  options: STEP_OPTIONS,
  positionals: [0, 0],
  run: (context, { values }) => carryOutStep(context, { kind: 'redo' }, values)
})
