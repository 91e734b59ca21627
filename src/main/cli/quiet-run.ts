/**
 * Live runs whose agent has not reported anything for a while. The agent may be thinking, or it was stopped without a
 * hook event: Qwen Code sends none when a person presses Esc before it answered.
 */
import type { ActiveRun } from '../../contract/status.ts'
import { formatTime } from '../../contract/words/times.ts'

/** Shorter pauses are normal while a model thinks. */
const QUIET_MS = 60_000

/** Since when the run is quiet and how it ends; '' when it is not quiet. */
export function describeQuietRun({ quietSince }: ActiveRun, now = Date.now()): string {
  if (quietSince === null || now - quietSince < QUIET_MS) return ''
  return `No events from its agent since ${formatTime(quietSince, now)}, and no tool is running. If the agent was stopped, its next prompt ends this run; so does closing the agent.`
}
