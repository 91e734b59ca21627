/** The first run: agents are installed, none is connected, and it was not dismissed. Its second step connects one. */
import { useRef, useState } from 'react'
import { agentStatus } from '../../../contract/words/agent-status.ts'
import { agentIdentity } from '../../../contract/words/agents.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import { useQuery } from '../../client/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { AgentList } from '../agents/agent-list.tsx'
import type { Agents } from '../agents/use-agents.ts'
import { useAgentActions } from '../agents/use-connect.ts'

const DONE = 'ui.first-run'

/** Whether the first run is active; once started, it stays active until it ends. `begun`: a folder is being added. */
export function useFirstRun({ agents }: Agents, begun: boolean) {
  const { client } = useDriftline()
  const settings = useQuery('settings.get', {})
  const [ended, setEnded] = useState(false)
  const started = useRef(false)
  const fresh =
    settings.data !== null &&
    settings.data.values[DONE] !== 'done' &&
    agents?.some((view) => agentStatus(view) === 'found') &&
    agents.every(({ connectedIn }) => connectedIn === null)
  if (begun && fresh) started.current = true
  return {
    on: !ended && (fresh || started.current),
    /** Ends the first run for good. */
    end: () => {
      setEnded(true)
      client.call('settings.set', { key: DONE, value: 'done' }).catch(() => {
        // Disconnected: the first run shows again another time.
      })
    }
  }
}

interface ConnectStepProps {
  readonly agents: Agents
  readonly workspace: Workspace
  readonly onSkip: () => void
}

export function ConnectStep({ agents, workspace, onSkip }: ConnectStepProps) {
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
      <AgentList agents={shown} actions={actions} workspace={workspace} onRefresh={agents.refetch} />
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
