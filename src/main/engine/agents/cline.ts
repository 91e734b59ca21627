/** Cline's hooks. A task's start may come without its prompt; a subagent's task is part of the one above it. */
import { type Adapter, type Fields, fields, type Happening, list, planTold, printedText, text } from './event.ts'
import { type ToolNames, toolUse } from './tool-use.ts'

const NAMES: ToolNames = {
  harmless: new Set(
    'read_files read_file list_files search_files list_code_definition_names web_fetch web_search ask_followup_question attempt_completion plan_mode_respond'.split(
      ' '
    )
  ),
  writes: new Set(['editor', 'write_to_file', 'replace_in_file', 'new_rule'])
}

export const cline: Adapter = (event, payload) => {
  const session = text(fields(payload.sessionContext).rootSessionId) ?? text(payload.taskId)
  const cwd = text(fields(payload.workspaceInfo).rootPath) ?? text(list(payload.workspaceRoots)[0]) ?? text(payload.cwd)
  if (!session || !cwd) return null
  const subagent = text(payload.parent_agent_id) ? text(payload.agent_id) : null
  return {
    origin: { session, cwd, transcript: null, subagent, mode: null, model: text(payload.model) },
    happened: happened(event, payload, subagent !== null)
  }
}

function happened(event: string, payload: Fields, inside: boolean): Happening[] {
  switch (event) {
    case 'TaskStart':
    case 'TaskResume': {
      if (inside) return []
      const told = fields(payload.taskStart ?? payload.taskResume)
      const prompt = text(told.prompt) ?? text(fields(told.taskMetadata).initialTask) ?? ''
      return [{ kind: 'prompt', text: prompt, id: null }]
    }
    case 'UserPromptSubmit':
      return inside ? [] : [{ kind: 'prompt', text: text(fields(payload.userPromptSubmit).prompt) ?? '', id: null }]
    case 'PreToolUse': {
      const call = fields(payload.tool_call)
      return [
        ...(call.name === 'plan_mode_respond' ? planTold(fields(call.input).response) : []),
        { kind: 'tool-start', use: toolUse(text(call.id), text(call.name) ?? '', call.input, NAMES) }
      ]
    }
    case 'PostToolUse': {
      const result = fields(payload.tool_result)
      const use = toolUse(text(result.id), text(result.name) ?? '', result.input, NAMES)
      const failed = fields(payload.postToolUse).success === false || fields(result.output).success === false
      return [{ kind: 'tool-end', use, failed, background: false, ...printed(result) }]
    }
    case 'TaskComplete':
      return inside
        ? [{ kind: 'boundary' }]
        : [{ kind: 'stop', message: text(fields(payload.turn).outputText), background: 0 }]
    case 'TaskCancel':
      return inside ? [{ kind: 'boundary' }] : [{ kind: 'interrupt' }]
    case 'SessionShutdown':
      return [{ kind: 'session-end' }]
    default:
      return []
  }
}

/** Each command of a list has a result of its own. */
function printed({ name, input, output }: Fields) {
  if (name !== 'run_commands') return {}
  return printedText(fields(input).commands, ...list(output).map((one) => fields(one).result))
}
