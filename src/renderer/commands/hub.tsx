/** Holds the current command state and turns key presses into commands. */
import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { isTextField } from '../ui/keys.ts'
import { isModalOpen } from '../ui/open-dialogs.ts'
import { commandFor, runCommand, worksInEveryPane } from './dispatch.ts'
import type { CommandState, Pane, WorkspaceCommands } from './state.ts'
import { titleOfCommand } from './table.ts'

export interface CommandHub {
  /** The current state; a new object at each call. */
  state(): CommandState
  setWorkspace(commands: WorkspaceCommands | null): void
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
    }
  }))

  useEffect(() => {
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
      const state = hub.state()
      const reason = runCommand(command, state)
      if (reason) latest.current.onUnavailable(titleOfCommand(command, state), reason)
    }
    const early = (event: KeyboardEvent) => press(event, true)
    const late = (event: KeyboardEvent) => press(event, false)
    window.addEventListener('keydown', early, true)
    window.addEventListener('keydown', late)
    return () => {
      window.removeEventListener('keydown', early, true)
      window.removeEventListener('keydown', late)
    }
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
