/**
 * The source of our opencode plugin. It forwards events to the launcher and waits for the reply, because a tool must
 * not start before its paths are captured, and adds to a prompt what the hook prints (RV-5). It throws only to refuse a
 * tool (RV-7): an error blocks it.
 */
import { batchArguments } from '../../ports/programs.ts'
import { LIMIT_SECONDS } from './limited-command.ts'

export function pluginText(mark: string, launcher: string, platform: string = process.platform): string {
  return `// ${mark}
import { spawn } from 'node:child_process'

const LAUNCHER = ${JSON.stringify(launcher)}
const TIMEOUT_MS = ${LIMIT_SECONDS * 1000}
/** Only the end of a command's output is forwarded, characters. */
const MAX_OUTPUT = 64_000
const EVENTS = new Set(['session.idle', 'session.error', 'session.compacted', 'todo.updated'])
/** Subagent session id -> parent session id. */
const parents = new Map()
/** Ids of assistant messages, and the text of each session since it was last idle: session id -> part id -> text. */
const assistantMessages = new Set()
const texts = new Map()

const collectText = (type, { info, part }) => {
  if (type === 'message.updated' && info?.role === 'assistant') assistantMessages.add(info.id)
  if (type !== 'message.part.updated' || part?.type !== 'text' || !assistantMessages.has(part.messageID)) return
  texts.set(part.sessionID, (texts.get(part.sessionID) ?? new Map()).set(part.id, part.text))
}

/** Returns and clears the assistant's text of a session since it was last idle. */
const takeText = (session) => {
  const parts = [...(texts.get(session)?.values() ?? [])]
  texts.delete(session)
  if (texts.size === 0) assistantMessages.clear()
  return parts.join('\\n\\n')
}

const rootOf = (id) => {
  for (let depth = 0; depth < 20 && parents.has(id); depth++) id = parents.get(id)
  return id
}

const callHook = (event, payload) =>
  new Promise((resolve) => {
    try {
      const child = ${platform === 'win32' ? windowsStart(launcher) : POSIX_START}
      const timer = setTimeout(() => {
        child.kill()
        resolve()
      }, TIMEOUT_MS)
      let printed = ''
      child.stdout.setEncoding('utf8').on('data', (text) => (printed += text))
      const done = () => {
        clearTimeout(timer)
        resolve(printed)
      }
      child.on('error', done)
      child.on('close', done)
      child.stdin.on('error', () => {})
      child.stdin.end(JSON.stringify(payload))
    } catch {
      resolve()
    }
  })

/** Adds what the hook prints to the text of a prompt. */
const addAnswer = (parts, printed) => {
  try {
    const { text } = JSON.parse(printed)
    const last = parts.findLast((part) => part.type === 'text')
    if (last && typeof text === 'string') last.text += '\\n\\n' + text
  } catch {
    // It printed nothing.
  }
}

/** Why the tool must not run, if the hook says so. */
const refusalIn = (printed) => {
  try {
    const { refused } = JSON.parse(printed)
    return typeof refused === 'string' ? refused : ''
  } catch {
    // It printed nothing.
    return ''
  }
}

/** opencode does not await one event before it sends the next: this queue keeps their order. */
let queue = Promise.resolve()
const send = (event, payload) => (queue = queue.then(() => callHook(event, payload)))

export const Driftline = async ({ directory }) => {
  const sendCall = (event, input, more) =>
    send(event, { ...input, ...more, directory, rootSessionID: rootOf(input.sessionID) })
  return {
    event: async ({ event }) => {
      const properties = event.properties ?? {}
      const info = properties.info ?? {}
      if (event.type === 'session.created' && info.parentID) parents.set(info.id, info.parentID)
      collectText(event.type, properties)
      if (!EVENTS.has(event.type)) return
      const reply = event.type === 'session.idle' ? { message: takeText(properties.sessionID) } : {}
      await send('event', { ...event, ...reply, directory, rootSessionID: rootOf(properties.sessionID) })
    },
    'chat.message': async (input, output) => addAnswer(output.parts, await sendCall('chat.message', input, { output })),
    'tool.execute.before': async (input, output) => {
      const refused = refusalIn(await sendCall('tool.execute.before', input, { output: { args: output.args } }))
      if (refused) throw new Error(refused)
    },
    'tool.execute.after': (input, output) => {
      const printed = input.tool === 'bash' ? String(output?.metadata?.output ?? '').slice(-MAX_OUTPUT) : ''
      return sendCall('tool.execute.after', input, { output: { title: output?.title, metadata: { output: printed } } })
    }
  }
}
`
}

/** Through a shell: `spawn` waits until the launcher is read, and its disk may hang. */
const POSIX_START = `spawn('/bin/sh', ['-c', '[ -x "$0" ] && exec "$0" hook opencode "$1"', LAUNCHER, event], {
        stdio: ['pipe', 'pipe', 'ignore']
      })`

/** Windows starts a batch file through cmd.exe. Names of events hold nothing that it would interpret. */
function windowsStart(launcher: string): string {
  const args = batchArguments(launcher, ['hook', 'opencode', 'EVENT'])
  const [head, tail] = (args.pop() ?? '').split(/EVENT(?="$)/)
  const line = `${JSON.stringify(head)} + event + ${JSON.stringify(tail)}`
  const words = [...args.map((arg) => JSON.stringify(arg)), line].join(', ')
  return `spawn(process.env.ComSpec ?? 'cmd.exe', [${words}], {
        stdio: ['pipe', 'pipe', 'ignore'],
        windowsVerbatimArguments: true,
        windowsHide: true
      })`
}
