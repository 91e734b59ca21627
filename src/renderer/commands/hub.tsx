/** Collects what commands can do at the moment and turns key presses into commands. */
import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { isTextField } from '../ui/keys.ts'
import { isModalOpen } from '../ui/overlay-root.ts'
import { commandFor, worksInEveryPane, runCommand } from './dispatch.ts'
import type { CommandState, Pane, WorkspaceCommands } from './state.ts'
import { titleOfCommand } from './table.ts'

export interface CommandHub {
  /** The state of this moment; a new object each time. */
  state(): CommandState
  setWorkspace(commands: WorkspaceCommands | null): void
}

const Context = createContext<CommandHub | null>(null)

interface ProviderProps {
  readonly app: Omit<CommandState, 'workspace'>
  readonly letterKeys: boolean
  /** Told when a command could not run. */
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
      // What works in every pane is taken before the diff's editor, which only reads but has chords and an undo of the
      // same names; a pane's own keys after everybody else.
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

/** The pane an element lies in; panes carry `data-pane`. */
function paneOf(target: EventTarget | null): Pane | null {
  const pane = target instanceof Element ? target.closest<HTMLElement>('[data-pane]')?.dataset.pane : undefined
  return pane === 'timeline' || pane === 'files' || pane === 'conversation' || pane === 'diff' ? pane : null
}
