/** Codex's hooks. A command that outlives its turn never reports its end, so open calls count as background work. */
import { type Fields, fields, type Happening, hookAdapter, planTold, printedText, text, todosOf } from './event.ts'
import { type ToolNames, toolUse } from './tool-use.ts'

const NAMES: ToolNames = {
  harmless: new Set('update_plan view_image web_search tool_search list_mcp_resources read_mcp_resource'.split(' ')),
  writes: new Set(),
  patches: new Set(['apply_patch'])
}

export const codex = hookAdapter(happened)

function happened(event: string, payload: Fields): Happening[] {
  switch (event) {
    case 'SessionStart':
      return [{ kind: 'session-start' }]
    case 'SessionEnd':
      return [{ kind: 'session-end' }]
    case 'UserPromptSubmit':
      return [{ kind: 'prompt', text: text(payload.prompt) ?? '', id: text(payload.turn_id) }]
    case 'PreToolUse':
      return [{ kind: 'tool-start', use: use(payload) }]
    case 'PostToolUse':
      return [
        { kind: 'tool-end', use: use(payload), failed: false, background: false, ...printed(payload) },
        ...plan(payload)
      ]
    case 'Stop':
      return [{ kind: 'stop', message: text(payload.last_assistant_message), background: null }]
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

function use(payload: Fields) {
  return toolUse(text(payload.tool_use_id), text(payload.tool_name) ?? '', payload.tool_input, NAMES)
}

function printed(payload: Fields) {
  return payload.tool_name === 'Bash' ? printedText(fields(payload.tool_input).command, payload.tool_response) : {}
}

function plan(payload: Fields): Happening[] {
  if (payload.tool_name !== 'update_plan') return []
  const steps = fields(payload.tool_input).plan
  const named = Array.isArray(steps) ? steps.map((step) => ({ ...fields(step), text: fields(step).step })) : []
  return [...planTold(fields(payload.tool_input).explanation), { kind: 'todos', todos: todosOf(named) }]
}
