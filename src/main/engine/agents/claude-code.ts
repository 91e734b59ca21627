/** Claude Code's hooks. No hook reports an interrupt; a stop with background tasks does not end the run. */
import { createHookAdapter } from './adapter.ts'
import type { AgentAction } from './agent-action.ts'
import {
  asFields,
  asList,
  asText,
  type Fields,
  planActions,
  readOriginal,
  readOutput,
  readTodoStatus,
  readTodos
} from './payload.ts'
import { readToolUse, type ToolNames } from './tool-use.ts'

const NAMES: ToolNames = {
  readOnly: new Set(
    'Read Glob Grep LS NotebookRead WebFetch WebSearch TodoWrite TaskCreate TaskUpdate TaskGet TaskList TaskOutput TaskStop Agent Task BashOutput KillShell AskUserQuestion EnterPlanMode ExitPlanMode ToolSearch Skill ListMcpResourcesTool ReadMcpResourceTool'.split(
      ' '
    )
  ),
  writes: new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit'])
}

export const claudeCode = createHookAdapter(normalize)

function normalize(event: string, payload: Fields): AgentAction[] {
  switch (event) {
    case 'SessionStart':
      return [{ kind: 'session-start' }]
    case 'SessionEnd':
      return [{ kind: 'session-end' }]
    case 'UserPromptSubmit': {
      const prompt = asText(payload.prompt) ?? ''
      // Sent by Claude Code itself when a background task ends.
      if (prompt.trimStart().startsWith('<task-notification>')) return [{ kind: 'continue' }]
      return [{ kind: 'prompt', text: prompt, id: asText(payload.prompt_id) }]
    }
    case 'PreToolUse':
      return [
        ...(payload.tool_name === 'ExitPlanMode' ? planActions(asFields(payload.tool_input).plan) : []),
        { kind: 'tool-start', use: readUse(payload) }
      ]
    case 'PostToolUse': {
      const reply = asFields(payload.tool_response)
      return [
        {
          kind: 'tool-end',
          use: readUse(payload),
          failed: false,
          background: asText(reply.backgroundTaskId) !== null,
          original: readOriginal(reply.filePath, reply.originalFile),
          output: readBashOutput(payload, reply.isImage === true ? [] : [reply.stdout, reply.stderr])
        },
        ...readTodoActions(payload, reply)
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
          output: readBashOutput(payload, [payload.error])
        }
      ]
    case 'Stop':
    case 'StopFailure':
      return [
        {
          kind: 'stop',
          message: asText(payload.last_assistant_message),
          background: asList(payload.background_tasks).length
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

function readUse(payload: Fields) {
  return readToolUse(asText(payload.tool_use_id), asText(payload.tool_name) ?? '', payload.tool_input, NAMES)
}

function readBashOutput(payload: Fields, texts: readonly unknown[]) {
  return payload.tool_name === 'Bash' ? readOutput(asFields(payload.tool_input).command, ...texts) : null
}

function readTodoActions(payload: Fields, reply: Fields): AgentAction[] {
  const input = asFields(payload.tool_input)
  switch (payload.tool_name) {
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
