/** Cline's hooks. A task may start without a prompt. A subagent's task belongs to the session of its root task. */
import { type Adapter, toolEnd } from './adapter.ts'
import type { AgentAction, ToolUse } from './agent-action.ts'
import { asFields, asList, asText, type Fields, planActions, readExit, readOutput } from './payload.ts'
import { readToolUse, wordSet } from './tool-use.ts'

const NAMES = {
  readOnly: wordSet(
    'read_files read_file list_files search_files list_code_definition_names web_fetch web_search ask_followup_question attempt_completion plan_mode_respond'
  ),
  writes: wordSet('editor write_to_file replace_in_file new_rule')
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
      const start = asFields(payload.taskStart ?? payload.taskResume)
      return readPrompt(asText(start.prompt) ?? asFields(start.taskMetadata).initialTask, isSubagent)
    }
    case 'UserPromptSubmit':
      return readPrompt(asFields(payload.userPromptSubmit).prompt, isSubagent)
    case 'PreToolUse': {
      const call = asFields(payload.tool_call)
      const plan = call.name === 'plan_mode_respond' ? planActions(asFields(call.input).response) : []
      return [...plan, { kind: 'tool-start', use: readUse(call) }]
    }
    case 'PostToolUse': {
      const result = asFields(payload.tool_result)
      const failed = asFields(payload.postToolUse).success === false || asFields(result.output).success === false
      return [toolEnd(readUse(result), { failed, output: readCommandOutput(result), exit: readCommandExit(result) })]
    }
    case 'TaskComplete':
      return isSubagent
        ? [{ kind: 'boundary' }]
        : [{ kind: 'stop', message: asText(asFields(payload.turn).outputText), background: 0 }]
    case 'TaskCancel':
      return [{ kind: isSubagent ? 'boundary' : 'interrupt' }]
    case 'SessionShutdown':
      return [{ kind: 'session-end' }]
    default:
      return []
  }
}

function readPrompt(text: unknown, isSubagent: boolean): AgentAction[] {
  return isSubagent ? [] : [{ kind: 'prompt', text: asText(text) ?? '', id: null }]
}

function readUse({ id, name, input }: Fields): ToolUse {
  return readToolUse(asText(id), asText(name) ?? '', input, NAMES)
}

/** `run_commands` runs a list of commands and returns one result for each. */
function readCommandOutput({ name, input, output }: Fields) {
  if (name !== 'run_commands') return null
  return readOutput(asFields(input).commands, ...asList(output).map((entry) => asFields(entry).result))
}

/**
 * Of a call with one command: several run at the same time. One that still runs succeeds with a note at the start of its
 * result, one that could not be started or ran out of time fails without an exit code.
 */
function readCommandExit({ name, input, output }: Fields) {
  const commands = [asFields(input).commands].flat()
  if (name !== 'run_commands' || commands.length !== 1) return null
  const { success, result, error } = asFields(asList(output)[0])
  const [, code] = /^Command exited with code (\d{1,3})$/.exec(asText(error) ?? '') ?? []
  if (success === true && !asText(result)?.startsWith('[Command is still running.')) return readExit(commands[0], 0)
  return success === false && code !== undefined ? readExit(commands[0], Number(code)) : null
}
