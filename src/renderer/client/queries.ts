/**
 * The query cache over the channel. TanStack Query fetches each request once, drops late replies and keeps the objects
 * whose content did not change. Owns when a request is repeated: changes that the engine reports repeat the requests
 * they affect.
 * Invariants: of one request at most one fetch runs and one waits, because a busy run reports more changes than can be
 * fetched; and a fetch that started before a change never counts as its answer, because it may have read the older
 * data.
 */
import { type Query, QueryClient, type QueryKey } from '@tanstack/react-query'
import type { EngineEvents, Method, Params, Result } from '../../contract/api.ts'
import { hostOf } from '../../contract/hosts.ts'
import type { Connection } from './connection.ts'

export interface Queries {
  readonly cache: QueryClient
  /** Repeats a request: at most one fetch runs and one waits. */
  repeat(key: QueryKey): void
  /** Repeats a request without a pause, for what a person waits for. Rejects if it fails. */
  fetchNow(key: QueryKey): Promise<void>
  /** Requests what will probably be shown next, unless it is there. Null if that failed. */
  preload<M extends Method>(method: M, params: Params<M>): Promise<Result<M> | null>
  /** Whether a fetch has run for 150 ms: what is shown is then dimmed. */
  isSlow(hash: string): boolean
  subscribeSlow(listener: () => void): () => void
}

const SLOW_AFTER_MS = 150
/** Least time between two fetches of the same request. */
const PAUSE_MS = 250
/** Slow requests are repeated less often: the pause is this multiple of the fetch time. */
const PAUSE_TIMES = 4
/** Longest pause, ms: one slow answer, such as the first on a busy computer, must not leave what is shown out of date. */
const LONGEST_PAUSE_MS = 2000

export function createQueries(connection: Connection): Queries {
  const cache = new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        networkMode: 'always',
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        gcTime: 60_000
      }
    }
  })
  const slow = createSlowFetches(cache)
  const repeat = createRepeater(cache)
  const repeatAffected = (change: Change) => {
    for (const query of cache.getQueryCache().getAll()) {
      const affected = isAffected(query, change)
      if (affected) repeat(query, affected)
    }
  }
  const repeatFailed = () => {
    for (const query of cache.getQueryCache().getAll()) if (query.state.status === 'error') repeat(query, 'all')
  }
  // At once: what a person chose must not be asked again while the settings are requested.
  connection.client.on('settings.changed', ({ key, value }) =>
    cache.setQueryData<Result<'settings.get'>>(
      ['settings.get', {}],
      (now) => now && { ...now, values: { ...now.values, [key]: value } }
    )
  )
  forwardChanges(connection, repeatAffected, repeatFailed)
  return {
    cache,
    repeat: (key) => {
      const query = cache.getQueryCache().find({ queryKey: key, exact: true })
      if (query) repeat(query, 'new')
    },
    preload: (method, params) => {
      const queryFn = () => connection.client.call(method, params)
      // A failure is shown by the pane that asks for the same.
      return cache
        .fetchQuery({ queryKey: [method, params], queryFn, staleTime: Number.POSITIVE_INFINITY, meta: { live: true } })
        .catch(() => null)
    },
    fetchNow: async (key) => {
      const query = cache.getQueryCache().find({ queryKey: key, exact: true })
      // A running fetch may have read the data before the change.
      await query?.promise?.catch(() => {})
      await query?.fetch()
    },
    ...slow
  }
}

/**
 * [WR-1] Events of earlier revisions are dropped; after a gap in the revisions, or a reconnect that missed events, anything
 * may have changed. [WR-4] After one that missed none, only what failed meanwhile is to be repeated.
 */
