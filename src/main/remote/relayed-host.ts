/** One host of the relay: its folders, its calls and events, and what was last shown of it while it is out of reach. */
import type { Client, EngineEvents, EventName, Method } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import { createEventOrder } from '../../contract/event-order.ts'
import type { HostPlace } from '../../contract/hosts.ts'
import { type Attempt, createFarConnection } from './far-connection.ts'
import { changesFolders, farEvent } from './far-events.ts'
import { createFolderList } from './far-folder-list.ts'
import { isHost, type RemoteHost, shownFileOf } from './host-files.ts'
import { createLostRestores } from './lost-restores.ts'
import { answerOfHost, isAnswer, mayKeep, shownKey } from './relayed-calls.ts'
import { createShownCache } from './shown-cache.ts'

/** They change the list of folders. */
const LISTED_ANEW: ReadonlySet<Method> = new Set(['workspaces.add', 'workspaces.remove', 'workspaces.locate'])

interface Surroundings {
  readonly dataDir: string
  /** The state or the folders changed. */
  readonly changed: () => void
  readonly emit: <E extends EventName>(event: E, payload: EngineEvents[E]) => void
}

export type RelayedHost = ReturnType<typeof createRelayedHost>

export function createRelayedHost(initial: RemoteHost, { dataDir, changed, emit }: Surroundings) {
  const { name } = initial
  const shown = createShownCache(shownFileOf(dataDir, name))
  const lostRestores = createLostRestores(name, emit)
  /** Nothing stays of a host that was removed meanwhile. */
  const saveShown = (): void => {
    if (isHost(dataDir, name)) shown.save()
  }
  let lastContact = initial.lastSeenAt

  const folders = createFolderList(initial, {
    shown,
    client: () => connection.client(),
    onChanged: (workspaces) => {
      connection.setFolders(workspaces)
      changed()
    }
  })
  const order = createEventOrder((frame) => {
    const event = farEvent(name, frame)
    if (event) emit(event.event, event.payload)
    if (changesFolders(frame)) folders.listSoon()
  })
  const connection = createFarConnection(initial, {
    dataDir,
    order,
    changed,
    greet: folders.list,
    onEvent: (frame) => {
      lastContact = Date.now()
      order.receive(frame)
    },
    onConnected: (client, complete) => {
      lastContact = Date.now()
      emit('host.reached', { host: name, complete })
      lostRestores.report(client)
    },
    onLost: saveShown
  })

  /** Fails with HostUnreachable when there is no connection. */
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
    lastContact = Date.now()
    // A page that knows of a new folder finds it in the list.
    if (LISTED_ANEW.has(method)) await folders.list(client)
    if (isAnswer(method, result)) return result
    throw new DriftlineError(
      'HostUnreachable',
      `${name} gave an answer that is none to “${method}”. Nothing on this computer was changed. \`driftline hosts add ${name}\` brings it up to date.`,
      { host: name, method }
    )
  }

  return {
    name,
    place: (): HostPlace => {
      const { phase, ...state } = connection.state()
      const { command, version } = connection.stored()
      const workspaces =
        phase === 'connected' ? folders.now() : folders.now().map((folder) => ({ ...folder, live: false }))
      return { name, command, phase, ...state, lastSeenAt: lastContact, version, workspaces }
    },
    /** Whether it is reached as it was, whatever else its file says now. */
    isAs: ({ command, build }: RemoteHost): boolean => {
      const stored = connection.stored()
      return build === stored.build && command.join('\0') === stored.command.join('\0')
    },
    /**
     * The answer of the host as JSON text. What only reads is answered from what was last shown while the host is out of
     * reach. Fails with HostUnreachable, Disconnected and what the host fails with.
     */
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
    },
    client: clientOf,
    want: connection.want,
    retry: connection.retry,
    openAs: (next: RemoteHost, how: Attempt): Promise<void> => connection.openAs(next, how),
    rest(): void {
      connection.rest()
      saveShown()
    },
    /** Ends it for good. */
    close(): void {
      connection.close()
      saveShown()
    }
  }
}
