/** Status of the agents in user settings and project settings. Reloaded when the window gets the focus. */
import { useEffect } from 'react'
import type { AgentState } from '../../../contract/agents.ts'
import type { ErrorShape } from '../../../contract/errors.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { useQuery } from '../../client/use-query.ts'

export type AgentScope = 'user' | 'project'

export interface AgentView {
  readonly id: string
  /** Scope that contains Driftline's entries, null if none does. */
  readonly connectedIn: AgentScope | null
  /** State in the connected scope, else in the user scope. */
  readonly state: AgentState
  readonly states: Readonly<Record<AgentScope, AgentState | null>>
}

export interface Agents {
  /** null while loading. */
  readonly agents: readonly AgentView[] | null
  readonly error: ErrorShape | null
  readonly refetch: () => void
}

export function useAgents(workspace: Workspace | null): Agents {
  const user = useQuery('agents.list', {})
  const project = useQuery('agents.list', workspace ? { project: workspace.root } : null)
  const refetchUser = user.refetch
  const refetchProject = project.refetch

  useEffect(() => {
    const reload = () => {
      refetchUser()
      refetchProject()
    }
    // Settings may be edited in another application while this window is in the background.
    window.addEventListener('focus', reload)
    return () => window.removeEventListener('focus', reload)
  }, [refetchUser, refetchProject])

  const loaded = user.data && (!workspace || project.data)
  return {
    agents: loaded ? viewsOf(user.data.agents, project.data?.agents ?? null) : null,
    error: user.error ?? project.error,
    refetch: () => {
      refetchUser()
      refetchProject()
    }
  }
}

/** Pairs the states of both scopes. User settings take precedence. */
export function viewsOf(user: readonly AgentState[], project: readonly AgentState[] | null): AgentView[] {
  return user.map((inUser) => {
    const inProject = project?.find(({ id }) => id === inUser.id) ?? null
    const connectedIn =
      inUser.connected !== 'no' ? 'user' : inProject && inProject.connected !== 'no' ? 'project' : null
    return {
      id: inUser.id,
      connectedIn,
      state: connectedIn === 'project' && inProject ? inProject : inUser,
      states: { user: inUser, project: inProject }
    }
  })
}
