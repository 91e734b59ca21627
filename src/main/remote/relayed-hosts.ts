/** The hosts of the relay: those that have a file, followed while `driftline hosts` adds and removes some. */
import type { EngineEvents, EventName } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import { createHostAdder } from './add-host.ts'
import { createFollowedHosts } from './followed-hosts.ts'
import { hostNames, removeHost } from './host-files.ts'
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
  let wanted = false
  let restTimer: ReturnType<typeof setTimeout> | undefined
  let changedTimer: ReturnType<typeof setTimeout> | undefined

  const changed = (): void => {
    changedTimer ??= setTimeout(() => {
      changedTimer = undefined
      emit('hosts.changed', {})
    }, CHANGED_PAUSE_MS)
  }
  const surroundings = { dataDir, changed, emit }
  const { hosts, readFiles, readAgain, drop, places } = createFollowedHosts({
    dataDir,
    changed,
    isAdding: (name) => adder.isAdding(name),
    create: (stored) => {
      const host = createRelayedHost(stored, surroundings)
      if (wanted) host.want()
      return host
    }
  })
  const adder = createHostAdder({ root, surroundings, hosts, emit, onEnded: readAgain })

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
    places,
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
