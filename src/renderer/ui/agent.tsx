/** Tiles of agents: a letter, no logo or colour. */
import { agentIdentity } from '../../contract/words/agents.ts'
import { Icon } from './icon.tsx'

interface AgentTileProps {
  readonly agent: string
  readonly live?: boolean
  readonly className?: string
}

/** The tile of an agent. Decoration: the name is always beside it. */
export function AgentTile({ agent, live, className }: AgentTileProps) {
  const { letter } = agentIdentity(agent)
  return (
    <span className={['who', live ? 'live' : '', className ?? ''].filter(Boolean).join(' ')} aria-hidden="true">
      {letter === '' ? <Icon name="terminal" /> : letter}
    </span>
  )
}
