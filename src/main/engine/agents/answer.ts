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

/**
 * The agent's own names of the events with which it takes a text, or a refusal. opencode's plugin reads what its hooks
 * print by itself.
 */
const ANSWERED_EVENTS: Readonly<Record<string, readonly string[]>> = {
  'claude-code': ['UserPromptSubmit', 'PreToolUse'],
  codex: ['UserPromptSubmit', 'PreToolUse'],
  'gemini-cli': ['BeforeAgent', 'BeforeTool'],
  'qwen-code': ['UserPromptSubmit', 'PreToolUse'],
  cline: ['PreToolUse']
}

/** Whether the hook of an agent's event may print an answer. */
export function printsAnswer(agent: string, event: string): boolean {
  return ANSWERED_EVENTS[agent]?.includes(event) === true
}

/** A hook that was called longer ago may give up before an answer arrives, ms. */
export const MAX_ANSWER_MS = 1500

/** [RV-7] One line of JSON that keeps a tool from running, and tells the model why. */
export function refusalText(agent: AgentId, event: string, reason: string): string {
  // Its `cancel` would end the task without a word to the model. A tool without input writes nothing.
  if (agent === 'cline') return JSON.stringify({ cancel: false, overrideInput: {}, contextModification: reason })
  if (agent === 'opencode') return JSON.stringify({ refused: reason })
  if (agent === 'gemini-cli') return JSON.stringify({ decision: 'deny', reason })
  const decision = { permissionDecision: 'deny', permissionDecisionReason: reason }
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...decision } })
}

/** One line of JSON. `event`: the agent's own name of the event. opencode's plugin reads it from the hook. */
export function answerText(agent: AgentId, event: string, text: string): string {
  if (agent === 'cline') return JSON.stringify({ cancel: false, contextModification: text })
  if (agent === 'opencode') return JSON.stringify({ text })
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } })
}
