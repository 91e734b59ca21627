/** opencode, through our plugin: it sends what the plugin interface gives it, with the folder and the root session added. */
import { type Adapter, type Fields, fields, type Happening, list, printedText, text, todosOf } from './event.ts'
import { type ToolNames, toolUse } from './tool-use.ts'

const NAMES: ToolNames = {
  harmless: new Set(
    'read glob grep list ls webfetch websearch todowrite todoread task question skill lsp plan_enter plan_exit'.split(
      ' '
    )
  ),
  writes: new Set(['write', 'edit', 'multiedit']),
  patches: new Set(['apply_patch', 'patch'])
}

export const opencode: Adapter = (event, payload) => {
  const properties = fields(payload.properties)
  const own =
    text(payload.sessionID) ??
    text(properties.sessionID) ??
    text(fields(properties.info).id) ??
    text(payload.rootSessionID)
  const cwd = text(payload.directory)
  if (!own || !cwd) return null
  const session = text(payload.rootSessionID) ?? own
  const inside = session !== own
  return {
    origin: {
      session,
      cwd,
      transcript: null,
      subagent: inside ? own : null,
      ...(inside ? NEITHER : saidWith(payload))
    },
    happened: happened(event, payload, inside)
  }
}

const NEITHER = { mode: null, model: null }

/** A prompt says which of its agents it is for (plan, build, …) and which model. */
function saidWith(payload: Fields): { mode: string | null; model: string | null } {
  const message = fields(fields(payload.output).message)
  const { providerID, modelID } = fields(message.model)
  const model = text(providerID) && text(modelID) ? `${providerID}/${modelID}` : null
  return { mode: text(message.agent), model }
}

function happened(event: string, payload: Fields, inside: boolean): Happening[] {
  const output = fields(payload.output)
  const call = text(payload.callID)
  const tool = text(payload.tool) ?? ''
  switch (event) {
    case 'chat.message': {
      if (inside) return []
      const words = list(output.parts).flatMap((part) => text(fields(part).text) ?? [])
      return [{ kind: 'prompt', text: words.join('\n'), id: text(fields(output.message).id) }]
    }
    case 'tool.execute.before':
      return [{ kind: 'tool-start', use: toolUse(call, tool, output.args, NAMES) }]
    case 'tool.execute.after':
      return [
        {
          kind: 'tool-end',
          use: toolUse(call, tool, payload.args, NAMES),
          failed: false,
          background: false,
          ...(tool === 'bash' ? printed(payload.args, fields(output.metadata).output) : {})
        }
      ]
    case 'dispose':
      return [{ kind: 'session-end' }]
    case 'event':
      return plain(text(payload.type) ?? '', payload, inside)
    default:
      return event.startsWith('event:') ? plain(event.slice(6), payload, inside) : []
  }
}

function printed(args: unknown, said: unknown) {
  return said === NOTHING_PRINTED ? {} : printedText(fields(args).command, said)
}

/** What it says of a command that printed nothing. */
const NOTHING_PRINTED = '(no output)'

function plain(type: string, payload: Fields, inside: boolean): Happening[] {
  switch (type) {
    case 'session.idle':
      return inside ? [{ kind: 'boundary' }] : [{ kind: 'stop', message: text(payload.message), background: 0 }]
    case 'session.error': {
      const { name } = fields(fields(payload.properties).error)
      return !inside && name === 'MessageAbortedError' ? [{ kind: 'interrupt' }] : []
    }
    case 'todo.updated':
      return inside ? [] : [{ kind: 'todos', todos: todosOf(fields(payload.properties).todos) }]
    case 'session.compacted':
      return [{ kind: 'compact' }]
    default:
      return []
  }
}
