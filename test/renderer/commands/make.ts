/** The state commands are asked in, for tests: only what a test is about has to be said. */
import type { CommandState } from '../../../src/renderer/commands/state.ts'

export function commandState(more: Partial<CommandState> = {}): CommandState {
  return {
    host: 'browser',
    connected: true,
    workspace: null,
    openPalette: () => {},
    openFolder: () => {},
    openSettings: () => {},
    openHelp: () => {},
    setTheme: () => {},
    goHome: () => {},
    ...more
  }
}
