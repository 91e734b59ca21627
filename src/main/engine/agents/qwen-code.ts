/**
 * Qwen Code's hooks. UserPromptSubmit precedes every request to the model; only one with `submitted_prompt` was typed by the
 * user.
 */
import { createHookAdapter } from './adapter.ts'
import type { AgentAction } from './agent-action.ts'
import { asFields, asList, asText, type Fields, planActions, readOriginal, readOutput, readTodos } from './payload.ts'
import { readToolUse, type ToolNames } from './tool-use.ts'

const NAMES: ToolNames = {
  readOnly: new Set(
    'read_file read_many_files list_directory glob grep_search search_file_content web_fetch web_search todo_write save_memory agent task tool_search skill exit_plan_mode ask_user_question'.split(
      ' '
    )
  ),
  writes: new Set(['write_file', 'edit', 'replace', 'notebook_edit'])
}

export const qwenCode = createHookAdapter(normalize)

function normalize(event: string, payload: Fields): AgentAction[] {
  switch (event) {
    case 'SessionStart':
      return [{ kind: 'session-start' }]
    case 'SessionEnd':
      return [{ kind: 'session-end' }]
    case 'UserPromptSubmit': {
      const prompt = asText(payload.submitted_prompt)
      return prompt ? [{ kind: 'prompt', text: prompt, id: asText(payload.prompt_id) }] : []
    }
    case 'PreToolUse':
      return [
        ...(payload.tool_name === 'exit_plan_mode' ? planActions(asFields(payload.tool_input).plan) : []),
        { kind: 'tool-start', use: readUse(payload) }
      ]
    case 'PostToolUse': {
      const { returnDisplay } = asFields(payload.tool_response)
      const display = asFields(returnDisplay)
      return [
        {
          kind: 'tool-end',
          use: readUse(payload),
          failed: false,
          background: false,
          original: readOriginal(display.filePath, display.originalContent),
          output: readShellOutput(payload, returnDisplay)
        },
        ...(payload.tool_name === 'todo_write'
          ? [{ kind: 'todos' as const, todos: readTodos(asFields(payload.tool_input).todos) }]
          : [])
      ]
    }
    case 'PostToolUseFailure':
      return [
        {
          kind: 'tool-end',
          use: readUse(payload),
          failed: true,
          background: false,
          original: null,
          output: readShellOutput(payload, payload.error)
        }
      ]
    case 'SubagentStop':
      return [{ kind: 'boundary' }]
    case 'Stop':
    case 'StopFailure':
      return [
        {
          kind: 'stop',
          message: asText(payload.last_assistant_message),
          background: asList(payload.background_tasks).length
        }
      ]
    case 'PreCompact':
      return [{ kind: 'compact' }]
    default:
      return []
  }
}

function readShellOutput(payload: Fields, text: unknown) {
  return payload.tool_name === 'run_shell_command' ? readOutput(asFields(payload.tool_input).command, text) : null
}

function readUse(payload: Fields) {
  // The transcript names calls by tool_use_id.
  const call = asText(payload.tool_call_id) ?? asText(payload.tool_use_id)
  return readToolUse(call, asText(payload.tool_name) ?? '', payload.tool_input, NAMES)
}
