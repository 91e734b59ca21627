/** Claude Code's hooks. No hook reports an interrupt; a stop with background tasks does not end the run. */
import { createHookAdapter, toolEnd } from './adapter.ts'
import type { AgentAction } from './agent-action.ts'
import { asFields, asText, type Fields, readOriginal, readTodoStatus, readTodos } from './payload.ts'
import { wordSet } from './tool-use.ts'

const NAMES = {
  readOnly: wordSet(
    'Read Glob Grep LS NotebookRead WebFetch WebSearch TodoWrite TaskCreate TaskUpdate TaskGet TaskList TaskOutput TaskStop Agent Task BashOutput KillShell AskUserQuestion EnterPlanMode ExitPlanMode ToolSearch Skill ListMcpResourcesTool ReadMcpResourceTool'
  ),
  writes: wordSet('Write Edit MultiEdit NotebookEdit')
}

export const claudeCode = createHookAdapter(NAMES, 'Bash', {
  UserPromptSubmit: (payload) => {
    const text = asText(payload.prompt) ?? ''
    // Sent by Claude Code itself when a background task ends.
    if (text.trimStart().startsWith('<task-notification>')) return [{ kind: 'continue' }]
    return [{ kind: 'prompt', text, id: asText(payload.prompt_id) }]
  },
  PostToolUse: (payload, { name, input, use, output, exit }) => {
    const reply = asFields(payload.tool_response)
    const background = asText(reply.backgroundTaskId) !== null
    const end = toolEnd(use, {
      background,
      // Only a command that succeeded is reported by this event.
      exit: !background && reply.interrupted === false ? exit(0) : null,
      original: readOriginal(reply.filePath, reply.originalFile),
      output: reply.isImage === true ? null : output(reply.stdout, reply.stderr)
    })
    return [end, ...readTodoActions(name, input, reply)]
  }
})

function readTodoActions(tool: unknown, input: Fields, reply: Fields): AgentAction[] {
  switch (tool) {
    case 'TodoWrite':
      return [{ kind: 'todos', todos: readTodos(input.todos) }]
    case 'TaskCreate': {
      const task = asFields(reply.task)
      const id = asText(task.id)
      return id ? [{ kind: 'todo', id, text: asText(task.subject) ?? '', status: 'pending' }] : []
    }
    case 'TaskUpdate': {
      const id = asText(input.taskId) ?? asText(input.id)
      return id ? [{ kind: 'todo', id, text: asText(input.subject) ?? '', status: readTodoStatus(input.status) }] : []
    }
    default:
      return []
  }
}
