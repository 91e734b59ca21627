/** The hosts of the relay: those that have a file, followed while `driftline hosts` adds and removes some. */
import type { EngineEvents, EventName } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import type { HostPlace } from '../../contract/hosts.ts'
import { log } from '../engine/ports/log.ts'
import { createHostAdder } from './add-host.ts'
import { hostNamed, hostNames, hostsChangedAt, removeHost } from './host-files.ts'
import { createRelayedHost, type RelayedHost } from './relayed-host.ts'

interface RelayedHostsOptions {
  readonly dataDir: string
  /** The folder of this program, whose build is sent to hosts. */
  readonly root: string
  readonly emit: <E extends EventName>(event: E, payload: EngineEvents[E]) => void
}

export type RelayedHosts = ReturnType<typeof createRelayedHosts>

/** How long the connections stay when the last page has gone, ms: it may only be loaded again. */
const REST_AFTER_MS = 60_000
/** Changes that follow each other at once are one event, ms. */
const CHANGED_PAUSE_MS = 30

export function createRelayedHosts({ dataDir, root, emit }: RelayedHostsOptions) {
  const hosts = new Map<string, RelayedHost>()
  const damaged = new Map<string, HostPlace>()
  let wanted = false
  let filesSeen = -1
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
  const readFile = (name: string): void => {
    if (adder.isAdding(name)) return
    try {
      const stored = hostNamed(dataDir, name)
      if (hosts.get(name)?.isAs(stored)) return
      drop(name)
      const host = createRelayedHost(stored, surroundings)
      hosts.set(name, host)
      if (wanted) host.want()
    } catch (error) {
      if (!(error instanceof DriftlineError)) throw error
      drop(name)
      damaged.set(name, damagedPlace(name, error.message))
    }
  }
  const readFiles = (): void => {
    try {
      const at = hostsChangedAt(dataDir)
      if (at === filesSeen) return
      const names = hostNames(dataDir)
      for (const name of [...hosts.keys(), ...damaged.keys()])
        if (!names.includes(name) && !adder.isAdding(name)) drop(name)
      for (const name of names) readFile(name)
      filesSeen = at
    } catch (error) {
      // Expected: EACCES, ENOENT between two calls. The next check reads them again.
      log.warn(`the hosts could not be listed (${(error as Error).message})`)
    }
  }

  return {
    /** Follows what `driftline hosts` did since the last call. */
    readFiles,
    /** Fails with UnknownTarget. */
    named(name: string): RelayedHost {
      readFiles()
      const host = hosts.get(name)
      if (host) return host
      throw new DriftlineError('UnknownTarget', `There is no host "${name}". Nothing was changed. Add it again.`, {
        host: name
      })
    },
    /** By name. */
    places(): HostPlace[] {
      readFiles()
      const places = [...[...hosts.values()].map((host) => host.place()), ...damaged.values()]
      return places.sort((a, b) => (a.name < b.name ? -1 : 1))
    },
    add: adder.add,
    cancel: adder.cancel,
    /** Ends what adds it, too. A host that is not there is removed already. */
    remove(name: string): void {
      adder.cancel(name)
      if (hostNames(dataDir).includes(name)) removeHost(dataDir, name)
      drop(name)
    },
    /** A page is open: all are connected, and those that are added later. */
    want(): void {
      wanted = true
      clearTimeout(restTimer)
      readFiles()
      for (const host of hosts.values()) host.want()
    },
    /** No page is open any more: all are disconnected, unless one is opened soon. */
    unwant(): void {
      wanted = false
      restTimer = setTimeout(() => {
        for (const host of hosts.values()) host.rest()
      }, REST_AFTER_MS)
      restTimer.unref()
    },
    close(): void {
      for (const timer of [changedTimer, restTimer]) clearTimeout(timer)
      adder.close()
      for (const host of hosts.values()) host.close()
      hosts.clear()
    }
  }
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
