/** How many losses stop a run in one folder, by its settings and the number of its files. */
import { SETTINGS } from '../../../contract/settings.ts'
import { countCovered, coverageState } from '../store/coverage.ts'
import type { BrakeContext } from './brake-context.ts'
import { limitOf } from './judge.ts'

/** `context` is used only after this has returned. */
export function createBrakeLimits(context: BrakeContext) {
  const setting = (key: 'brake' | 'brake.files'): string =>
    context.setting(`${key}/${context.workspace.id}`) || context.setting(key) || SETTINGS[key].initial
  const bound = (): number | null => Number(setting('brake.files')) || null
  return {
    isOn: (): boolean => setting('brake') === 'on' && coverageState(context.store) === 'complete',
    /** The number that a person set; null without one. */
    bound,
    /** `lost`: files that the log has no more, but had before. */
    limit: (lost: number): number => limitOf({ files: bound(), covered: countCovered(context) + lost })
  }
}
