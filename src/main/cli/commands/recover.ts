/** `driftline recover`: finishes or undoes an interrupted restore. */
import { DriftlineError } from '../../../contract/errors.ts'
import { command } from '../command.ts'
import { planAndApplyResolving, RESOLUTION_OPTIONS, RESOLUTION_USAGE } from '../plan-and-apply.ts'

export const recover = command({
  name: 'recover',
  usage: [`finish|undo ${RESOLUTION_USAGE}`],
  summary: 'finish or undo an interrupted restore',
  options: RESOLUTION_OPTIONS,
  positionals: [1, 1],
  run: (context, { values, positionals }) => {
    const how = positionals[0]
    if (how !== 'finish' && how !== 'undo') {
      throw new DriftlineError('Usage', `\`driftline recover\` takes finish or undo, not "${how}".`)
    }
    return planAndApplyResolving(context, { kind: 'recover', how }, values)
  }
})
