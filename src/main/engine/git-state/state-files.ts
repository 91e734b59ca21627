/**
 * The small files of a repository that git rewrites: HEAD, refs, reflogs, the index, hooks, and the states of merges,
 * rebases and bisects. Their stats are compared first, so that an unchanged repository costs a few dozen stats.
 */
import { type BigIntStats, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ifReadable } from '../files/fs-errors.ts'

/** Folders of a repository that hold state; all other ones hold objects, caches, or repositories of their own. */
const FOLDERS = [
  ...['refs', 'logs', 'reftable', 'hooks', 'info', 'worktrees'],
  ...['rebase-merge', 'rebase-apply', 'sequencer', 'objects/info']
]
/** Written by every `git fetch` or `gc`, or made again by git. */
const NOT_STATE = /\.(?:lock|sample)$|^(?:gc\.pid|fsmonitor--daemon\.ipc|objects\/info\/(?!alternates$).*)$/
/** Bytes. An index of a million files has some 100 MB. */
export const STATE_FILE_LIMIT = 256 * 1024 * 1024
/** Times of files may be equal for two writes within this time, ns. */
const SAME_TICK = 50_000_000n

export interface StateFile {
  readonly path: string
  readonly mode: number
  /** Changes whenever the file does. */
  readonly stamp: string
}

export interface StateFiles {
  readonly files: readonly StateFile[]
  readonly folders: readonly string[]
}

/** What one folder held when it was last listed. */
export interface ListedFolder {
  /** Of the folder, before it was listed. */
  readonly stamp: string
  readonly files: readonly StateFile[]
  readonly folders: readonly string[]
}

/** Lists all files of state. */
export function listStateFiles(gitDir: string): StateFiles {
  const listed = listBelow(gitDir, FOLDERS, new Map())
  const top = listFolder(gitDir, '')
  return { files: [...top.files, ...listed.files], folders: ['', ...listed.folders] }
}

/**
 * Lists what names commits: the files at the top, refs, the reflog of stashes, and the folders of worktrees. `known`: the
 * folders as they were listed before; one whose time did not change is not listed again, because git replaces these
 * files by renaming.
 */
export function listRefFiles(gitDir: string, known: Map<string, ListedFolder>): readonly StateFile[] {
  const { files } = listBelow(gitDir, ['refs', 'worktrees'], known)
  const stashes = stateFileAt(gitDir, 'logs/refs/stash')
  return [...listFolder(gitDir, '').files, ...files, ...(stashes ? [stashes] : [])]
}

/** The folders in `among` and all below them. */
function listBelow(gitDir: string, among: readonly string[], known: Map<string, ListedFolder>): StateFiles {
  const files: StateFile[] = []
  const folders: string[] = []
  const before = new Map(known)
  known.clear()
  const visit = (folder: string): void => {
    const stats = statsOf(join(gitDir, folder))
    if (!stats?.isDirectory()) return
    const stamp = stampOf(stats)
    const former = before.get(folder)
    const listed = former?.stamp === stamp ? former : { stamp, ...listFolder(gitDir, folder) }
    // In the tick of its time, a folder may change once more without another stamp.
    if (isOldStamp(stamp)) known.set(folder, listed)
    folders.push(folder)
    for (const file of listed.files) files.push(file)
    listed.folders.forEach(visit)
  }
  among.forEach(visit)
  return { files, folders }
}

function listFolder(gitDir: string, folder: string): Pick<ListedFolder, 'files' | 'folders'> {
  const files: StateFile[] = []
  const folders: string[] = []
  for (const entry of ifReadable(() => readdirSync(join(gitDir, folder), { withFileTypes: true })) ?? []) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    const file = entry.isFile() ? stateFileAt(gitDir, path) : null
    if (file) files.push(file)
    if (entry.isDirectory()) folders.push(path)
  }
  return { files, folders }
}

function stateFileAt(gitDir: string, path: string): StateFile | null {
  const stats = NOT_STATE.test(path) ? undefined : statsOf(join(gitDir, path))
  return stats?.isFile() ? { path, mode: Number(stats.mode & 0o777n), stamp: stampOf(stats) } : null
}

/**
 * One text for all that changes whenever git writes: it replaces files of state by renaming, which changes their folder,
 * and appends to a reflog only beside such a rename. Null if the newest change is not older than `now` (ms UTC), so that the
 * next may have the same time.
 */
export function probeState(gitDir: string, { files, folders }: StateFiles, now = Date.now()): string | null {
  // Of refs and reflogs, the folders say enough.
  const few = files.filter(({ path }) => !/^(?:refs|logs)\//.test(path))
  const stats = [...folders, ...few.map(({ path }) => path)].map((path) => statsOf(join(gitDir, path)))
  const young = BigInt(now) * 1_000_000n - SAME_TICK
  return stats.some((stat) => stat && stat.ctimeNs > young) ? null : stats.map((stat) => stat && stampOf(stat)).join()
}

/** Whether the stamp of a file proves, at a later time, that it did not change. */
export function isOldStamp(stamp: string): boolean {
  return BigInt(stamp.split(':')[0] ?? 0) < BigInt(Date.now()) * 1_000_000n - SAME_TICK
}

function stampOf({ ctimeNs, mtimeNs, ino, size }: BigIntStats): string {
  return [ctimeNs, mtimeNs, ino, size].join(':')
}

function statsOf(path: string): BigIntStats | undefined {
  return ifReadable(() => lstatSync(path, { bigint: true, throwIfNoEntry: false })) ?? undefined
}
