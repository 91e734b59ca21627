/** Second step of the first run: connects an agent of this computer. */

import { agentStatus } from '../../../contract/words/agent-status.ts'
import { agentIdentity } from '../../../contract/words/agents.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { Button } from '../../ui/button.tsx'
import { AgentList } from '../agents/agent-list.tsx'
import type { Agents } from '../agents/use-agents.ts'
import { useAgentActions } from '../agents/use-connect.ts'

interface ConnectStepProps {
  readonly agents: Agents
  readonly workspace: Workspace
  readonly home: string
  readonly onSkip: () => void
}

export function ConnectStep({ agents, workspace, home, onSkip }: ConnectStepProps) {
  const actions = useAgentActions(agents.refetch)
  const shown = (agents.agents ?? []).filter((view) => agentStatus(view) !== 'absent')
  const done = shown.find(({ id, connectedIn }) => {
    const test = actions.tests[id]
    return connectedIn !== null && test !== undefined && test !== 'running' && test.recorded
  })
  return (
    <section aria-label="Connect your agent">
      <h2 className="label">{done ? 'Done' : 'Connect your agent'}</h2>
      <p className="small connect-step" role="status">
        {done
          ? `${agentIdentity(done.id).name} is connected. Its prompts, tool calls and changes appear the next time it works in ${workspace.name}.`
          : 'Each prompt becomes a run that you can review and undo as a whole. The settings change is shown first and can be undone.'}
      </p>
      <AgentList agents={shown} actions={actions} workspace={workspace} home={home} onRefresh={agents.refetch} />
      {done ? null : (
        <p className="connect-step">
          <Button size="sm" kind="ghost" onClick={onSkip}>
            Not now
          </Button>
        </p>
      )}
    </section>
  )
}
