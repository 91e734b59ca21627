/**
 * The relay: what pages ask of other machines goes to these, everything else to the engine of this computer. A page has one
 * channel; the workspace of a call, or its frame, names the host. The relay keeps one connection to each host while a page
 * is open, and passes the events of all of them on through the engine, which numbers them with its own.
 *
 * Only pages have it: a command names a host itself (`--host`), and another machine that is connected to this one reaches
 * no further.
 */
import type { EngineEvents, EventName, Method, Params } from '../../contract/api.ts'
import { DriftlineError, toErrorShape } from '../../contract/errors.ts'
import { type HostPlace, placeOf } from '../../contract/hosts.ts'
import { type Channel, openChannel } from '../../contract/wire.ts'
import { log } from '../engine/ports/log.ts'
import { createHostAdder } from './add-host.ts'
import { checkedHost } from './host-check.ts'
import { hostNamed, hostNames, hostsChangedAt, removeHost } from './host-files.ts'
import { staysHere } from './relayed-calls.ts'
import { createRelayedHost, type RelayedHost } from './relayed-host.ts'

type Connect = (channel: Channel, closed?: () => void) => () => void

interface RelayOptions {
  readonly dataDir: string
  /** The folder of this program, whose build is sent to hosts. */
  readonly root: string
  /** Connects a channel to the engine of this computer. */
  readonly connect: Connect
  /** Sends an event to all its clients. */
  readonly emit: <E extends EventName>(event: E, payload: EngineEvents[E]) => void
}

export interface Relay {
  readonly connect: Connect
  close(): void
}

/** Between two checks whether a command added or removed a host, ms. */
const FILES_EVERY_MS = 2000
/** How long the connections stay when the last page has gone, ms: it may only be loaded again. */
const REST_AFTER_MS = 60_000
/** Changes that follow each other at once are one event, ms. */
const CHANGED_PAUSE_MS = 30

