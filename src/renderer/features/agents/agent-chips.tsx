/** The agents of this computer in one line: connected, or with a Connect button. */

import { agentStatus } from '../../../contract/words/agent-status.ts'
import { agentIdentity } from '../../../contract/words/agents.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { AgentTile } from '../../ui/agent.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { AgentView } from './use-agents.ts'

interface AgentChipsProps {
  readonly agents: readonly AgentView[]
  /** Opens the agent settings; with an id, the connect panel of that agent. */
  readonly onOpen: (agent: string | null) => void
}

export function AgentChips({ agents, onOpen }: AgentChipsProps) {
  const shown = agents.filter((view) => agentStatus(view) !== 'absent')
  const hidden = agents.length - shown.length
  return (
    <div className="ags">
      {shown.map((view) => (
        <Chip key={view.id} view={view} onOpen={onOpen} />
      ))}
      <Button size="sm" kind="ghost" onClick={() => onOpen(null)}>
        {shown.length === 0 ? 'No agents found. Show all…' : hidden > 0 ? `${plural(hidden, 'other')}…` : 'All agents…'}
      </Button>
    </div>
  )
}

function Chip({ view, onOpen }: { readonly view: AgentView; readonly onOpen: AgentChipsProps['onOpen'] }) {
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
          onClick={() => onOpen(null)}
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
