/** The second half of a first run: an agent of this computer is connected, here and at once. */
import type { Workspace } from '../../../contract/workspace.ts'
import { agentLook } from '../../ui/agent.tsx'
import { Button } from '../../ui/button.tsx'
import { AgentList } from '../agents/agent-list.tsx'
import { agentKind } from '../agents/agent-words.ts'
import type { Agents } from '../agents/use-agents.ts'
import { useAgentActs } from '../agents/use-connect.ts'

interface ConnectStepProps {
  readonly agents: Agents
  readonly workspace: Workspace
  readonly home: string
  readonly onSkip: () => void
}

export function ConnectStep({ agents, workspace, home, onSkip }: ConnectStepProps) {
  const acts = useAgentActs(agents.refetch)
  const shown = (agents.agents ?? []).filter((view) => agentKind(view) !== 'absent')
  const done = shown.find(({ id, connectedIn }) => {
    const test = acts.tests[id]
    return connectedIn !== null && test !== undefined && test !== 'running' && test.recorded
  })
  return (
    <section aria-label="Connect your agent">
      <h2 className="label">{done ? 'Done' : 'Connect your agent'}</h2>
      <p className="small connect-step" role="status">
        {done
          ? `${agentLook(done.id).name} is connected: the next time it works in ${workspace.name}, its prompts, tool calls and changes show up by themselves.`
          : 'Each prompt becomes a run that can be reviewed and taken back as one. The change to its settings is shown first, and can be taken back, too.'}
      </p>
      <AgentList agents={shown} acts={acts} workspace={workspace} home={home} onLookAgain={agents.refetch} />
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
