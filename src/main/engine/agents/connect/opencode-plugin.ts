/** Our plugin for opencode: hands on what it is told, waits for the answer, and never throws, for that would block a tool. */

export function pluginText(mark: string, launcher: string): string {
  return `// ${mark}
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'

const LAUNCHER = ${JSON.stringify(launcher)}
const PATIENCE_MS = 2500
/** Characters of what a command printed: only its end is kept. */
const MOST_PRINTED = 64_000
const EVENTS = new Set(['session.idle', 'session.error', 'session.compacted', 'todo.updated'])
/** A subagent's session and the one it works for. */
const parents = new Map()
/** Ids of the agent's own messages, and what it said in each session since that was last idle, by part. */
const answers = new Set()
const spoken = new Map()

const listen = (type, { info, part }) => {
  if (type === 'message.updated' && info?.role === 'assistant') answers.add(info.id)
  if (type !== 'message.part.updated' || part?.type !== 'text' || !answers.has(part.messageID)) return
  spoken.set(part.sessionID, (spoken.get(part.sessionID) ?? new Map()).set(part.id, part.text))
}

/** What was said since the last time it was asked for. */
const words = (session) => {
  const parts = [...(spoken.get(session)?.values() ?? [])]
  spoken.delete(session)
  if (spoken.size === 0) answers.clear()
  return parts.join('\\n\\n')
}

const rootOf = (id) => {
  for (let depth = 0; depth < 20 && parents.has(id); depth++) id = parents.get(id)
  return id
}

const hand = (event, payload) =>
  new Promise((resolve) => {
    try {
      if (!existsSync(LAUNCHER)) return resolve()
      const child = spawn(LAUNCHER, ['hook', 'opencode', event], { stdio: ['pipe', 'ignore', 'ignore'] })
      const timer = setTimeout(() => {
        child.kill()
        resolve()
      }, PATIENCE_MS)
      const done = () => {
        clearTimeout(timer)
        resolve()
      }
      child.on('error', done)
      child.on('exit', done)
      child.stdin.on('error', () => {})
      child.stdin.end(JSON.stringify(payload))
    } catch {
      resolve()
    }
  })

/** opencode does not wait from one event to the next: each is handed on after the one before it. */
let last = Promise.resolve()
const tell = (event, payload) => (last = last.then(() => hand(event, payload)))

export const Driftline = async ({ directory }) => {
  const told = (event, input, more) =>
    tell(event, { ...input, ...more, directory, rootSessionID: rootOf(input.sessionID) })
  return {
    event: async ({ event }) => {
      const properties = event.properties ?? {}
      const info = properties.info ?? {}
      if (event.type === 'session.created' && info.parentID) parents.set(info.id, info.parentID)
      listen(event.type, properties)
      if (!EVENTS.has(event.type)) return
      const said = event.type === 'session.idle' ? { message: words(properties.sessionID) } : {}
      await tell('event', { ...event, ...said, directory, rootSessionID: rootOf(properties.sessionID) })
    },
    'chat.message': (input, output) => told('chat.message', input, { output }),
    'tool.execute.before': (input, output) => told('tool.execute.before', input, { output: { args: output.args } }),
    'tool.execute.after': (input, output) => {
      const printed = input.tool === 'bash' ? String(output?.metadata?.output ?? '').slice(-MOST_PRINTED) : ''
      return told('tool.execute.after', input, { output: { title: output?.title, metadata: { output: printed } } })
    }
  }
}
`
}
