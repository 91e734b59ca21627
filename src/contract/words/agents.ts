/** Names of the agents. */

interface AgentIdentity {
  readonly name: string
  /** For its tile; "" where a symbol is shown. */
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

/** An unknown agent is named by its id. */
export function agentIdentity(agent: string): AgentIdentity {
  return KNOWN[agent] ?? { name: agent || 'Command', letter: (agent[0] ?? '').toUpperCase() }
}
