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
import { type Channel, openChannel } from '../../contract/wire.ts'
import { log } from '../engine/ports/log.ts'
import { checkedHost } from './host-check.ts'
import { callForRelay, type RelayedCall } from './relayed-calls.ts'
import { createRelayedHosts, type RelayedHosts } from './relayed-hosts.ts'

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

export function createRelay({ dataDir, root, connect, emit }: RelayOptions): Relay {
  const hosts = createRelayedHosts({ dataDir, root, emit })
  const answer = answersOf(hosts)
  let pages = 0
  let filesTimer: ReturnType<typeof setInterval> | undefined

  const pageCame = (): void => {
    pages += 1
    if (pages > 1) return
    hosts.want()
    filesTimer = setInterval(hosts.readFiles, FILES_EVERY_MS)
    filesTimer.unref()
  }
  const pageWent = (): void => {
    pages -= 1
    if (pages > 0) return
    clearInterval(filesTimer)
    hosts.unwant()
  }

  return {
    connect(channel, closed) {
      const near = openChannel((frame) => channel.send(frame))
      let isOpen = true
      const leave = (): void => {
        if (isOpen) pageWent()
        isOpen = false
      }
      pageCame()
      const disconnect = connect(near.channel, closed)
      channel.onFrame((frame) => {
        const call = callForRelay(frame)
        if (call === null) return near.deliver(frame)
        replyTo(call, answer).then((reply) => {
          if (isOpen) channel.send(reply)
        })
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
      clearInterval(filesTimer)
      hosts.close()
    }
  }
}

type Answer = (call: RelayedCall) => Promise<string>

/** The frame with the answer, or with the error. Never rejects. */
async function replyTo(call: RelayedCall, answer: Answer): Promise<string> {
  try {
    return `{"id":${call.id},"result":${await answer(call)}}`
  } catch (error) {
    if (!(error instanceof DriftlineError)) log.error(`${call.method} failed`, error)
    return JSON.stringify({ id: call.id, error: toErrorShape(error) })
  }
}

/** Answers as JSON text: of the relay itself, or of the host that the call names. */
function answersOf(hosts: RelayedHosts): Answer {
  const own: { readonly [M in Extract<Method, `hosts.${string}`>]: (params: Params<M>) => Promise<unknown> } = {
    'hosts.list': async () => ({ hosts: hosts.places() }),
    'hosts.add': (params) => hosts.add(params),
    'hosts.cancel': async ({ name }) => {
      hosts.cancel(name)
      return {}
    },
    'hosts.remove': async ({ name }) => {
      hosts.remove(name)
      return {}
    },
    'hosts.connect': async ({ name }) => {
      hosts.named(name).retry()
      return {}
    },
    'hosts.check': async ({ name }) => ({ problems: await checkedHost(hosts.named(name)) })
  }
  return async ({ method, params, host }) => {
    if (!method.startsWith('hosts.')) return hosts.named(host).call(method as Method, params)
    // Imported on demand: most windows have no hosts, and the schemas are large.
    const { parseParams } = await import('../../contract/parse-params.ts')
    const { isMethod } = await import('../../contract/params.ts')
    if (!isMethod(method)) throw new DriftlineError('Usage', `Driftline has no method "${method}".`, { method })
    const parsed = parseParams(method, params)
    if ('wrong' in parsed) throw new DriftlineError('Usage', `${method}: ${parsed.wrong}.`, { method })
    return JSON.stringify(await (own[method as keyof typeof own] as (params: unknown) => unknown)(parsed.params))
  }
}
