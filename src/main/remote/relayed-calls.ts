/**
 * What the relay knows about the calls of the contract: where they go, which only read, and which answers name a workspace.
 * Pure.
 */
import type { Method } from '../../contract/api.ts'
import { idOnHost, placeOf } from '../../contract/hosts.ts'
import type { WorkspaceId } from '../../contract/workspace.ts'

/** Shown again from the cache while the host is out of reach, unless a file looks like it holds credentials. */
const SHOWN: ReadonlySet<string> = new Set<Method>([
  'app.info',
  'app.command',
  'host.state',
  'settings.get',
  'workspaces.list',
  'workspace.status',
  'coverage.list',
  'storage.get',
  'agents.list',
  'timeline.list',
  'entry.show',
  'diff.files',
  'diff.file',
  'file.history',
  'sessions.list',
  'sessions.show',
  'sessions.messages',
  'comments.list',
  'comments.counts',
  'review.findings',
  'review.get',
  'review.list'
])

/** They are about the computer of the window, or only its own callers may ask. */
const STAYS_HERE: ReadonlySet<string> = new Set<Method>([
  'app.resume',
  'recorder.stop',
  'history.copy',
  'editor.find',
  'editor.open',
  'agent.event',
  'tools.use',
  'tools.leave'
])

type CallParams = Readonly<Record<string, unknown>>

export interface RelayedCall {
  readonly id: number
  readonly method: string
  readonly params: CallParams
  /** "" for a call to the relay itself. */
  readonly host: string
}

/** The call that a frame holds, with ids as the host knows them; null if it is for the engine of this computer. */
export function callForRelay(frame: string): RelayedCall | null {
  let read: { id?: unknown; method?: unknown; params?: unknown; host?: unknown } | null
  try {
    read = JSON.parse(frame)
  } catch {
    // SyntaxError: the engine decides what to do with it.
    return null
  }
  const { id, method, host } = read ?? {}
  if (typeof id !== 'number' || typeof method !== 'string') return null
  const params = { ...(read?.params as CallParams) }
  if (method.startsWith('hosts.')) return { id, method, params, host: '' }
  if (STAYS_HERE.has(method)) return null
  const place = typeof params.workspace === 'string' ? placeOf(params.workspace) : null
  if (place) return { id, method, params: { ...params, workspace: place.id }, host: place.host }
  return typeof host === 'string' ? { id, method, params, host } : null
}

/**
 * The key of what is shown; null for a call that is not kept. A check of the folder, and how many of the newest entries
 * were asked for, make no difference to what is shown.
 */
export function shownKey(method: string, params: CallParams): string | null {
  if (!SHOWN.has(method)) return null
  const { check: _check, quick: _quick, limit, ...rest } = params
  const isNewest = method === 'timeline.list' && params.before === undefined && params.oldest === undefined
  return JSON.stringify([method, rest, ...(isNewest ? [] : [limit])])
}

/** Lists that a page reads without asking whether they are there. */
const LISTS: Partial<Readonly<Record<Method, string>>> = {
  'workspaces.list': 'workspaces',
  'timeline.list': 'entries',
  'diff.files': 'files',
  'sessions.list': 'sessions',
  'sessions.messages': 'messages',
  'comments.list': 'comments',
  'search.run': 'hits'
}

/** Whether an answer has the form that every answer of the method has. */
export function isAnswer(method: string, result: unknown): result is Readonly<Record<string, unknown>> {
  if (typeof result !== 'object' || result === null) return false
  const list = LISTS[method as Method]
  return list === undefined || Array.isArray((result as Readonly<Record<string, unknown>>)[list])
}

/** Whether the answer may be stored on this computer. */
export function mayKeep(result: Readonly<Record<string, unknown>>): boolean {
  return result.secret !== true
}

/** The answer with ids that name the host. */
export function answerOfHost(host: string, method: string, result: Readonly<Record<string, unknown>>): object {
  switch (method) {
    case 'workspaces.list':
      return { ...result, workspaces: named(host, result.workspaces), left: named(host, result.left) }
    case 'workspaces.add':
    case 'workspaces.find':
    case 'workspaces.locate':
    case 'workspace.status':
      return { ...result, workspace: named(host, [result.workspace])[0] }
    default:
      return result
  }
}

function named(host: string, listed: unknown): readonly object[] {
  const items = Array.isArray(listed) ? listed : []
  return items.flatMap((item: { readonly id?: WorkspaceId } | null) =>
    typeof item?.id === 'string' ? [{ ...item, id: idOnHost(host, item.id) }] : []
  )
}
