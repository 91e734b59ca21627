/**
 * Gemini CLI's hooks. Its tool calls have no ids, so ends are matched with starts in order. PreCompress is ignored: it is
 * sent before every request.
 */
import type { Adapter } from './adapter.ts'
import type { AgentAction } from './agent-action.ts'
import { asFields, asText, type Fields, planActions, readOriginal, readOutput, readTodos } from './payload.ts'
import { readToolUse, type ToolNames } from './tool-use.ts'

const NAMES: ToolNames = {
  readOnly: new Set(
    'read_file read_many_files list_directory glob search_file_content grep_search google_web_search web_fetch write_todos save_memory ask_user activate_skill enter_plan_mode exit_plan_mode'.split(
      ' '
    )
  ),
  writes: new Set(['write_file', 'replace', 'edit'])
}

export const geminiCli: Adapter = (event, payload) => {
  const session = asText(payload.session_id)
  const cwd = asText(payload.cwd)
  if (!session || !cwd) return null
  return {
    origin: { session, cwd, transcript: asText(payload.transcript_path), subagent: null, mode: null, model: null },
    actions: normalize(asText(payload.hook_event_name) ?? event, payload)
  }
}

function normalize(event: string, payload: Fields): AgentAction[] {
  switch (event) {
    case 'SessionStart':
      return [{ kind: 'session-start' }]
    case 'SessionEnd':
      return [{ kind: 'session-end' }]
    case 'BeforeAgent':
      return [{ kind: 'prompt', text: asText(payload.prompt) ?? '', id: null }]
    case 'BeforeTool':
      return [{ kind: 'tool-start', use: readUse(payload) }]
    case 'AfterTool': {
      const todos = asFields(payload.tool_input).todos
      const reply = asFields(payload.tool_response)
      const display = asFields(reply.returnDisplay)
      return [
        {
          kind: 'tool-end',
          use: readUse(payload),
          failed: reply.error !== undefined,
          background: false,
          original: readOriginal(display.filePath, display.originalContent),
          output:
            payload.tool_name === 'run_shell_command'
              ? readOutput(asFields(payload.tool_input).command, reply.returnDisplay)
              : null
        },
        ...(reply.error === undefined ? readModeChange(payload) : []),
        ...(payload.tool_name === 'write_todos' ? [{ kind: 'todos' as const, todos: readTodos(todos) }] : [])
      ]
    }
    case 'AfterAgent':
      return [{ kind: 'stop', message: asText(payload.prompt_response), background: 0 }]
    default:
      return []
  }
}

/** Events do not carry the mode; it changes through these tools. */
function readModeChange(payload: Fields): AgentAction[] {
  if (payload.tool_name === 'enter_plan_mode') return [{ kind: 'mode', mode: 'plan' }]
  if (payload.tool_name !== 'exit_plan_mode') return []
  return [...planActions(asFields(payload.tool_input).plan), { kind: 'mode', mode: 'default' }]
}

function readUse(payload: Fields) {
  return readToolUse(null, asText(payload.tool_name) ?? '', payload.tool_input, NAMES)
}
