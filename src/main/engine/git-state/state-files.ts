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

/** Folders of what names commits. */
export const REF_FOLDERS = ['refs', 'logs/refs', 'worktrees'] as const

/** Lists all of them, or those at the top and in `among`. */
export function listStateFiles(gitDir: string, among: readonly string[] = FOLDERS): StateFiles {
  const files: StateFile[] = []
  const folders: string[] = ['']
  const visit = (folder: string): void => {
    for (const entry of ifReadable(() => readdirSync(join(gitDir, folder), { withFileTypes: true })) ?? []) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isFile() && !NOT_STATE.test(path)) addFile(path)
      if (entry.isDirectory() && folder !== '') enter(path)
    }
  }
  const enter = (folder: string): void => {
    folders.push(folder)
    visit(folder)
  }
  const addFile = (path: string): void => {
    const stats = statsOf(join(gitDir, path))
    if (stats?.isFile()) files.push({ path, mode: Number(stats.mode & 0o777n), stamp: stampOf(stats) })
  }
  visit('')
  for (const folder of among) if (statsOf(join(gitDir, folder))?.isDirectory()) enter(folder)
  return { files, folders }
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
