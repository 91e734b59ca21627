/** Gemini CLI's hooks. Its tool calls have no ids, so ends are paired with starts in order; PreCompress comes before every request and says nothing. */
import {
  type Adapter,
  type Fields,
  fields,
  foundText,
  type Happening,
  planTold,
  printedText,
  text,
  todosOf
} from './event.ts'
import { type ToolNames, toolUse } from './tool-use.ts'

const NAMES: ToolNames = {
  harmless: new Set(
    'read_file read_many_files list_directory glob search_file_content grep_search google_web_search web_fetch write_todos save_memory ask_user activate_skill enter_plan_mode exit_plan_mode'.split(
      ' '
    )
  ),
  writes: new Set(['write_file', 'replace', 'edit'])
}

export const geminiCli: Adapter = (event, payload) => {
  const session = text(payload.session_id)
  const cwd = text(payload.cwd)
  if (!session || !cwd) return null
  return {
    origin: { session, cwd, transcript: text(payload.transcript_path), subagent: null, mode: null, model: null },
    happened: happened(text(payload.hook_event_name) ?? event, payload)
  }
}

function happened(event: string, payload: Fields): Happening[] {
  switch (event) {
    case 'SessionStart':
      return [{ kind: 'session-start' }]
    case 'SessionEnd':
      return [{ kind: 'session-end' }]
    case 'BeforeAgent':
      return [{ kind: 'prompt', text: text(payload.prompt) ?? '', id: null }]
    case 'BeforeTool':
      return [{ kind: 'tool-start', use: use(payload) }]
    case 'AfterTool': {
      const todos = fields(payload.tool_input).todos
      const reply = fields(payload.tool_response)
      const shown = fields(reply.returnDisplay)
      return [
        {
          kind: 'tool-end',
          use: use(payload),
          failed: reply.error !== undefined,
          background: false,
          ...foundText(shown.filePath, shown.originalContent),
          ...(payload.tool_name === 'run_shell_command'
            ? printedText(fields(payload.tool_input).command, reply.returnDisplay)
            : {})
        },
        ...(reply.error === undefined ? modeOf(payload) : []),
        ...(payload.tool_name === 'write_todos' ? [{ kind: 'todos' as const, todos: todosOf(todos) }] : [])
      ]
    }
    case 'AfterAgent':
      return [{ kind: 'stop', message: text(payload.prompt_response), background: 0 }]
    default:
      return []
  }
}

/** It does not say its mode, but uses tools to change it. */
function modeOf(payload: Fields): Happening[] {
  if (payload.tool_name === 'enter_plan_mode') return [{ kind: 'mode', mode: 'plan' }]
  if (payload.tool_name !== 'exit_plan_mode') return []
  return [...planTold(fields(payload.tool_input).plan), { kind: 'mode', mode: 'default' }]
}

function use(payload: Fields) {
  return toolUse(null, text(payload.tool_name) ?? '', payload.tool_input, NAMES)
}
