/** The recorded folders of another machine, checked: the lists of every screen show them, and its answer may be anything. Pure. */
import { idOnHost } from '../../contract/hosts.ts'
import type { Workspace, WorkspaceSummary } from '../../contract/workspace.ts'

const MOST = 1000

/** What is known of a folder of which a host said no more than where it is. */
const UNKNOWN: Omit<WorkspaceSummary, keyof Workspace> = {
  folder: 'present',
  deletedBy: null,
  recording: false,
  watcher: { state: 'off', why: { code: 'no-host' }, handles: null },
  coverage: 'complete',
  copy: null,
  lastEditAt: null,
  addedAt: 0,
  store: null,
  live: false,
  openDrift: 0,
  runsToday: 0,
  lastAt: null
}

/** The folders with ids that name the host; each id once, and none that is not understood. */
export function farFolders(host: string, listed: unknown): readonly WorkspaceSummary[] {
  if (!Array.isArray(listed)) return []
  const found = new Map<string, WorkspaceSummary>()
  for (const item of listed.slice(0, MOST)) {
    const folder = farFolder(host, item)
    if (folder && !found.has(folder.id)) found.set(folder.id, folder)
  }
  return [...found.values()]
}

function farFolder(host: string, item: unknown): WorkspaceSummary | null {
  const { id, root, name = undefined, ...rest } = { ...(item as Readonly<Record<string, unknown>>) }
  if (typeof id !== 'string' || id === '' || id.includes(':') || id.length > 100) return null
  if (typeof root !== 'string' || root === '') return null
  const known = Object.entries(UNKNOWN).map(([key, value]) => [key, sameForm(value, rest[key]) ? rest[key] : value])
  const last = root.split('/').filter(Boolean).at(-1) ?? root
  return {
    ...(Object.fromEntries(known) as typeof UNKNOWN),
    ...(typeof rest.worktreeOf === 'string' ? { worktreeOf: rest.worktreeOf } : {}),
    id: idOnHost(host, id),
    root,
    name: typeof name === 'string' && name !== '' ? name : last
  }
}

/** Null: a number or an object. */
function sameForm(expected: unknown, given: unknown): boolean {
  if (given === null) return expected === null || typeof expected === 'object'
  if (expected === null) return typeof given === 'number' || typeof given === 'object'
  return typeof given === typeof expected
}
