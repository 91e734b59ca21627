/** Shown in a workspace without runs: the detected agents with Connect buttons. */
import type { Workspace } from '../../../contract/workspace.ts'
import { useCommandHub } from '../../commands/hub.tsx'
import { AgentChips } from './agent-chips.tsx'
import { useAgents } from './use-agents.ts'

export function DetectedAgents({ workspace }: { readonly workspace: Workspace | null }) {
  const hub = useCommandHub()
  const { agents } = useAgents(workspace)
  if (!agents) return null
  return (
    <AgentChips
      agents={agents}
      onOpen={(agent) => hub.state().openSettings({ page: 'agents', ...(agent ? { agent } : {}) })}
    />
  )
}
