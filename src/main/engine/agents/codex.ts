/** Codex's hooks. A command that outlives its turn never reports its end; its open call counts as background work. */
import { createHookAdapter } from './adapter.ts'
import type { AgentAction } from './agent-action.ts'
import { asFields, asText, type Fields, planActions, readOutput, readTodos } from './payload.ts'
import { readToolUse, type ToolNames } from './tool-use.ts'

const NAMES: ToolNames = {
  readOnly: new Set('update_plan view_image web_search tool_search list_mcp_resources read_mcp_resource'.split(' ')),
  writes: new Set(),
  patches: new Set(['apply_patch'])
}

export const codex = createHookAdapter(normalize)

function normalize(event: string, payload: Fields): AgentAction[] {
  switch (event) {
    case 'SessionStart':
      return [{ kind: 'session-start' }]
    case 'SessionEnd':
      return [{ kind: 'session-end' }]
    case 'UserPromptSubmit':
      return [{ kind: 'prompt', text: asText(payload.prompt) ?? '', id: asText(payload.turn_id) }]
    case 'PreToolUse':
      return [{ kind: 'tool-start', use: readUse(payload) }]
    case 'PostToolUse':
      return [
        {
          kind: 'tool-end',
          use: readUse(payload),
          failed: false,
          background: false,
          original: null,
          output: readBashOutput(payload)
        },
        ...readPlan(payload)
      ]
    case 'Stop':
      return [{ kind: 'stop', message: asText(payload.last_assistant_message), background: null }]
    case 'Interrupt':
      return [{ kind: 'interrupt' }]
    case 'SubagentStop':
      return [{ kind: 'boundary' }]
    case 'PreCompact':
      return [{ kind: 'compact' }]
    default:
      return []
  }
}

function readUse(payload: Fields) {
  return readToolUse(asText(payload.tool_use_id), asText(payload.tool_name) ?? '', payload.tool_input, NAMES)
}

function readBashOutput(payload: Fields) {
  return payload.tool_name === 'Bash' ? readOutput(asFields(payload.tool_input).command, payload.tool_response) : null
}

function readPlan(payload: Fields): AgentAction[] {
  if (payload.tool_name !== 'update_plan') return []
  const steps = asFields(payload.tool_input).plan
  const todos = Array.isArray(steps) ? steps.map((step) => ({ ...asFields(step), text: asFields(step).step })) : []
  return [...planActions(asFields(payload.tool_input).explanation), { kind: 'todos', todos: readTodos(todos) }]
}
