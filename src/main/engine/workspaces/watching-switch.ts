/** Whether this process watches the recorded folders, and the sentences for when it does not. */
import { DriftlineError } from '../../../contract/errors.ts'
import type { WatchMode } from '../../../contract/workspace.ts'

export interface WatchingSwitch {
  now(): WatchMode
  /** Throws Refused in a process that never watches. */
  set(to: 'on' | 'paused'): void
}

export function createWatchingSwitch(start: { readonly watch: boolean; readonly safeMode?: boolean }): WatchingSwitch {
  let state: WatchMode = start.watch ? (start.safeMode ? 'safe-mode' : 'on') : 'off'
  return {
    now: () => state,
    set: (to) => {
      if (state === 'off')
        throw new DriftlineError('Refused', 'The app is not open, so recording cannot be paused or resumed.', {})
      state = to
    }
  }
}

/** Why a folder is not watched. */
export const UNWATCHED: Readonly<Record<Exclude<WatchMode, 'on'>, string>> = {
  off: 'The app is not open. Changes are found at the next check.',
  paused:
    'Paused. Changes made meanwhile are found when recording resumes. Runs of connected agents are still recorded.',
  'safe-mode':
    'Safe mode, because Driftline ended unexpectedly several times. Changes are found at the next check, not as they happen.'
}
