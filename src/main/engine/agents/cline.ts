/** Cline's hooks. A task may start without a prompt. A subagent's task belongs to the session of its root task. */
import type { Adapter } from './adapter.ts'
import type { AgentAction } from './agent-action.ts'
import { asFields, asList, asText, type Fields, planActions, readOutput } from './payload.ts'
import { readToolUse, type ToolNames } from './tool-use.ts'

const NAMES: ToolNames = {
  readOnly: new Set(
    'read_files read_file list_files search_files list_code_definition_names web_fetch web_search ask_followup_question attempt_completion plan_mode_respond'.split(
      ' '
    )
  ),
  writes: new Set(['editor', 'write_to_file', 'replace_in_file', 'new_rule'])
}

export const cline: Adapter = (event, payload) => {
  const session = asText(asFields(payload.sessionContext).rootSessionId) ?? asText(payload.taskId)
  const cwd =
    asText(asFields(payload.workspaceInfo).rootPath) ?? asText(asList(payload.workspaceRoots)[0]) ?? asText(payload.cwd)
  if (!session || !cwd) return null
  const subagent = asText(payload.parent_agent_id) ? asText(payload.agent_id) : null
  return {
    origin: { session, cwd, transcript: null, subagent, mode: null, model: asText(payload.model) },
    actions: normalize(event, payload, subagent !== null)
  }
}

function normalize(event: string, payload: Fields, isSubagent: boolean): AgentAction[] {
  switch (event) {
    case 'TaskStart':
    case 'TaskResume': {
      if (isSubagent) return []
      const start = asFields(payload.taskStart ?? payload.taskResume)
      const prompt = asText(start.prompt) ?? asText(asFields(start.taskMetadata).initialTask) ?? ''
      return [{ kind: 'prompt', text: prompt, id: null }]
    }
    case 'UserPromptSubmit':
      return isSubagent
        ? []
        : [{ kind: 'prompt', text: asText(asFields(payload.userPromptSubmit).prompt) ?? '', id: null }]
    case 'PreToolUse': {
      const call = asFields(payload.tool_call)
      return [
        ...(call.name === 'plan_mode_respond' ? planActions(asFields(call.input).response) : []),
        { kind: 'tool-start', use: readToolUse(asText(call.id), asText(call.name) ?? '', call.input, NAMES) }
      ]
    }
    case 'PostToolUse': {
      const result = asFields(payload.tool_result)
      const use = readToolUse(asText(result.id), asText(result.name) ?? '', result.input, NAMES)
      const failed = asFields(payload.postToolUse).success === false || asFields(result.output).success === false
      return [{ kind: 'tool-end', use, failed, background: false, original: null, output: readCommandOutput(result) }]
    }
    case 'TaskComplete':
      return isSubagent
        ? [{ kind: 'boundary' }]
        : [{ kind: 'stop', message: asText(asFields(payload.turn).outputText), background: 0 }]
    case 'TaskCancel':
      return isSubagent ? [{ kind: 'boundary' }] : [{ kind: 'interrupt' }]
    case 'SessionShutdown':
      return [{ kind: 'session-end' }]
    default:
      return []
  }
}

/** `run_commands` runs a list of commands and returns one result for each. */
function readCommandOutput({ name, input, output }: Fields) {
  if (name !== 'run_commands') return null
  return readOutput(asFields(input).commands, ...asList(output).map((entry) => asFields(entry).result))
}
