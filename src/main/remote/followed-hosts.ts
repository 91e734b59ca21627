/** The hosts that have a file, and those whose file is damaged, as `driftline hosts` adds, changes and removes them. */
import { DriftlineError } from '../../contract/errors.ts'
import type { HostPlace } from '../../contract/hosts.ts'
import { log } from '../engine/ports/log.ts'
import { hostNamed, hostNames, hostsChangedAt, type RemoteHost } from './host-files.ts'
import type { RelayedHost } from './relayed-host.ts'

interface FollowOptions {
  readonly dataDir: string
  /** A host whose file is new, or says now that it is reached in another manner. */
  create(stored: RemoteHost): RelayedHost
  /** Whether it is being added from the window: then its file does not count yet. */
  isAdding(name: string): boolean
  /** One came or went. */
  changed(): void
}

export function createFollowedHosts({ dataDir, create, isAdding, changed }: FollowOptions) {
  const hosts = new Map<string, RelayedHost>()
  const damaged = new Map<string, HostPlace>()
  let readAt = -1

  const drop = (name: string): void => {
    hosts.get(name)?.close()
    hosts.delete(name)
    damaged.delete(name)
    changed()
  }
  const readFile = (name: string): void => {
    if (isAdding(name)) return
    try {
      const stored = hostNamed(dataDir, name)
      if (hosts.get(name)?.isAs(stored)) return
      drop(name)
      hosts.set(name, create(stored))
    } catch (error) {
      if (!(error instanceof DriftlineError)) throw error
      drop(name)
      damaged.set(name, damagedPlace(name, error.message))
    }
  }
  const readFiles = (): void => {
    try {
      const at = hostsChangedAt(dataDir)
      if (at === readAt) return
      const names = hostNames(dataDir)
      for (const name of [...hosts.keys(), ...damaged.keys()]) if (!names.includes(name) && !isAdding(name)) drop(name)
      for (const name of names) readFile(name)
      readAt = at
    } catch (error) {
      // Expected: EACCES, ENOENT between two calls. The next check reads them again.
      log.warn(`the hosts could not be listed (${(error as Error).message})`)
    }
  }
  return {
    hosts,
    /** Follows what `driftline hosts` did since the last call. */
    readFiles,
    /** Reads them, whether they changed or not. */
    readAgain: (): void => {
      readAt = -1
      readFiles()
    },
    drop,
    /** By name. */
    places: (): HostPlace[] => {
      readFiles()
      const places = [...[...hosts.values()].map((host) => host.place()), ...damaged.values()]
      return places.sort((a, b) => (a.name < b.name ? -1 : 1))
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
