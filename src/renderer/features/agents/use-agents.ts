/**
 * Status of the agents in user settings and project settings. The files belong to the agents and may change at any
 * time, unreported: they are read again whenever the window gets the focus.
 */
import { useCallback, useEffect } from 'react'
import type { AgentState } from '../../../contract/agents.ts'
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

export type Agents = ReturnType<typeof useAgents>

/** `agents`: null while loading. */
export function useAgents(workspace: Workspace | null) {
  const user = useQuery('agents.list', {})
  const project = useQuery('agents.list', workspace ? { project: workspace.root } : null)
  const { refetch: refetchUser } = user
  const { refetch: refetchProject } = project
  const refetch = useCallback(() => {
    refetchUser()
    refetchProject()
  }, [refetchUser, refetchProject])
  useEffect(() => {
    // Settings may be edited in another application while this window is in the background.
    window.addEventListener('focus', refetch)
    return () => window.removeEventListener('focus', refetch)
  }, [refetch])

  const loaded = user.data && (!workspace || project.data)
  return {
    agents: loaded ? viewsOf(user.data.agents, project.data?.agents ?? null) : null,
    error: user.error ?? project.error,
    refetch
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