function forwardChanges(connection: Connection, changed: (change: Change) => void, reopened: () => void): void {
  const revs = new Map<string, number>()
  let { generation, phase } = connection.state()
  connection.client.on('workspace.changed', ({ workspace, rev, kinds, paths }) => {
    const last = revs.get(workspace)
    if (last !== undefined && rev < last) return
    revs.set(workspace, rev)
    const gap = last !== undefined && rev > last + 1
    changed({ workspace, kinds: gap ? 'all' : kinds, paths })
  })
  connection.client.on('coverage.changed', ({ workspace }) => changed({ workspace, kinds: ['status'], paths: [] }))
  connection.client.on('settings.changed', () => changed({ workspace: null, kinds: ['settings'], paths: [] }))
  connection.client.on('workspaces.changed', () => changed({ workspace: null, kinds: ['workspaces'], paths: [] }))
  connection.client.on('hosts.changed', () => changed({ workspace: null, kinds: ['hosts'], paths: [] }))
  connection.client.on('host.reached', ({ host, complete }) => {
    for (const workspace of [...revs.keys()]) if (!complete && hostOf(workspace) === host) revs.delete(workspace)
    changed({ workspace: null, kinds: complete ? 'reached' : 'all', paths: [], host })
  })
  connection.subscribe(() => {
    const { generation: next, phase: nextPhase } = connection.state()
    const isReopened = nextPhase === 'open' && phase !== 'open'
    phase = nextPhase
    if (next === generation) {
      if (isReopened) reopened()
      return
    }
    const again = generation > 0
    generation = next
    if (!again) return
    revs.clear()
    changed({ workspace: null, kinds: 'all', paths: [] })
  })
}

/** `all`: loaded data may have changed, too, not only grown. */
function createRepeater(cache: QueryClient): (query: Query, what: Affected) => void {
  const started = new WeakMap<Query, number>()
  const notBefore = new WeakMap<Query, number>()
  const waiting = new WeakSet<Query>()
  cache.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    const now = performance.now()
    if (event.action.type === 'fetch') started.set(event.query, now)
    else if (event.query.state.fetchStatus === 'idle') {
      const took = now - (started.get(event.query) ?? now)
      const pause = Math.min(LONGEST_PAUSE_MS, Math.max(PAUSE_MS, PAUSE_TIMES * took))
      if (started.delete(event.query)) notBefore.set(event.query, now + pause)
    }
  })
  const waitForTurn = async (query: Query): Promise<void> => {
    // A running fetch may have read the data before the change.
    await query.promise?.catch(() => {})
    const wait = (notBefore.get(query) ?? 0) - performance.now()
    if (wait > 0) await new Promise((done) => setTimeout(done, wait))
  }
  const repeat = async (query: Query, what: Affected): Promise<void> => {
    if (what === 'all' || !query.isActive()) query.invalidate()
    if (!query.isActive()) {
      // A running fetch may have read the data before the change, and its answer would count as new.
      if (query.state.fetchStatus === 'fetching') void query.promise?.catch(() => {}).then(() => repeat(query, 'all'))
      return
    }
    if (waiting.has(query)) return
    waiting.add(query)
    await waitForTurn(query)
    waiting.delete(query)
    // The error is in the state of the query.
    if (query.isActive()) await query.fetch().catch(() => {})
    else query.invalidate()
  }
  return repeat
}

function createSlowFetches(cache: QueryClient): Pick<Queries, 'isSlow' | 'subscribeSlow'> {
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const slow = new Set<string>()
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of [...listeners]) listener()
  }
  cache.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' && type !== 'removed') return
    const { queryHash } = query
    const fetching = type === 'updated' && query.state.fetchStatus === 'fetching'
    if (fetching === timers.has(queryHash)) return
    if (fetching) {
      const timer = setTimeout(() => {
        slow.add(queryHash)
        notify()
      }, SLOW_AFTER_MS)
      timers.set(queryHash, timer)
      return
    }
    clearTimeout(timers.get(queryHash))
    timers.delete(queryHash)
    if (slow.delete(queryHash)) notify()
  })
  return {
    isSlow: (hash) => slow.has(hash),
    subscribeSlow: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}

type WorkspaceChange = EngineEvents['workspace.changed']['kinds'][number]

interface Change {
  /** null: the list of workspaces, or all of them after a reconnect. */
  readonly workspace: string | null
  /** `all`: anything may have changed (gap or reconnect). */
  readonly kinds: readonly (WorkspaceChange | 'workspaces' | 'settings' | 'hosts')[] | 'all' | 'reached'
  /** Paths of new edits. */
  readonly paths: readonly string[]
  /** Only requests to that host. `reached`: its answers may be older ones that were shown again. */
  readonly host?: string
}

