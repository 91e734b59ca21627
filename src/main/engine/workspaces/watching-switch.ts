/** Whether this process watches the recorded folders, and the sentence for when it does not. */

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
        throw new DriftlineError('Refused', 'No app is open here, so there is no watching to start or stop.', {})
      state = to
    }
  }
}

/** Why a folder is not watched. */
export const UNWATCHED: Readonly<Record<Exclude<WatchMode, 'on'>, string>> = {
  off: 'No app is open; changes are found when the folder is next looked at.',
  paused:
    'Paused. What changes meanwhile is found when recording goes on; runs of connected agents are still recorded.',
  'safe-mode':
    'Safe mode, because Driftline ended unexpectedly several times. Changes are found at the next check, not as they happen.'
}
