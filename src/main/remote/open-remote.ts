/** A client of the recorder of another machine, with what both sides must know of each other. */
import type { Client, Method, Params, Result } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import { outdatedSide, PROTOCOL } from '../../contract/protocol.ts'
import { createSocketClient, type SocketClient } from '../host/socket-client.ts'
import { VERSION } from '../version.ts'
import { connectRemote, type HostAnswer, type HostFacts } from './connect-remote.ts'
import { type RemoteHost, saveHost } from './host-files.ts'

/** How long the recorder there may take for its first answer, ms: the bridge waits for one that starts. */
const FIRST_ANSWER_MS = 30_000

export interface OpenedHost extends SocketClient {
  readonly host: RemoteHost
}

/**
 * Connects to a host and saves what was found. `decide`: what to do when the build of `host` is not there. Fails with
 * HostUnreachable, and with Refused when the two versions have no form of the contract in common.
 */
export async function openRemote(
  dataDir: string,
  host: RemoteHost,
  decide: (facts: HostFacts) => Promise<HostAnswer>
): Promise<OpenedHost> {
  try {
    let build = host.build
    const stream = await connectRemote({
      ...host,
      decide: async (facts) => {
        const answer = await decide(facts)
        build = 'install' in answer ? answer.install.id : ''
        return answer
      }
    })
    const opened = createSocketClient(stream)
    const { version } = await greet(host.name, opened)
    const found: RemoteHost = { ...host, build, version, state: 'reached', lastSeenAt: Date.now() }
    saveHost(dataDir, found)
    return { ...opened, client: namingVersions(host.name, version, opened.client), host: found }
  } catch (error) {
    const isUnreachable = error instanceof DriftlineError && error.code === 'HostUnreachable'
    if (isUnreachable && host.lastSeenAt > 0) saveHost(dataDir, { ...host, state: 'out-of-reach' })
    throw error
  }
}

/** The first call, which has the version and the protocol there. */
async function greet(name: string, { client, disconnect }: SocketClient): Promise<{ readonly version: string }> {
  const timer = setTimeout(disconnect, FIRST_ANSWER_MS)
  try {
    const { version, protocol } = await client.call('app.info', {})
    const outdated = outdatedSide(PROTOCOL, protocol)
    if (outdated === null) return { version }
    throw new DriftlineError('Refused', outdatedText(name, version, outdated), { host: name, version })
  } catch (error) {
    disconnect()
    if (!(error instanceof DriftlineError) || error.code !== 'Disconnected') throw error
    throw new DriftlineError(
      'HostUnreachable',
      `The recorder on ${name} gave no answer. What is recorded there is safe. What it printed is above; \`driftline hosts doctor ${name}\` checks the host.`,
      { host: name }
    )
  } finally {
    clearTimeout(timer)
  }
}

function outdatedText(name: string, version: string, outdated: 'near' | 'far'): string {
  const versions = `${name} runs Driftline ${version} and this computer ${VERSION}, which do not understand each other. Nothing was changed.`
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
