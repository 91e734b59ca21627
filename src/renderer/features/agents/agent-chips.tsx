/** The agents of this computer in one line: connected, or with a Connect button. */
import { agentStatus } from '../../../contract/words/agent-status.ts'
import { agentIdentity } from '../../../contract/words/agents.ts'
import { plural } from '../../../contract/words/numbers.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { useCommandHub } from '../../commands/hub.tsx'
import { AgentTile } from '../../ui/agent.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { type AgentView, useAgents } from './use-agents.ts'

/** The agents found for a workspace, once they are loaded. */
export function DetectedAgents({ workspace }: { readonly workspace: Workspace | null }) {
  const { agents } = useAgents(workspace)
  return agents ? <AgentChips agents={agents} centered /> : null
}

interface AgentChipsProps {
  readonly agents: readonly AgentView[]
  readonly centered?: boolean
}

export function AgentChips({ agents, centered }: AgentChipsProps) {
  const hub = useCommandHub()
  /** Opens the agent settings; with an id, the connect panel of that agent. */
  const onOpen = (agent?: string) => hub.state().openSettings({ page: 'agents', agent })
  const shown = agents.filter((view) => agentStatus(view) !== 'absent')
  const hidden = agents.length - shown.length
  return (
    <div className="ags" data-centered={centered}>
      {shown.map((view) => (
        <Chip key={view.id} view={view} onOpen={onOpen} />
      ))}
      {shown.length === 0 ? <span className="muted">No agents found on this computer.</span> : null}
      <Button size="sm" onClick={() => onOpen()}>
        {shown.length === 0 ? 'Show supported agents…' : hidden > 0 ? `${plural(hidden, 'other')}…` : 'All agents…'}
      </Button>
    </div>
  )
}

function Chip({ view, onOpen }: { readonly view: AgentView; readonly onOpen: (agent?: string) => void }) {
  const kind = agentStatus(view)
  const { name } = agentIdentity(view.id)
  return (
    <span className="ag">
      <AgentTile agent={view.id} />
      {name}
      {kind === 'connected' ? (
        <span className="c-ok" data-tip="Connected">
          <Icon name="check" label="connected" />
        </span>
      ) : kind === 'found' ? (
        <Button size="sm" aria-label={`Connect ${name}…`} onClick={() => onOpen(view.id)}>
          Connect…
        </Button>
      ) : kind === 'managed' ? (
        <span className="badge">read-only</span>
      ) : (
        <Button
          size="sm"
          className="look"
          aria-label={`${name}: ${STATUS_LABELS[kind]}. Show`}
          onClick={() => onOpen()}
        >
          {STATUS_LABELS[kind]}
        </Button>
      )}
    </span>
  )
}

const STATUS_LABELS: Readonly<Record<string, string>> = {
  silent: 'not reporting',
  untrusted: 'not trusted yet',
  partly: 'partly connected',
  unreadable: 'settings unreadable'
}
