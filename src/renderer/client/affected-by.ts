/** The only list of which engine changes affect which requests. Pure. */
import type { Query } from '@tanstack/react-query'
import type { EngineEvents, Method } from '../../contract/api.ts'

type WorkspaceChange = EngineEvents['workspace.changed']['kinds'][number]

export interface Change {
  /** null: the list of workspaces, or all of them after a reconnect. */
  readonly workspace: string | null
  /** `all`: anything may have changed (gap or reconnect). */
  readonly kinds: readonly (WorkspaceChange | 'workspaces')[] | 'all'
  /** Paths of new edits. */
  readonly paths: readonly string[]
}

interface Affects {
  /** New data is added; what was loaded stays valid. */
  readonly kinds: readonly Change['kinds'][number][]
  /** Loaded data may have changed, too. */
  readonly all?: readonly WorkspaceChange[]
  /** Only while the newer side still moves: a live run, or the disk. */
  readonly live?: readonly WorkspaceChange[]
  /** Only if the path of the request was edited, always or while the newer side still moves. */
  readonly edited?: 'always' | 'live'
}

const AFFECTED_BY: Partial<Readonly<Record<Method, Affects>>> = {
  'workspaces.list': { kinds: ['workspaces', 'status'] },
  'workspace.status': { kinds: ['edits', 'runs', 'checkpoints', 'restores', 'drift', 'status', 'workspaces'] },
  'agents.list': { kinds: ['runs', 'status', 'workspaces'] },
  'coverage.list': { kinds: ['status', 'edits'] },
  'storage.get': { kinds: ['status', 'checkpoints', 'edits'] },
  'timeline.list': { kinds: ['edits', 'runs', 'checkpoints', 'drift', 'sessions'], all: ['restores'] },
  'entry.show': { kinds: ['runs', 'edits', 'sessions', 'checkpoints'] },
  'sessions.show': { kinds: ['sessions', 'runs', 'restores', 'checkpoints'] },
  'diff.files': { kinds: ['runs', 'restores'], live: ['edits', 'drift'] },
  // Newer edits of an open file are offered, not shown: see features/diff/use-file-diff.ts.
  'diff.file': { kinds: ['restores'], edited: 'live' },
  'file.history': { kinds: ['edits', 'restores', 'drift', 'runs'] },
  'file.blame': { kinds: ['edits', 'restores', 'drift', 'runs'], edited: 'always' }
}

type RequestParams = { readonly workspace?: string; readonly path?: string } | null

/** How a change affects a request: only by new data, or by changing `all` of it. */
export function isAffected({ queryKey, meta }: Pick<Query, 'queryKey' | 'meta'>, change: Change): 'new' | 'all' | null {
  const [method, params] = queryKey as readonly [Method, RequestParams]
  const { kinds } = change
  if (change.workspace !== null && params?.workspace !== undefined && params.workspace !== change.workspace) return null
  const affects = AFFECTED_BY[method]
  if (kinds === 'all') return change.workspace === null || affects ? 'all' : null
  const live = meta?.live === true
  if (!affects) return null
  const byEdit = affects.edited === 'always' || (affects.edited === 'live' && live)
  if (byEdit && !change.paths.includes(params?.path ?? '')) return null
  const includes = (some: readonly string[] = []) => kinds.some((kind) => some.includes(kind))
  if (includes(affects.all)) return 'all'
  return includes(affects.kinds) || (live && includes(affects.live)) ? 'new' : null
}
