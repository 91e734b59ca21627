/** A live run whose agent tells nothing: it may think, or it was stopped and nobody was told (Esc in Qwen Code before it answered). */
import type { WorkspaceStatus } from '../../contract/status.ts'
import { when } from './words.ts'

/** Shorter silences are everyday, ms. */
const SILENT_MS = 60_000

/** Since when, and what ends the run; '' while it is not silent. */
export function silentWords({ quietSince }: WorkspaceStatus['activeRuns'][number], now: number): string {
  if (quietSince === null || now - quietSince < SILENT_MS) return ''
  return `Its agent has told nothing since ${when(quietSince, now)} and has no tool at work. If it was stopped, its next prompt ends the run, and so does closing it.`
}
