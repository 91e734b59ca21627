/** `driftline undo` undoes the newest restore that is not undone; `driftline redo` redoes it. */

import { command } from '../command.ts'
import { planAndApplyResolving, RESOLUTION_OPTIONS, RESOLUTION_USAGE } from '../plan-and-apply.ts'

export const undo = command({
  name: 'undo',
  usage: [RESOLUTION_USAGE],
  summary: 'undo the newest restore that is not undone yet',
  options: RESOLUTION_OPTIONS,
  positionals: [0, 0],
  run: (context, { values }) => planAndApplyResolving(context, { kind: 'undo' }, values)
})

export const redo = command({
  name: 'redo',
  usage: [RESOLUTION_USAGE],
  summary: 'redo what was undone',
  options: RESOLUTION_OPTIONS,
  positionals: [0, 0],
  run: (context, { values }) => planAndApplyResolving(context, { kind: 'redo' }, values)
})
