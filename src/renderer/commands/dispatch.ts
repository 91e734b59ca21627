/** Which command a key press means. */
import { type KeyPress, matchesKeys } from '../ui/keys.ts'
import type { CommandState, Pane } from './state.ts'
import { COMMANDS, type Command } from './table.ts'

export interface KeyContext {
  /** Keys typed there are text. */
  readonly inText: boolean
  /** The pane that has focus. */
  readonly pane: Pane | null
  /** A dialog is open: only its own keys work. */
  readonly inDialog: boolean
  /** Single letters may be switched off (WCAG 2.1.4). */
  readonly letterKeys: boolean
}

/** The command of this table that the press runs at this place, or null. An unavailable command is still returned. */
export function commandFor(event: KeyPress, where: KeyContext, mac?: boolean): Command | null {
  if (where.inDialog) return null
  for (const command of COMMANDS) {
    if (!command.run || !worksAt(command, where)) continue
    for (const keys of command.keys) {
      if (isLetterKey(keys) && !where.letterKeys) continue
      if (matchesKeys(keys, event, mac)) return command
    }
  }
  return null
}

/** Runs it, or says why not. Returns the reason, null when it ran. */
export function runCommand(command: Command, state: CommandState): string | null {
  const reason = command.unavailable?.(state) ?? null
  if (reason === null) command.run?.(state)
  return reason
}

function worksAt(command: Command, where: KeyContext): boolean {
  switch (command.area) {
    case 'anywhere':
      return true
    case 'outside text':
      return !where.inText
    case 'dialogs':
      return false
    default:
      return where.pane === command.area && !where.inText
  }
}

/** True for the commands no pane has for itself. */
export function worksInEveryPane({ area }: Command): boolean {
  return area === 'anywhere' || area === 'outside text'
}

/** A lone character, which speech input may type by accident. */
export function isLetterKey(keys: string): boolean {
  return keys.length === 1
}
