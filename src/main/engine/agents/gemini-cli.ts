/**
 * Gemini CLI's hooks. Its tool calls have no ids, so ends are matched with starts in order. PreCompress is ignored: it
 * is sent before every request.
 */
import { createHookAdapter, toolEnd } from './adapter.ts'
import type { AgentAction } from './agent-action.ts'
import { asFields, asText, type Fields, planActions, readOriginal, readTodos } from './payload.ts'
import { wordSet } from './tool-use.ts'

const NAMES = {
  readOnly: wordSet(
    'read_file read_many_files list_directory glob search_file_content grep_search google_web_search web_fetch write_todos save_memory ask_user activate_skill enter_plan_mode exit_plan_mode'
  ),
  writes: wordSet('write_file replace edit')
}

export const geminiCli = createHookAdapter(NAMES, 'run_shell_command', {
  BeforeAgent: (payload) => [{ kind: 'prompt', text: asText(payload.prompt) ?? '', id: null }],
  BeforeTool: (_, { use }) => [{ kind: 'tool-start', use }],
  AfterTool: (payload, { name, input, use, output, exit }) => {
    const { error, llmContent, returnDisplay } = asFields(payload.tool_response)
    const display = asFields(returnDisplay)
    const end = toolEnd(use, {
      failed: error !== undefined,
      original: readOriginal(display.filePath, display.originalContent),
      output: output(returnDisplay),
      exit: error === undefined ? exit(exitCodeOf(asText(llmContent) ?? '')) : null
    })
    return [
      end,
      ...(end.failed ? [] : readModeChange(name, input)),
      ...(name === 'write_todos' ? [{ kind: 'todos' as const, todos: readTodos(input.todos) }] : [])
    ]
  },
  AfterAgent: (payload) => [{ kind: 'stop', message: asText(payload.prompt_response), background: 0 }]
})

/**
 * The exit code of a command, from the lines after its output: "Exit Code: 1" is there unless it is 0, an error or a signal
 * has its own line; a command that was cancelled or still runs in the background has neither. Null when not known.
 */
function exitCodeOf(text: string): number | null {
  const end =
    /(?:\n(Error: .*))?(?:\nExit Code: (\S+))?(?:\n(Signal: .*))?(?:\nBackground PIDs: .*)?\nProcess Group PGID: \S+(?:\n<\/untrusted_context>)?\s*$/.exec(
      text
    )
  if (!end || !/^(?:<untrusted_context>\n)?(?:Command: |Output: )/.test(text)) return null
  const [, error = 'Error: (none)', code = '0', signal = 'Signal: (none)'] = end
  if (!error.endsWith('(none)') || !signal.endsWith('(none)')) return null
  return /^\d{1,3}$/.test(code) ? Number(code) : null
}

/** Events do not carry the mode; it changes through these tools. */
function readModeChange(tool: unknown, { plan }: Fields): AgentAction[] {
  if (tool === 'enter_plan_mode') return [{ kind: 'mode', mode: 'plan' }]
  return tool === 'exit_plan_mode' ? [...planActions(plan), { kind: 'mode', mode: 'default' }] : []
}
