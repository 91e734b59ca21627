/** A command state for tests with defaults. */
import type { CommandState } from '../../../src/renderer/commands/state.ts'

export function commandState(more: Partial<CommandState> = {}): CommandState {
  return {
    host: 'browser',
    offline: null,
    offlineHere: null,
    workspace: null,
    openPalette: () => {},
    openFolder: () => {},
    openWindow: () => {},
    openSettings: () => {},
    openHelp: () => {},
    setTheme: () => {},
    goHome: () => {},
    showToday: () => {},
    ...more
  }
}
