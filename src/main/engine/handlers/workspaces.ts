/** Adding, finding, moving and forgetting recorded folders. */
import { existsSync, realpathSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import type { AddResult } from '../../../contract/workspace.ts'
import { coverageOf, coverageState } from '../capture/coverage.ts'
import type { EngineContext } from '../context.ts'
import { checkDisk } from '../drift/check.ts'
import { lstatSignature } from '../files/signature.ts'
import { errorCode } from '../ports/fs-errors.ts'
import { refuseWithoutRoom } from '../workspaces/disk-space.ts'
import { unrecordedWorktrees, worktreeAround } from '../workspaces/git-worktrees.ts'
import type { OpenWorkspace } from '../workspaces/recorder.ts'
import { checkFolder } from '../workspaces/refusals.ts'
import { takeSpooled } from './agents.ts'
import type { Handlers } from './handler.ts'
import { summaryOf } from './standing.ts'

type Methods =
  | 'workspaces.list'
  | 'workspaces.add'
  | 'workspaces.stopCopy'
  | 'workspaces.remove'
  | 'workspaces.locate'
  | 'workspaces.find'
  | 'workspaces.suggest'
  | 'workspaces.complete'

export const WORKSPACES: Handlers<Methods> = {
  'workspaces.list': (context) => ({
    workspaces: context.registry.list().map((one) => summaryOf(context, one)),
    left: context.registry.left()
  }),
  'workspaces.add': add,
  'workspaces.stopCopy': ({ registry }, { workspace }) => {
    registry.open(workspace).stopCopy()
    return {}
  },
  'workspaces.remove': async (context, { workspace, deleteHistory }) => {
    const { registry, emit, clock } = context
    // What hooks left in the spool is part of the history.
    await takeSpooled(context)
    await registry.forget(workspace, deleteHistory, clock.now())
    emit('workspaces.changed', {})
    return {}
  },
  'workspaces.locate': async (context, { workspace, folder }) => {
    const { registry, emit } = context
    const { root } = await checked(context, folder, true)
    const other = registry.list().find((one) => one.root === root && one.id !== workspace)
    if (other)
      throw new DriftlineError(
        'Refused',
        `${root} is recorded already, with a history of its own. Nothing was changed; stop recording it there first.`,
        { folder: root }
      )
    const moved = await registry.relocate(workspace, root)
    registry.open(moved.id)
    emit('workspaces.changed', {})
    return { workspace: { id: moved.id, root: moved.root, name: moved.name } }
  },
  'workspaces.find': ({ registry }, { folder }) => {
    const found = registry.holding(realPath(folder)) ?? registry.holding(resolve(folder))
    if (!found) {
      const missing = registry.list().filter((one) => !existsSync(one.root))
      const moved = missing.slice(0, 3).map((one) => one.root)
      const hint =
        moved.length === 0 ? '' : ` If it moved here: "driftline locate OLD NEW"; missing: ${moved.join(', ')}.`
      throw new DriftlineError(
        'NotAWorkspace',
        `${folder} is not inside a recorded folder. Run "driftline add" on the project folder first.${hint}`,
        { folder }
      )
    }
    const { id, root, name } = found.workspace
    const worktree = worktreeAround(root, found.inside)
    if (worktree !== null)
      throw new DriftlineError(
        'NotAWorkspace',
        `${join(root, worktree)} is a git worktree with a history of its own, and is not recorded yet. Run "driftline add" there first.`,
        { folder }
      )
    return { workspace: { id, root, name }, inside: found.inside }
  },
  'workspaces.suggest': async ({ registry, home }, { name, children }) => ({
    folders: await suggest(
      registry.list().map((one) => one.root),
      home,
      name,
      children
    )
  }),
  'workspaces.complete': async ({ home }, { prefix }) => ({ folders: await complete(home, prefix) })
}

async function checked(context: EngineContext, folder: string, confirmed: boolean): Promise<{ root: string }> {
  const { registry, options, home } = context
  return checkFolder(expand(home, folder), { home, dataDir: options.dataDir, registered: registry.list(), confirmed })
}

async function add(
  context: EngineContext,
  params: { folder: string; wait: boolean; confirmed?: boolean }
): Promise<AddResult> {
  const { registry, emit, clock } = context
  const { root } = await checked(context, params.folder, params.confirmed ?? false)
  const registered = registry.register(root, clock.now())
  const open = registry.open(registered.id)
  emit('workspaces.changed', {})
  const work = bringUpToDate(open)
  if (params.wait) await work
  else {
    work.catch((error: unknown) => {
      // Stopped by a person or by our own end: the coverage says so, and the next start goes on.
      if (error instanceof DriftlineError && error.code === 'Cancelled') return
      console.error(`driftline: ${root}: ${error instanceof Error ? error.message : String(error)}`)
    })
  }
  return {
    workspace: open.workspace,
    ...coverageOf(open.store),
    head: open.store.records.lastSeq(),
    worktrees: unrecordedWorktrees(registry, root),
    complete: coverageState(open.store) === 'complete'
  }
}

async function bringUpToDate(open: OpenWorkspace): Promise<void> {
  if (coverageState(open.store) !== 'complete') return open.takeFirstCopy()
  refuseWithoutRoom(open.space)
  await open.lock.run(() => checkDisk(open, 'position'))
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if (errorCode(error) === '') throw error
    return resolve(path)
  }
}

