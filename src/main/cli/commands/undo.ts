/** `driftline undo` and `driftline redo`: one restore back, one restore forward again. */
import { ACT_OPTIONS, carryOut } from '../act.ts'
import { command } from '../command.ts'

const FORMS = ['[--dry-run] [--yes] [--plan HASH] [--while-live]']

export const undo = command({
  name: 'undo',
  usage: FORMS,
  summary: 'take back the newest restore not yet undone',
  options: ACT_OPTIONS,
  positionals: [0, 0],
  run: (context, { values }) => carryOut(context, { kind: 'undo' }, values)
})

export const redo = command({
  name: 'redo',
  usage: FORMS,
  summary: 'do again what undo took back',
  options: ACT_OPTIONS,
  positionals: [0, 0],
  run: (context, { values }) => carryOut(context, { kind: 'redo' }, values)
})
