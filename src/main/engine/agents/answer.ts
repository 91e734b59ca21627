/**
 * [RV-5] What a hook prints to hand a text to its agent. Tried with the real programs: each of these reaches the model's
 * next request, exactly once (docs/agents.md).
 */
import type { AgentAction, AgentId } from './agent-action.ts'

/** The action of the event by which an agent takes a text. Cline ignores what its prompt hook prints. */
const TAKEN_WITH: Readonly<Record<AgentId, AgentAction['kind']>> = {
  'claude-code': 'prompt',
  codex: 'prompt',
  'gemini-cli': 'prompt',
  'qwen-code': 'prompt',
  opencode: 'prompt',
  cline: 'tool-start'
}

export function takesText(agent: AgentId, actions: readonly AgentAction[]): boolean {
  return actions.some(({ kind }) => kind === TAKEN_WITH[agent])
}

/** One line of JSON. `event`: the agent's own name of the event. opencode's plugin reads it from the hook. */
export function answerText(agent: AgentId, event: string, text: string): string {
  if (agent === 'cline') return JSON.stringify({ cancel: false, contextModification: text })
  if (agent === 'opencode') return JSON.stringify({ text })
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } })
}
