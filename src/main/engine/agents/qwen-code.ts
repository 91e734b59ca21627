/**
 * Qwen Code's hooks. UserPromptSubmit precedes every request to the model; only one with `submitted_prompt` was typed
 * by the user.
 */
import { createHookAdapter, toolEnd } from './adapter.ts'
import { asFields, asText, readOriginal, readTodos } from './payload.ts'
import { wordSet } from './tool-use.ts'

const NAMES = {
  readOnly: wordSet(
    'read_file read_many_files list_directory glob grep_search search_file_content web_fetch web_search todo_write save_memory agent task tool_search skill exit_plan_mode ask_user_question'
  ),
  writes: wordSet('write_file edit replace notebook_edit')
}

export const qwenCode = createHookAdapter(NAMES, 'run_shell_command', {
  UserPromptSubmit: (payload) => {
    const text = asText(payload.submitted_prompt)
    return text ? [{ kind: 'prompt', text, id: asText(payload.prompt_id) }] : []
  },
  PostToolUse: (payload, { name, input, use, output, exit }) => {
    const { returnDisplay, llmContent } = asFields(payload.tool_response)
    const { filePath, originalContent } = asFields(returnDisplay)
    return [
      toolEnd(use, {
        original: readOriginal(filePath, originalContent),
        output: output(returnDisplay),
        exit: exit(exitCodeOf(asText(llmContent) ?? ''))
      }),
      ...(name === 'todo_write' ? [{ kind: 'todos' as const, todos: readTodos(input.todos) }] : [])
    ]
  }
})

/** The exit code, from the lines after a command's output; null when they do not name one, or a signal. */
function exitCodeOf(text: string): number | null {
  const [, code] =
    /\nExit Code: (\d{1,3})\nSignal: \(none\)(?:\n[^\n]*)?\nProcess Group PGID: [^\n]*\s*$/.exec(text) ?? []
  return code === undefined ? null : Number(code)
}
