/** How the agents stand, for the person and for the open folder; looked at again whenever the window comes to the front. */
import { useEffect } from 'react'
import type { AgentState } from '../../../contract/agents.ts'
import type { ErrorShape } from '../../../contract/errors.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { useQuery } from '../../client/use-query.ts'

export type AgentScope = 'user' | 'project'

export interface AgentView {
  readonly id: string
  /** Where our entries are; null when nowhere. */
  readonly connectedIn: AgentScope | null
  /** The state that matters: of where it is connected, else for all projects. */
  readonly state: AgentState
  readonly states: Readonly<Record<AgentScope, AgentState | null>>
}

export interface Agents {
  /** null while nothing is known yet. */
  readonly agents: readonly AgentView[] | null
  readonly error: ErrorShape | null
  readonly refetch: () => void
}

export function useAgents(workspace: Workspace | null): Agents {
  const options = { workspace: workspace?.id ?? null, on: ['runs', 'status'] } as const
  const user = useQuery('agents.list', {}, options)
  const project = useQuery('agents.list', workspace ? { project: workspace.root } : null, options)
  const refetchUser = user.refetch
  const refetchProject = project.refetch

  useEffect(() => {
    const again = () => {
      refetchUser()
      refetchProject()
    }
    // Settings are edited in other windows; what was shown may be old when this one comes back.
    window.addEventListener('focus', again)
    return () => window.removeEventListener('focus', again)
  }, [refetchUser, refetchProject])

  const known = user.data && (!workspace || project.data)
  return {
    agents: known ? viewsOf(user.data.agents, project.data?.agents ?? null) : null,
    error: user.error ?? project.error,
    refetch: () => {
      refetchUser()
      refetchProject()
    }
  }
}

/** Pairs what is so for all projects with what is so in this one. */
export function viewsOf(user: readonly AgentState[], project: readonly AgentState[] | null): AgentView[] {
  return user.map((everywhere) => {
    const here = project?.find(({ id }) => id === everywhere.id) ?? null
    const connectedIn = everywhere.connected !== 'no' ? 'user' : here && here.connected !== 'no' ? 'project' : null
    return {
      id: everywhere.id,
      connectedIn,
      state: connectedIn === 'project' && here ? here : everywhere,
      states: { user: everywhere, project: here }
    }
  })
}
