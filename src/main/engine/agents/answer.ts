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

/** The agent's own names of these events. opencode's plugin reads what its hooks print by itself. */
const TEXT_EVENTS: Readonly<Record<string, string>> = {
  'claude-code': 'UserPromptSubmit',
  codex: 'UserPromptSubmit',
  'gemini-cli': 'BeforeAgent',
  'qwen-code': 'UserPromptSubmit',
  cline: 'PreToolUse'
}

/** Whether the hook of an agent's event may print a text. */
export function printsText(agent: string, event: string): boolean {
  return TEXT_EVENTS[agent] === event
}

/** One line of JSON. `event`: the agent's own name of the event. opencode's plugin reads it from the hook. */
export function answerText(agent: AgentId, event: string, text: string): string {
  if (agent === 'cline') return JSON.stringify({ cancel: false, contextModification: text })
  if (agent === 'opencode') return JSON.stringify({ text })
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } })
}