/** Accepts what people paste: quotes, `~`, a file URL. */
function expand(home: string, typed: string): string {
  let path = typed.trim().replace(/^(["'])(.*)\1$/, '$2')
  if (path.startsWith('file://')) path = decodeURIComponent(new URL(path).pathname)
  if (path === '~' || path.startsWith('~/')) path = join(home, path.slice(1))
  if (path === '') throw new DriftlineError('FolderMissing', 'Write the path of a folder.', {})
  return resolve(path)
}

async function complete(home: string, prefix: string): Promise<string[]> {
  const typed = prefix.startsWith('~') ? join(home, prefix.slice(1)) + (prefix.endsWith('/') ? '/' : '') : prefix
  if (!typed.startsWith('/') && !/^[A-Za-z]:/.test(typed)) return []
  const folder = typed.endsWith('/') ? typed : dirname(typed)
  const start = typed.endsWith('/') ? '' : basename(typed)
  return (await foldersIn(folder))
    .filter((name) => name.startsWith(start) && (start.startsWith('.') || !name.startsWith('.')))
    .slice(0, 50)
    .map((name) => join(folder, name))
}

async function foldersIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder, { withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
  } catch (error) {
    if (errorCode(error) !== '') return []
    throw error
  }
}

/** Looks where projects usually are, two levels deep, for a folder of that name that holds the dropped names. */
async function suggest(
  registered: readonly string[],
  home: string,
  name: string,
  children: readonly string[]
): Promise<string[]> {
  const places = new Set([...registered.map((root) => dirname(root)), home, process.cwd(), dirname(process.cwd())])
  for (const common of ['code', 'src', 'projects', 'Projects', 'work', 'dev', 'git', 'repos', 'Documents', 'Desktop'])
    places.add(join(home, common))
  for (const place of [...places]) {
    for (const folder of (await foldersIn(place)).slice(0, 200))
      if (!folder.startsWith('.')) places.add(join(place, folder))
  }
  const ranked: { folder: string; fit: number }[] = []
  for (const place of places) {
    const folder = join(place, name)
    if (name.includes('/') || !existsSync(folder) || lstatSignature(folder)?.kind !== 'dir') continue
    const names = new Set(await readdir(folder))
    ranked.push({
      folder,
      fit: children.length === 0 ? 0 : children.filter((child) => names.has(child)).length / children.length
    })
  }
  return ranked
    .filter((one) => children.length === 0 || one.fit > 0.5)
    .sort((a, b) => b.fit - a.fit)
    .slice(0, 5)
    .map((one) => one.folder)
}