export function createRelay({ dataDir, root, connect, emit }: RelayOptions): Relay {
  const hosts = new Map<string, RelayedHost>()
  const damaged = new Map<string, HostPlace>()
  let pages = 0
  let filesSeen = -1
  let filesTimer: ReturnType<typeof setInterval> | undefined
  let restTimer: ReturnType<typeof setTimeout> | undefined
  let changedTimer: ReturnType<typeof setTimeout> | undefined

  const changed = (): void => {
    changedTimer ??= setTimeout(() => {
      changedTimer = undefined
      emit('hosts.changed', {})
    }, CHANGED_PAUSE_MS)
  }
  const surroundings = { dataDir, changed, emit }
  const onEnded = (): void => {
    filesSeen = -1
    readFiles()
  }
  const adder = createHostAdder({ root, surroundings, hosts, emit, onEnded })

  const drop = (name: string): void => {
    hosts.get(name)?.close()
    hosts.delete(name)
    damaged.delete(name)
    changed()
  }
  const readOne = (name: string): void => {
    if (adder.isAdding(name)) return
    try {
      const stored = hostNamed(dataDir, name)
      if (hosts.get(name)?.isAs(stored)) return
      drop(name)
      const host = createRelayedHost(stored, surroundings)
      hosts.set(name, host)
      if (pages > 0) host.want()
    } catch (error) {
      if (!(error instanceof DriftlineError)) throw error
      drop(name)
      damaged.set(name, damagedPlace(name, error.message))
    }
  }
  /** Follows what `driftline hosts` does meanwhile. */
  const readFiles = (): void => {
    try {
      const at = hostsChangedAt(dataDir)
      if (at === filesSeen) return
      filesSeen = at
      const names = hostNames(dataDir)
      for (const name of [...hosts.keys(), ...damaged.keys()])
        if (!names.includes(name) && !adder.isAdding(name)) drop(name)
      for (const name of names) readOne(name)
    } catch (error) {
      // Expected: EACCES, ENOENT between two calls. The next check reads them again.
      log.warn(`the hosts could not be listed (${(error as Error).message})`)
    }
  }
  const known = (name: string): RelayedHost => {
    readFiles()
    const host = hosts.get(name)
    if (host) return host
    throw new DriftlineError('UnknownTarget', `There is no host "${name}". Nothing was changed. Add it again.`, {
      host: name
    })
  }

  /** Answers of the relay itself, as JSON text. */
  const answers: { readonly [M in Extract<Method, `hosts.${string}`>]: (params: Params<M>) => Promise<unknown> } = {
    'hosts.list': async () => {
      readFiles()
      const places = [...[...hosts.values()].map((host) => host.place()), ...damaged.values()]
      return { hosts: places.sort((a, b) => (a.name < b.name ? -1 : 1)) }
    },
    'hosts.add': (params) => adder.add(params),
    'hosts.cancel': async ({ name }) => {
      adder.cancel(name)
      return {}
    },
    'hosts.remove': async ({ name }) => {
      adder.cancel(name)
      if (hostNames(dataDir).includes(name)) removeHost(dataDir, name)
      drop(name)
      return {}
    },
    'hosts.connect': async ({ name }) => {
      known(name).retry()
      return {}
    },
    'hosts.check': async ({ name }) => ({ problems: await checkedHost(known(name)) })
  }
  const ask = async (call: Call): Promise<string> => {
    if (!call.method.startsWith('hosts.')) return known(call.host).call(call.method as Method, call.params)
    // Imported on demand: most windows have no hosts, and the schemas are large.
    const { parseParams } = await import('../../contract/parse-params.ts')
    const { isMethod } = await import('../../contract/params.ts')
    const { method } = call
    if (!isMethod(method)) throw new DriftlineError('Usage', `Driftline has no method "${method}".`, { method })
    const parsed = parseParams(method, call.params)
    if ('wrong' in parsed) throw new DriftlineError('Usage', `${method}: ${parsed.wrong}.`, { method })
    return JSON.stringify(
      await (answers[method as keyof typeof answers] as (params: unknown) => unknown)(parsed.params)
    )
  }

  const pageCame = (): void => {
    pages += 1
    clearTimeout(restTimer)
    if (pages > 1) return
    readFiles()
    for (const host of hosts.values()) host.want()
    filesTimer = setInterval(readFiles, FILES_EVERY_MS)
    filesTimer.unref()
  }
  const pageWent = (): void => {
    pages -= 1
    if (pages > 0) return
    clearInterval(filesTimer)
    restTimer = setTimeout(() => {
      for (const host of hosts.values()) host.rest()
    }, REST_AFTER_MS)
    restTimer.unref()
  }

  return {
    connect(channel, closed) {
      const near = openChannel((frame) => channel.send(frame))
      let isOpen = true
      const leave = (): void => {
        if (isOpen) pageWent()
        isOpen = false
      }
      const reply = (frame: string): void => {
        if (isOpen) channel.send(frame)
      }
      pageCame()
      const disconnect = connect(near.channel, closed)
      channel.onFrame((frame) => {
        const call = callForRelay(frame)
        if (call === null) return near.deliver(frame)
        ask(call).then(
          (answer) => reply(`{"id":${call.id},"result":${answer}}`),
          (error: unknown) => {
            if (!(error instanceof DriftlineError)) log.error(`${call.method} failed`, error)
            reply(JSON.stringify({ id: call.id, error: toErrorShape(error) }))
          }
        )
      })
      channel.onClose(() => {
        leave()
        near.closed()
      })
      return () => {
        leave()
        disconnect()
      }
    },
    close() {
      for (const timer of [filesTimer, restTimer, changedTimer]) clearTimeout(timer)
      adder.close()
      for (const host of hosts.values()) host.close()
      hosts.clear()
    }
  }
}

interface Call {
  readonly id: number
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  /** "" for a call to the relay itself. */
  readonly host: string
}

/** The call that a frame holds, if it is not for the engine of this computer. */
function callForRelay(frame: string): Call | null {
  let read: { id?: unknown; method?: unknown; params?: unknown; host?: unknown } | null
  try {
    read = JSON.parse(frame)
  } catch {
    // SyntaxError: the engine decides what to do with it.
    return null
  }
  const { id, method, host } = read ?? {}
  if (typeof id !== 'number' || typeof method !== 'string') return null
  const params = { ...(read?.params as Readonly<Record<string, unknown>>) }
  if (method.startsWith('hosts.')) return { id, method, params, host: '' }
  if (staysHere(method)) return null
  const place = typeof params.workspace === 'string' ? placeOf(params.workspace) : null
  if (place) return { id, method, params: { ...params, workspace: place.id }, host: place.host }
  return typeof host === 'string' ? { id, method, params, host } : null
}

function damagedPlace(name: string, reason: string): HostPlace {
  return {
    name,
    command: [],
    phase: 'damaged',
    since: Date.now(),
    lastSeenAt: 0,
    reason,
    printed: '',
    outdated: null,
    version: '',
    clock: null,
    workspaces: []
  }
}
