/** What a command is, and how the table describes one: what must hold for it is a list of checks. */
import type { IconName } from '../ui/icon.tsx'
import type { KeyedPane } from './pane-keys.ts'
import type { CommandState } from './state.ts'

/** When keys work. `outside text`: anywhere except in text fields. The others: while that pane has the focus. */
export type When = 'anywhere' | 'outside text' | KeyedPane

export interface Command {
  readonly id: string
  /** A verb phrase; a function if it depends on the selection. */
  readonly title: string | ((state: CommandState) => string)
  readonly icon: IconName
  /** Alternatives; the first one is shown. */
  readonly keys: readonly string[]
  readonly when: When
  /** Whether the palette lists it. */
  readonly palette: boolean
  /** The other host does not have it. */
  readonly onlyIn?: CommandState['host']
  /** Why the command is unavailable, null if it is available. */
  readonly unavailable?: (state: CommandState) => string | null
  readonly run?: (state: CommandState) => void
}

export type Check = (state: CommandState) => string | null

export const inWorkspace: Check = (s) => (s.workspace ? null : 'open a folder first')
export const connected: Check = (s) => s.offline
export const canRestore: Check = (s) => s.workspace?.restoreUnavailable ?? null
export const connectedHere: Check = (s) => s.offlineHere
export const openReview: Check = (s) => (s.workspace?.review() ? null : 'open a changed file first')

/** A row of the table. By default it has no keys, works anywhere and is in the palette. */
export interface CommandRow
  extends Pick<Command, 'id' | 'title' | 'icon' | 'run'>,
    Partial<Pick<Command, 'when' | 'palette' | 'onlyIn'>> {
  readonly keys?: string | readonly string[]
  /** What must hold; the first check that fails gives the reason. */
  readonly needs?: readonly Check[]
}

export function command({ keys = [], needs = [], ...row }: CommandRow): Command {
  return {
    when: 'anywhere',
    palette: true,
    ...row,
    keys: typeof keys === 'string' ? [keys] : keys,
    unavailable: (state) => needs.map((check) => check(state)).find(Boolean) ?? null
  }
}
