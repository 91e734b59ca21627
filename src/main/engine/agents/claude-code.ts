/** Claude Code's hooks. An interrupt tells nothing; a stop with background tasks is not the end. */
import {
  type Fields,
  fields,
  foundText,
  type Happening,
  hookAdapter,
  list,
  planTold,
  printedText,
  statusOf,
  text,
  todosOf
} from './event.ts'
import { type ToolNames, toolUse } from './tool-use.ts'

const NAMES: ToolNames = {
  harmless: new Set(
    'Read Glob Grep LS NotebookRead WebFetch WebSearch TodoWrite TaskCreate TaskUpdate TaskGet TaskList TaskOutput TaskStop Agent Task BashOutput KillShell AskUserQuestion EnterPlanMode ExitPlanMode ToolSearch Skill ListMcpResourcesTool ReadMcpResourceTool'.split(
      ' '
    )
  ),
  writes: new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit'])
}

export const claudeCode = hookAdapter(happened)

function happened(event: string, payload: Fields): Happening[] {
  switch (event) {
    case 'SessionStart':
      return [{ kind: 'session-start' }]
    case 'SessionEnd':
      return [{ kind: 'session-end' }]
    case 'UserPromptSubmit': {
      const prompt = text(payload.prompt) ?? ''
      if (prompt.trimStart().startsWith('<task-notification>')) return [{ kind: 'continue' }]
      return [{ kind: 'prompt', text: prompt, id: text(payload.prompt_id) }]
    }
    case 'PreToolUse':
      return [
        ...(payload.tool_name === 'ExitPlanMode' ? planTold(fields(payload.tool_input).plan) : []),
        { kind: 'tool-start', use: use(payload) }
      ]
    case 'PostToolUse': {
      const reply = fields(payload.tool_response)
      return [
        {
          kind: 'tool-end',
          use: use(payload),
          failed: false,
          background: text(reply.backgroundTaskId) !== null,
          ...foundText(reply.filePath, reply.originalFile),
          ...printed(payload, reply.isImage === true ? [] : [reply.stdout, reply.stderr])
        },
        ...todos(payload, reply)
      ]
    }
    case 'PostToolUseFailure':
      return [
        { kind: 'tool-end', use: use(payload), failed: true, background: false, ...printed(payload, [payload.error]) }
      ]
    case 'Stop':
    case 'StopFailure':
      return [
        {
          kind: 'stop',
          message: text(payload.last_assistant_message),
          background: list(payload.background_tasks).length
        }
      ]
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

function printed(payload: Fields, texts: readonly unknown[]) {
  return payload.tool_name === 'Bash' ? printedText(fields(payload.tool_input).command, ...texts) : {}
}

function todos(payload: Fields, reply: Fields): Happening[] {
  const input = fields(payload.tool_input)
  switch (payload.tool_name) {
    case 'TodoWrite':
      return [{ kind: 'todos', todos: todosOf(input.todos) }]
    case 'TaskCreate': {
      const task = fields(reply.task)
      const id = text(task.id)
      return id ? [{ kind: 'todo', id, text: text(task.subject) ?? '', status: 'pending' }] : []
    }
    case 'TaskUpdate': {
      const id = text(input.taskId) ?? text(input.id)
      return id ? [{ kind: 'todo', id, text: text(input.subject) ?? '', status: statusOf(input.status) }] : []
    }
    default:
      return []
  }
}
