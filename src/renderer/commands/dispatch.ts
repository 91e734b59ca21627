/**
 * Finds the command of a key press. Pure.
 * Invariant: the table is the only source of keys. A key whose command is unavailable is still used up, and the reason
 * is shown, because a key that silently does something else is worse.
 */
import { type KeyPress, matchesKeys } from '../ui/keys.ts'
import type { Command } from './command.ts'
import { isLetterKey } from './pane-keys.ts'
import type { CommandState, Pane } from './state.ts'
import { COMMANDS } from './table.ts'

export interface KeyContext {
  /** Whether typed keys are text. */
  readonly inText: boolean
  /** The pane that has focus. */
  readonly pane: Pane | null
  /** Whether a dialog is open: only its own keys work then. */
  readonly inDialog: boolean
  /** Whether single letters are on: WCAG 2.1.4 requires a switch. */
  readonly letterKeys: boolean
}

/** The command that the press runs in this context, null if none does. An unavailable command is still returned. */
export function commandFor(event: KeyPress, context: KeyContext, mac?: boolean): Command | null {
  if (context.inDialog) return null
  for (const command of COMMANDS) {
    if (!command.run || !worksIn(command, context)) continue
    for (const keys of command.keys) {
      if (isLetterKey(keys) && !context.letterKeys) continue
      if (matchesKeys(keys, event, mac)) return command
    }
  }
  return null
}

/** Whether a key pressed in a pane runs a command, so that a list there does not take it as text. */
export function isCommandKey(event: KeyPress, pane: Pane): boolean {
  return commandFor(event, { inText: false, pane, inDialog: false, letterKeys: true }) !== null
}

/** Runs a command. Returns null, or the reason why it is unavailable. */
export function runCommand(command: Command, state: CommandState): string | null {
  const reason = command.unavailable?.(state) ?? null
  if (reason === null) command.run?.(state)
  return reason
}

function worksIn(command: Command, context: KeyContext): boolean {
  switch (command.when) {
    case 'anywhere':
      return true
    case 'outside text':
      return !context.inText
    case 'dialogs':
    case 'replay':
      return false
    default:
      return context.pane === command.when && !context.inText
  }
}

/** Whether a command works in every pane, not only in its own. */
export function worksInEveryPane({ when }: Command): boolean {
  return when === 'anywhere' || when === 'outside text'
}
