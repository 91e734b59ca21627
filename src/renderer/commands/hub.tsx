/**
 * Holds the current command state and turns key presses into commands.
 * The state is read when a key is pressed and never rendered, so a change of what commands can do renders nothing. Keys
 * are listened for at the window, twice: those that work in every pane before the panes, the panes' own after them.
 */
import { createContext, type ReactNode, useContext, useLayoutEffect, useRef, useState } from 'react'
import { isModalOpen } from '../ui/dialog.tsx'
import { isTextField } from '../ui/keys.ts'
import type { Command } from './command.ts'
import { commandFor, runCommand, worksInEveryPane } from './dispatch.ts'
import type { CommandState, Pane, WorkspaceCommands } from './state.ts'
import { titleOfCommand } from './table.ts'

interface CommandHub {
  /** The current state; a new object at each call. */
  state(): CommandState
  setWorkspace(commands: WorkspaceCommands | null): void
  /** Runs a command, or reports why it is unavailable. */
  run(command: Command): void
}

const Context = createContext<CommandHub | null>(null)

interface ProviderProps {
  readonly app: Omit<CommandState, 'workspace'>
  readonly letterKeys: boolean
  /** Called when a command is unavailable. */
  readonly onUnavailable: (title: string, reason: string) => void
  readonly children: ReactNode
}

export function CommandProvider({ app, letterKeys, onUnavailable, children }: ProviderProps) {
  const latest = useRef({ app, letterKeys, onUnavailable })
  useLayoutEffect(() => {
    latest.current = { app, letterKeys, onUnavailable }
  })
  const workspace = useRef<WorkspaceCommands | null>(null)
  const [hub] = useState<CommandHub>(() => ({
    state: () => ({ ...latest.current.app, workspace: workspace.current }),
    setWorkspace: (commands) => {
      workspace.current = commands
    },
    run: (command) => {
      const state = hub.state()
      const reason = runCommand(command, state)
      if (reason) latest.current.onUnavailable(titleOfCommand(command, state), reason)
    }
  }))

  // Before the first paint: whoever sees the page can use its keys.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent, capture: boolean) => {
      if (event.defaultPrevented || event.isComposing) return
      const command = commandFor(event, {
        inText: isTextField(event.target),
        pane: paneOf(event.target),
        inDialog: isModalOpen(),
        letterKeys: latest.current.letterKeys
      })
      // Keys that work in every pane are handled before the diff editor, which has its own chords and undo. Keys of a
      // pane are handled last.
      if (!command || worksInEveryPane(command) !== capture) return
      event.preventDefault()
      event.stopPropagation()
      hub.run(command)
    }
    const listening = new AbortController()
    const { signal } = listening
    window.addEventListener('keydown', (event) => press(event, true), { capture: true, signal })
    window.addEventListener('keydown', (event) => press(event, false), { signal })
    return () => listening.abort()
  }, [hub])

  return <Context value={hub}>{children}</Context>
}

export function useCommandHub(): CommandHub {
  const hub = useContext(Context)
  if (!hub) throw new Error('useCommandHub needs a CommandProvider above it')
  return hub
}

/** The pane that contains an element; panes have `data-pane`. */
function paneOf(target: EventTarget | null): Pane | null {
  const pane = target instanceof Element ? target.closest<HTMLElement>('[data-pane]')?.dataset.pane : undefined
  return pane === 'timeline' || pane === 'files' || pane === 'conversation' || pane === 'diff' ? pane : null
}
