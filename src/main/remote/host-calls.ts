/** The calls to one host: answered by it, or, what only reads, from what was last shown while it is out of reach. */
import type { Client, Method } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import type { createFarConnection } from './far-connection.ts'
import type { createLostRestores } from './lost-restores.ts'
import { answerOfHost, isAnswer, mayKeep, shownKey } from './relayed-calls.ts'
import type { createShownCache } from './shown-cache.ts'

interface CallOptions {
  readonly name: string
  readonly shown: Pick<ReturnType<typeof createShownCache>, 'get' | 'put'>
  readonly connection: Pick<ReturnType<typeof createFarConnection>, 'client' | 'state' | 'settled'>
  readonly lostRestores: Pick<ReturnType<typeof createLostRestores>, 'apply'>
  /** The host answered. */
  readonly onContact: () => void
  /** Its list of folders is another one. */
  readonly onListChanged: (client: Client) => Promise<void>
}

/** They change the list of folders. */
const LISTED_ANEW: ReadonlySet<Method> = new Set(['workspaces.add', 'workspaces.remove', 'workspaces.locate'])

export function createHostCalls({ name, shown, connection, lostRestores, onContact, onListChanged }: CallOptions) {
  const clientOf = (): Client => {
    const client = connection.client()
    if (client) return client
    throw new DriftlineError(
      'HostUnreachable',
      `${name} is out of reach, and this was not shown before. Nothing was changed there. It is loaded once ${name} answers.`,
      { host: name }
    )
  }
  const ask = async (method: Method, params: Readonly<Record<string, unknown>>) => {
    const client = clientOf()
    const result: unknown = await (method === 'restore.apply'
      ? lostRestores.apply(client, params as never)
      : client.call(method, params as never))
    onContact()
    // A page that knows of a new folder finds it in the list.
    if (LISTED_ANEW.has(method)) await onListChanged(client)
    if (isAnswer(method, result)) return result
    throw new DriftlineError(
      'HostUnreachable',
      `${name} gave an answer that is none to “${method}”. Nothing on this computer was changed. \`driftline hosts add ${name}\` brings it up to date.`,
      { host: name, method }
    )
  }
  return {
    /** Fails with HostUnreachable when there is no connection. */
    client: clientOf,
    /** The answer of the host as JSON text. Fails with HostUnreachable, Disconnected and what the host fails with. */
    async call(method: Method, params: Readonly<Record<string, unknown>>): Promise<string> {
      const key = shownKey(method, params)
      const before = key === null ? undefined : shown.get(key)
      if (connection.client() === null && before !== undefined) return before
      if (connection.state().phase === 'connecting') await connection.settled()
      try {
        const result = await ask(method, params)
        const answer = JSON.stringify(answerOfHost(name, method, result))
        if (key !== null && mayKeep(result)) shown.put(key, answer)
        return answer
      } catch (error) {
        const isLost = error instanceof DriftlineError && error.code === 'Disconnected'
        if (isLost && before !== undefined) return before
        throw error
      }
    }
  }
}
