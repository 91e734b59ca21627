/** Codex's hooks. A command that outlives its turn never reports its end; its open call counts as background work. */
import { createHookAdapter, toolEnd } from './adapter.ts'
import type { AgentAction } from './agent-action.ts'
import { asFields, asList, asText, type Fields, planActions, readTodos } from './payload.ts'
import { wordSet } from './tool-use.ts'

const NAMES = {
  readOnly: wordSet('update_plan view_image web_search tool_search list_mcp_resources read_mcp_resource'),
  writes: wordSet(''),
  patches: wordSet('apply_patch')
}

export const codex = createHookAdapter(NAMES, 'Bash', {
  UserPromptSubmit: ({ prompt, turn_id }) => [{ kind: 'prompt', text: asText(prompt) ?? '', id: asText(turn_id) }],
  PostToolUse: (payload, { name, input, use, output }) => [
    toolEnd(use, { output: output(payload.tool_response) }),
    ...(name === 'update_plan' ? readPlan(input) : [])
  ],
  Stop: (payload) => [{ kind: 'stop', message: asText(payload.last_assistant_message), background: null }],
  Interrupt: () => [{ kind: 'interrupt' }]
})

function readPlan({ plan, explanation }: Fields): AgentAction[] {
  const todos = asList(plan).map((step) => ({ ...asFields(step), text: asFields(step).step }))
  return [...planActions(explanation), { kind: 'todos', todos: readTodos(todos) }]
}
