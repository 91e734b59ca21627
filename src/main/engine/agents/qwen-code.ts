/** Qwen Code's hooks. It announces a prompt before every request to its model; only one with `submitted_prompt` is a person's. */
import {
  type Fields,
  fields,
  foundText,
  type Happening,
  hookAdapter,
  list,
  planTold,
  printedText,
  text,
  todosOf
} from './event.ts'
import { type ToolNames, toolUse } from './tool-use.ts'

const NAMES: ToolNames = {
  harmless: new Set(
    'read_file read_many_files list_directory glob grep_search search_file_content web_fetch web_search todo_write save_memory agent task tool_search skill exit_plan_mode ask_user_question'.split(
      ' '
    )
  ),
  writes: new Set(['write_file', 'edit', 'replace', 'notebook_edit'])
}

export const qwenCode = hookAdapter(happened)

function happened(event: string, payload: Fields): Happening[] {
  switch (event) {
    case 'SessionStart':
      return [{ kind: 'session-start' }]
    case 'SessionEnd':
      return [{ kind: 'session-end' }]
    case 'UserPromptSubmit': {
      const prompt = text(payload.submitted_prompt)
      return prompt ? [{ kind: 'prompt', text: prompt, id: text(payload.prompt_id) }] : []
    }
    case 'PreToolUse':
      return [
        ...(payload.tool_name === 'exit_plan_mode' ? planTold(fields(payload.tool_input).plan) : []),
        { kind: 'tool-start', use: use(payload) }
      ]
    case 'PostToolUse': {
      const { returnDisplay } = fields(payload.tool_response)
      const shown = fields(returnDisplay)
      return [
        {
          kind: 'tool-end',
          use: use(payload),
          failed: false,
          background: false,
          ...foundText(shown.filePath, shown.originalContent),
          ...printed(payload, returnDisplay)
        },
        ...(payload.tool_name === 'todo_write'
          ? [{ kind: 'todos' as const, todos: todosOf(fields(payload.tool_input).todos) }]
          : [])
      ]
    }
    case 'PostToolUseFailure':
      return [
        { kind: 'tool-end', use: use(payload), failed: true, background: false, ...printed(payload, payload.error) }
      ]
    case 'SubagentStop':
      return [{ kind: 'boundary' }]
    case 'Stop':
    case 'StopFailure':
      return [
        {
          kind: 'stop',
          message: text(payload.last_assistant_message),
          background: list(payload.background_tasks).length
        }
      ]
    case 'PreCompact':
      return [{ kind: 'compact' }]
    default:
      return []
  }
}

function printed(payload: Fields, said: unknown) {
  return payload.tool_name === 'run_shell_command' ? printedText(fields(payload.tool_input).command, said) : {}
}

function use(payload: Fields) {
  // The second is the one its transcript has, too.
  const call = text(payload.tool_call_id) ?? text(payload.tool_use_id)
  return toolUse(call, text(payload.tool_name) ?? '', payload.tool_input, NAMES)
}
