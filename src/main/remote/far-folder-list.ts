/** The recorded folders of one host, as last listed: also while it is out of reach, and after a start. */
import type { Client } from '../../contract/api.ts'
import type { WorkspaceSummary } from '../../contract/workspace.ts'
import { farFolders } from './far-folders.ts'
import type { RemoteHost } from './host-files.ts'
import { shownKey } from './relayed-calls.ts'
import type { ShownCache } from './shown-cache.ts'

/** Least time between two lists that events ask for, ms. */
const LIST_PAUSE_MS = 1000
const LIST_KEY = shownKey('workspaces.list', {}) as string

interface FolderListOptions {
  readonly shown: ShownCache
  /** Null while there is no connection. */
  readonly client: () => Client | null
  /** The folders are other ones. */
  readonly onChanged: (folders: RemoteHost['workspaces']) => void
}

export function createFolderList(host: RemoteHost, { shown, client, onChanged }: FolderListOptions) {
  const { name } = host
  let folders = foldersShown(host, shown.get(LIST_KEY))

  const list = async (from: Client): Promise<void> => {
    const listed = await from.call('workspaces.list', {})
    const now = farFolders(name, (listed as { workspaces?: unknown } | null)?.workspaces)
    const differ = JSON.stringify(now) !== JSON.stringify(folders)
    folders = now
    shown.put(LIST_KEY, JSON.stringify({ workspaces: now, left: [] }))
    if (differ) onChanged(now.map(({ id, root }) => ({ id: id.slice(name.length + 1), root })))
  }
  const listing = createThrottle(LIST_PAUSE_MS, async () => {
    const from = client()
    // Expected: Disconnected. The next connection lists again.
    if (from) await list(from).catch(() => {})
  })
  return {
    /** With ids that name the host. */
    now: (): readonly WorkspaceSummary[] => folders,
    /** Lists them now. */
    list,
    /** Lists them soon, once for many events. */
    listSoon: listing.request
  }
}

/** The folders as last listed; of a host that was never shown, as the command line stored them. */
function foldersShown({ name, workspaces }: RemoteHost, listed: string | undefined): readonly WorkspaceSummary[] {
  const last = listed === undefined ? null : readListed(listed)
  if (last === null) return farFolders(name, workspaces)
  return farFolders(
    name,
    last.map((folder) => ({ ...folder, id: String(folder?.id).slice(name.length + 1) }))
  )
}

/** Null for what is no list: it came from a file. */
function readListed(listed: string): readonly (Partial<WorkspaceSummary> | null)[] | null {
  try {
    const { workspaces } = (JSON.parse(listed) ?? {}) as { workspaces?: unknown }
    return Array.isArray(workspaces) ? workspaces : null
  } catch {
    // SyntaxError: the file was damaged.
    return null
  }
}

/** Runs the work at once, and again after a pause if it was requested meanwhile. */
function createThrottle(pause: number, work: () => Promise<void>): { request(): void } {
  let isBusy = false
  let again = false
  const run = async (): Promise<void> => {
    isBusy = true
    again = false
    await work()
    setTimeout(() => {
      isBusy = false
      if (again) request()
    }, pause).unref()
  }
  const request = (): void => {
    if (isBusy) again = true
    else void run()
  }
  return { request }
}
