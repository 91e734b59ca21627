// `ipcMain`: values are structured clones, as between processes; functions are refused.
import { EventEmitter } from 'node:events'
import { deserialize, serialize } from 'node:v8'
import { strict } from './strict.mjs'

export const clone = (value) => deserialize(serialize(value))

const handlers = new Map()

class IpcMain extends EventEmitter {
  handle(channel, handler) {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
    handlers.set(channel, handler)
  }
  removeHandler(channel) {
    handlers.delete(channel)
  }
}

const theIpcMain = new IpcMain()
export const ipcMain = strict('ipcMain', theIpcMain)

/** What a page's `ipcRenderer.invoke` gets: `{ok}` or `{failed}` with Electron's message. */
export async function answerInvoke(event, channel, args) {
  const handler = handlers.get(channel)
  if (!handler) return { failed: `Error: No handler registered for '${channel}'` }
  try {
    return { ok: clone(await handler(event, ...args)) }
  } catch (error) {
    return { failed: String(error) }
  }
}

export function deliverSend(event, channel, args) {
  theIpcMain.emit(channel, event, ...args)
}
