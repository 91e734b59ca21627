/** `driftline recover`: finishes or takes back a restore that was interrupted. */
import { DriftlineError } from '../../../contract/errors.ts'
import { carryOutStep, STEP_OPTIONS, STEP_USAGE } from '../act.ts'
import { command } from '../command.ts'

export const recover = command({
  name: 'recover',
  usage: [`finish|undo ${STEP_USAGE}`],
  summary: 'finish an interrupted restore, or take back what it wrote',
  options: STEP_OPTIONS,
  positionals: [1, 1],
  run: (context, { values, positionals }) => {
    const how = positionals[0]
    if (how !== 'finish' && how !== 'undo') {
      throw new DriftlineError('Usage', `\`driftline recover\` takes finish or undo, not "${how}".`)
    }
    return carryOutStep(context, { kind: 'recover', how }, values)
  }
})
