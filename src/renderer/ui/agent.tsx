/** Tiles of agents: a letter, no logo or colour. */
import { agentIdentity } from '../../contract/words/agents.ts'
import { Icon } from './icon.tsx'

interface AgentTileProps {
  readonly agent: string
  readonly live?: boolean
  readonly size?: 'xs' | 'md'
  readonly className?: string
}

/** The tile of an agent. Decoration: the name is always beside it. */
export function AgentTile({ agent, live, size, className }: AgentTileProps) {
  const { letter } = agentIdentity(agent)
  return (
    <span
      className={className ? `who ${className}` : 'who'}
      data-live={live || undefined}
      data-size={size}
      aria-hidden="true"
    >
      {letter === '' ? <Icon name="terminal" /> : letter}
    </span>
  )
}
