/** A client of the recorder of another machine, with what both sides must know of each other. */
import type { Client, Method, Params, Result } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import type { HostClock } from '../../contract/hosts.ts'
import { outdatedSide, PROTOCOL } from '../../contract/protocol.ts'
import type { EventFrame } from '../../contract/wire.ts'
import { createSocketClient, type SocketClient } from '../host/socket-client.ts'
import { VERSION } from '../version.ts'
import { connectRemote, type HostAnswer, type HostFacts } from './connect-remote.ts'
import type { HostTerms } from './host-command.ts'
import { type RemoteHost, saveHost, updateHost } from './host-files.ts'

/** How long the recorder there may take for its first answer, ms: the bridge waits for one that starts. */
const FIRST_ANSWER_MS = 30_000

export interface OpenedHost extends SocketClient {
  readonly host: RemoteHost
  /** Of a version that does not say: null. */
  readonly clock: HostClock | null
}

export interface OpenOptions extends HostTerms {
  /** What to do when the build of the host is not there. */
  readonly decide: (facts: HostFacts) => Promise<HostAnswer>
  /** The host is being added, or its command replaced; else one that was removed meanwhile stays removed. */
  readonly isNew?: boolean
  readonly onEvent?: (frame: EventFrame) => void
  /** Called before the first answer, so that further calls need no round trip of their own. */
  readonly onOpened?: (client: Client) => void
}

/**
 * Connects to a host and saves what was found. Fails with HostUnreachable, and with Refused when the two versions have no
 * form of the contract in common (`data.outdated`).
 */
export async function openRemote(dataDir: string, host: RemoteHost, options: OpenOptions): Promise<OpenedHost> {
  const { decide, isNew = false, onEvent = () => {}, onOpened = () => {}, ...terms } = options
  const save = isNew ? saveHost : updateHost
  let opened: SocketClient | null = null
  try {
    let build = host.build
    const stream = await connectRemote({
      ...host,
      ...terms,
      decide: async (facts) => {
        const answer = await decide(facts)
        build = 'install' in answer ? answer.install.id : ''
        return answer
      }
    })
    opened = createSocketClient(stream, { onEvent })
    const greeting = greet(host.name, opened, terms.signal)
    onOpened(opened.client)
    const { version, clock } = await greeting
    const found: RemoteHost = { ...host, build, version, state: 'reached', lastSeenAt: Date.now() }
    save(dataDir, found)
    return { ...opened, client: namingVersions(host.name, version, opened.client), host: found, clock }
  } catch (error) {
    opened?.disconnect()
    const isUnreachable = error instanceof DriftlineError && error.code === 'HostUnreachable'
    // A host that is being added stays as it was: its command may be the wrong one.
    if (isUnreachable && !isNew && host.lastSeenAt > 0) updateHost(dataDir, { ...host, state: 'out-of-reach' })
    throw error
  }
}

/** The first call, which has the version, the protocol and the clock there. */
async function greet(
  name: string,
  { client, disconnect }: SocketClient,
  signal: AbortSignal | undefined
): Promise<{ readonly version: string; readonly clock: HostClock | null }> {
  const timer = setTimeout(disconnect, FIRST_ANSWER_MS)
  signal?.addEventListener('abort', disconnect, { once: true })
  try {
    const askedAt = Date.now()
    const { version, protocol, now, utcOffset } = await client.call('app.info', {})
    const midway = (askedAt + Date.now()) / 2
    // An answer of anything else than a recorder.
    if (typeof version !== 'string' || typeof protocol?.version !== 'number') throw noAnswer(name)
    const outdated = outdatedSide(PROTOCOL, protocol)
    if (outdated !== null)
      throw new DriftlineError('Refused', outdatedText(name, version, outdated), { host: name, version, outdated })
    const isTimed = typeof now === 'number' && typeof utcOffset === 'number'
    return { version, clock: isTimed ? { utcOffset, ahead: Math.round(now - midway) } : null }
  } catch (error) {
    if (!(error instanceof DriftlineError) || error.code !== 'Disconnected') throw error
    throw noAnswer(name)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', disconnect)
  }
}

function noAnswer(name: string): DriftlineError {
  return new DriftlineError(
    'HostUnreachable',
    `The recorder on ${name} gave no answer. What is recorded there is safe. What it printed may say why; \`driftline hosts doctor ${name}\` checks the host.`,
    { host: name }
  )
}

function outdatedText(name: string, version: string, outdated: 'near' | 'far'): string {
  const versions = `${name} runs Driftline ${version}, this computer ${VERSION}, and the two are not compatible. Nothing was changed.`
  return outdated === 'far'
    ? `${versions} \`driftline hosts add ${name}\` brings ${name} up to date.`
    : `${versions} Update Driftline on this computer.`
}

/** Replaces the error about something that only one of two versions knows by one that says what to do. */
function namingVersions(name: string, version: string, client: Client): Client {
  if (version === VERSION) return client
  return {
    on: client.on,
    call: async <M extends Method>(method: M, params: Params<M>): Promise<Result<M>> => {
      try {
        return await client.call(method, params)
      } catch (error) {
        const isUnknown = error instanceof DriftlineError && error.code === 'Usage' && error.data.method === method
        if (!isUnknown) throw error
        throw new DriftlineError(
          'Refused',
          `${name} runs Driftline ${version}, which cannot do this (${error.message}). Nothing was changed. \`driftline hosts add ${name}\` installs version ${VERSION} there.`,
          { host: name, version, method }
        )
      }
    }
  }
}
