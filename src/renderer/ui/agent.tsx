/** Names of agents, and their tiles: a letter, no logo or colour. */
import { Icon } from './icon.tsx'

interface AgentIdentity {
  readonly name: string
  readonly letter: string
}

const KNOWN: Readonly<Record<string, AgentIdentity>> = {
  'claude-code': { name: 'Claude Code', letter: 'C' },
  codex: { name: 'Codex', letter: 'X' },
  'gemini-cli': { name: 'Gemini CLI', letter: 'G' },
  'qwen-code': { name: 'Qwen Code', letter: 'Q' },
  opencode: { name: 'opencode', letter: 'O' },
  cline: { name: 'Cline', letter: 'L' },
  command: { name: 'Command', letter: '' }
}

/** Name and letter of an agent. An unknown agent is named by its id. */
export function agentIdentity(agent: string): AgentIdentity {
  return KNOWN[agent] ?? { name: agent || 'Command', letter: (agent[0] ?? '').toUpperCase() }
}

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
