/** Names of the agents. */

interface AgentIdentity {
  readonly name: string
  /** One or two letters for its tile; "" where a symbol is shown. */
  readonly letters: string
}

const KNOWN: Readonly<Record<string, AgentIdentity>> = {
  'claude-code': { name: 'Claude Code', letters: 'Cc' },
  codex: { name: 'Codex', letters: 'Cx' },
  'gemini-cli': { name: 'Gemini CLI', letters: 'Ge' },
  'qwen-code': { name: 'Qwen Code', letters: 'Qw' },
  opencode: { name: 'opencode', letters: 'Oc' },
  cline: { name: 'Cline', letters: 'Cl' },
  command: { name: 'Command', letters: '' }
}

/** An unknown agent is named by its id. */
export function agentIdentity(agent: string): AgentIdentity {
  return KNOWN[agent] ?? { name: agent || 'Command', letters: (agent[0] ?? '').toUpperCase() }
}
