/** Tells the command table what it can do on this screen, anew after every render. */
import { useEffect, useLayoutEffect } from 'react'
import { useCommandHub } from '../../commands/hub.tsx'
import type { WorkspaceCommands } from '../../commands/state.ts'

export function useWorkspaceCommands(commands: WorkspaceCommands): void {
  const hub = useCommandHub()
  useLayoutEffect(() => hub.setWorkspace(commands))
  useEffect(() => () => hub.setWorkspace(null), [hub])
}