interface Affects {
  /** New data is added; what was loaded stays valid. */
  readonly kinds: readonly (WorkspaceChange | 'workspaces' | 'settings' | 'hosts')[]
  /** Loaded data may have changed, too. */
  readonly all?: readonly WorkspaceChange[]
  /** Only while the newer side still moves: a live run, or the disk. */
  readonly live?: readonly WorkspaceChange[]
  /** Only if the path of the request was edited, always or while the newer side still moves. */
  readonly edited?: 'always' | 'live'
}

/** The only list of which engine changes affect which requests. */
const AFFECTED_BY: Partial<Readonly<Record<Method, Affects>>> = {
  'settings.get': { kinds: ['settings'] },
  'host.state': { kinds: ['workspaces'] },
  'hosts.list': { kinds: ['hosts'] },
  'workspaces.list': { kinds: ['workspaces', 'status'] },
  'workspace.status': { kinds: ['edits', 'runs', 'checkpoints', 'restores', 'drift', 'status', 'workspaces'] },
  'agents.list': { kinds: ['runs', 'status', 'workspaces'] },
  'coverage.list': { kinds: ['status', 'edits'] },
  'storage.get': { kinds: ['status', 'checkpoints', 'edits'] },
  'timeline.list': { kinds: ['edits', 'runs', 'checkpoints', 'drift', 'sessions'], all: ['restores'] },
  'entry.show': { kinds: ['runs', 'edits', 'sessions', 'checkpoints', 'reviews'] },
  'sessions.messages': { kinds: ['sessions', 'runs', 'restores'] },
  'sessions.show': { kinds: ['sessions', 'runs', 'restores', 'checkpoints'] },
  // Edits move comments in the present and in a live run only.
  'comments.list': { kinds: ['reviews', 'runs', 'restores'], live: ['edits'] },
  'comments.counts': { kinds: ['reviews'] },
  'review.findings': { kinds: ['runs', 'restores', 'settings'], live: ['edits'] },
  'review.get': { kinds: ['reviews', 'runs', 'restores'] },
  'bisect.state': { kinds: ['searches'] },
  'review.list': { kinds: ['reviews', 'runs'] },
  'diff.files': { kinds: ['runs', 'restores'], live: ['edits', 'drift'] },
  // Newer edits of an open file are offered, not shown: see features/diff/use-file-diff.ts.
  'diff.file': { kinds: ['restores'], edited: 'live' },
  'git.changes': { kinds: ['runs'] },
  'replay.edits': { kinds: ['runs'], live: ['edits'] },
  'file.history': { kinds: ['edits', 'restores', 'drift', 'runs'] },
  'file.blame': { kinds: ['edits', 'restores', 'drift', 'runs'], edited: 'always' }
}

/** How long an answer counts as new, ms: what was requested before a pane was drawn is not requested again by it. */
const NEW_FOR_MS = 1000

/** For what changes without a report, nothing is ever new. */
export function staleTimeOf(method: Method): number {
  return AFFECTED_BY[method] ? NEW_FOR_MS : 0
}

type RequestParams = { readonly workspace?: string; readonly path?: string } | null

/** How a change affects a request: by new data only, or by changing `all` data. */
type Affected = 'new' | 'all'

/** Null: not at all. */
function isAffected({ queryKey, meta }: Pick<Query, 'queryKey' | 'meta'>, change: Change): Affected | null {
  const [method, params, asked] = queryKey as readonly [Method, RequestParams, string?]
  const { kinds } = change
  if (change.host !== undefined) {
    if ((asked ?? hostOf(params?.workspace ?? '')) !== change.host) return null
    return kinds === 'all' ? 'all' : 'new'
  }
  if (change.workspace !== null && params?.workspace !== undefined && params.workspace !== change.workspace) return null
  const affects = AFFECTED_BY[method]
  // A gap in the events of a workspace says nothing about the settings.
  const ofWorkspaces = affects?.kinds.some((kind) => kind !== 'settings')
  if (kinds === 'all') return change.workspace === null || ofWorkspaces ? 'all' : null
  const live = meta?.live === true
  if (!affects) return null
  const byEdit = affects.edited === 'always' || (affects.edited === 'live' && live)
  if (byEdit && !change.paths.includes(params?.path ?? '')) return null
  const includes = (some: readonly string[] = []) => kinds !== 'reached' && kinds.some((kind) => some.includes(kind))
  if (includes(affects.all)) return 'all'
  return includes(affects.kinds) || (live && includes(affects.live)) ? 'new' : null
}
