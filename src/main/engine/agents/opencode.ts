/**
 * opencode's events, sent by our plugin (connect/opencode-plugin.ts): the arguments of the plugin interface, plus the
 * folder and the root session.
 */
import { type Adapter, toolEnd } from './adapter.ts'
import type { AgentAction, Origin } from './agent-action.ts'
import { asFields, asList, asText, type Fields, readExit, readOutput, readTodos } from './payload.ts'
import { readToolUse, wordSet } from './tool-use.ts'

const NAMES = {
  readOnly: wordSet(
    'read glob grep list ls webfetch websearch todowrite todoread task question skill lsp plan_enter plan_exit'
  ),
  writes: wordSet('write edit multiedit'),
  patches: wordSet('apply_patch patch')
}

export const opencode: Adapter = (event, payload) => {
  const properties = asFields(payload.properties)
  const own =
    asText(payload.sessionID) ??
    asText(properties.sessionID) ??
    asText(asFields(properties.info).id) ??
    asText(payload.rootSessionID)
  const cwd = asText(payload.directory)
  if (!own || !cwd) return null
  const session = asText(payload.rootSessionID) ?? own
  const isSubagent = session !== own
  return {
    origin: {
      session,
      cwd,
      transcript: null,
      subagent: isSubagent ? own : null,
      ...readModeAndModel(isSubagent ? {} : asFields(asFields(payload.output).message))
    },
    actions: normalize(event, payload, isSubagent)
  }
}

/** Only prompts carry these: opencode's mode is the name of the agent (plan, build, …) a prompt is sent to. */
function readModeAndModel(message: Fields): Pick<Origin, 'mode' | 'model'> {
  const { providerID, modelID } = asFields(message.model)
  const model = asText(providerID) && asText(modelID) ? `${providerID}/${modelID}` : null
  return { mode: asText(message.agent), model }
}

function normalize(event: string, payload: Fields, isSubagent: boolean): AgentAction[] {
  const output = asFields(payload.output)
  const properties = asFields(payload.properties)
  const call = asText(payload.callID)
  const tool = asText(payload.tool) ?? ''
  switch (event === 'event' ? payload.type : event.replace(/^event:/, '')) {
    case 'chat.message': {
      if (isSubagent) return []
      const texts = asList(output.parts).flatMap((part) => asText(asFields(part).text) ?? [])
      return [{ kind: 'prompt', text: texts.join('\n'), id: asText(asFields(output.message).id) }]
    }
    case 'tool.execute.before':
      return [{ kind: 'tool-start', use: readToolUse(call, tool, output.args, NAMES) }]
    case 'tool.execute.after': {
      const { output: text, exit } = asFields(output.metadata)
      const hasOutput = tool === 'bash' && text !== NO_OUTPUT
      const { command } = asFields(payload.args)
      return [
        toolEnd(readToolUse(call, tool, payload.args, NAMES), {
          output: hasOutput ? readOutput(command, text) : null,
          exit: tool === 'bash' ? readExit(command, exit) : null
        })
      ]
    }
    case 'dispose':
      return [{ kind: 'session-end' }]
    case 'session.idle':
      return isSubagent ? [{ kind: 'boundary' }] : [{ kind: 'stop', message: asText(payload.message), background: 0 }]
    case 'session.error': {
      const isAbort = asFields(properties.error).name === 'MessageAbortedError'
      return isAbort && !isSubagent ? [{ kind: 'interrupt' }] : []
    }
    case 'todo.updated':
      return isSubagent ? [] : [{ kind: 'todos', todos: readTodos(properties.todos) }]
    case 'session.compacted':
      return [{ kind: 'compact' }]
    default:
      return []
  }
}

/** opencode reports this text for a command that printed nothing. */
const NO_OUTPUT = '(no output)'
