/** One host of the relay: its folders, its calls and events, and what was last shown of it while it is out of reach. */
import type { EngineEvents, EventName } from '../../contract/api.ts'
import { createEventOrder } from '../../contract/event-order.ts'
import type { HostPlace } from '../../contract/hosts.ts'
import { type Attempt, createFarConnection } from './far-connection.ts'
import { changesFolders, farEvent } from './far-events.ts'
import { createFolderList } from './far-folder-list.ts'
import { createHostCalls } from './host-calls.ts'
import { isHost, type RemoteHost, shownFileOf } from './host-files.ts'
import { createLostRestores } from './lost-restores.ts'
import { createShownCache } from './shown-cache.ts'

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
  const onContact = (): void => {
    lastContact = Date.now()
  }

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
      onContact()
      order.receive(frame)
    },
    onConnected: (client, complete) => {
      onContact()
      emit('host.reached', { host: name, complete })
      lostRestores.report(client)
    },
    onLost: saveShown
  })

  const calls = createHostCalls({
    ...{ name, shown, connection, lostRestores },
    onContact,
    onListChanged: folders.list
  })

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
    call: calls.call,
    client: calls.client,
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
