/** Our plugin for opencode: hands on what it is told, waits for the answer, and never throws, for that would block a tool. */

export function pluginText(mark: string, launcher: string): string {
  return `// ${mark}
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'

const LAUNCHER = ${JSON.stringify(launcher)}
const PATIENCE_MS = 2500
const EVENTS = new Set(['session.idle', 'session.compacted', 'todo.updated'])
/** A subagent's session and the one it works for. */
const parents = new Map()

const rootOf = (id) => {
  for (let depth = 0; depth < 20 && parents.has(id); depth++) id = parents.get(id)
  return id
}

const tell = (event, payload) =>
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

export const Driftline = async ({ directory }) => {
  const told = (event, input, more) =>
    tell(event, { ...input, ...more, directory, rootSessionID: rootOf(input.sessionID) })
  return {
    event: async ({ event }) => {
      const properties = event.properties ?? {}
      const info = properties.info ?? {}
      if (event.type === 'session.created' && info.parentID) parents.set(info.id, info.parentID)
      if (!EVENTS.has(event.type)) return
      await tell('event', { ...event, directory, rootSessionID: rootOf(properties.sessionID) })
    },
    'chat.message': (input, output) => told('chat.message', input, { output }),
    'tool.execute.before': (input, output) => told('tool.execute.before', input, { output: { args: output.args } }),
    'tool.execute.after': (input, output) => told('tool.execute.after', input, { output: { title: output?.title } })
  }
}
`
}
