/** Tiles of agents: the first letters of the name, no logo or colour. */
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
  const { letters, name } = agentIdentity(agent)
  return (
    <span
      className={className ? `who ${className}` : 'who'}
      data-live={live || undefined}
      data-size={size}
      data-tip={name}
      aria-hidden="true"
    >
      {letters === '' ? <Icon name="terminal" /> : letters}
    </span>
  )
}
