/**
 * The small files of a repository that git rewrites: HEAD, refs, reflogs, the index, hooks, and the states of merges,
 * rebases and bisects. Their stats are compared first, so that an unchanged repository costs a few dozen stats.
 */
import { type BigIntStats, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { ifReadable } from '../files/fs-errors.ts'
import { readSmallFile } from '../files/read-small-file.ts'
import { parseTableList, TABLE_LIST } from '../git/reftable/live-stack.ts'
import { modeOf } from './link-files.ts'
import { entriesOf, onDisk } from './names-on-disk.ts'

/** Folders of a repository that hold state; all other ones hold objects, caches, or repositories of their own. */
const FOLDERS = [
  ...['refs', 'logs', 'reftable', 'hooks', 'info', 'worktrees'],
  ...['rebase-merge', 'rebase-apply', 'sequencer', 'objects/info']
]
/** Those of a worktree's submodules: they have objects. */
const REPOSITORIES = /^worktrees\/[^/]+\/modules$/
/** Written by every `git fetch` or `gc`, or made again by git. */
const NOT_STATE = /\.(?:lock|sample)$|^(?:gc\.pid|fsmonitor--daemon\.ipc|objects\/info\/(?!alternates$).*)$/
/** Bytes. An index of a million files has some 100 MB. */
export const STATE_FILE_LIMIT = 256 * 1024 * 1024
/** Times of files may be equal for two writes within this time, ns. */
const SAME_TICK = 50_000_000n

export interface StateFile {
  readonly path: string
  readonly mode: number
  /** Bytes. */
  readonly size: number
  /** Changes whenever the file does. */
  readonly stamp: string
  /** Of a list of tables: as it was read when the tables were listed. */
  readonly bytes?: Buffer
}

export interface StateFiles {
  readonly files: readonly StateFile[]
  readonly folders: readonly string[]
}

/** Lists all files of state. */
export function listStateFiles(gitDir: string): StateFiles {
  const steps = listInSteps(gitDir)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Files that are listed or stored in one step of a long capture. */
export const STEP = 200

/** The same in steps: folders with less files together are one. */
export function* listInSteps(gitDir: string): Generator<void, StateFiles> {
  const files: StateFile[] = [...listFolder(gitDir, '').files]
  let next = STEP
  const found: string[] = ['']
  const waiting = [...FOLDERS]
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    if (!folderStamp(gitDir, folder)) continue
    const listed = listFolder(gitDir, folder)
    found.push(folder)
    for (const file of listed.files) files.push(file)
    waiting.push(...listed.folders)
    if (files.length < next) continue
    next = files.length + STEP
    yield
  }
  return { files, folders: found }
}

/** The files and folders in one folder. */
export function listFolder(gitDir: string, folder: string): StateFiles {
  if (isTableFolder(folder)) return { files: listTables(gitDir, folder), folders: [] }
  const files: StateFile[] = []
  const folders: string[] = []
  for (const { name, entry } of entriesOf(onDisk(gitDir, folder))) {
    const path = folder === '' ? name : `${folder}/${name}`
    const file = entry.isFile() || entry.isSymbolicLink() ? stateFileAt(gitDir, path) : null
    if (file) files.push(file)
    if (entry.isDirectory() && !REPOSITORIES.test(path)) folders.push(path)
  }
  return { files, folders }
}

/** Of the repository's refs, or of those that a worktree has for itself (reftable). */
function isTableFolder(folder: string): boolean {
  return /^(?:worktrees\/[^/]+\/)?reftable$/.test(folder)
}

/** Whether it is a table, which git never rewrites, and deletes at any time. */
export function isTable(path: string): boolean {
  return /^(?:worktrees\/[^/]+\/)?reftable\/(?!tables\.list$)/.test(path)
}

/** Git deletes the tables that it has made one of between the reading of the list and that of a table. */
const LIST_TRIES = 20

/** The list of tables and those that it names: others are still to be added, or no longer in force. */
function listTables(gitDir: string, folder: string): StateFile[] {
  for (let tries = 0; ; tries++) {
    const list = stateFileAt(gitDir, `${folder}/${TABLE_LIST}`)
    const bytes = list && readSmallFile(join(gitDir, list.path), STATE_FILE_LIMIT)
    if (!list || !bytes) return []
    const names = parseTableList(bytes) ?? []
    const tables = names.flatMap((name) => stateFileAt(gitDir, `${folder}/${name}`) ?? [])
    // After that, the repository lacks one.
    if (tables.length === names.length || tries === LIST_TRIES) return [{ ...list, bytes }, ...tables]
  }
}

/** Null if it is absent, or no file of state. */
export function stateFileAt(gitDir: string, path: string): StateFile | null {
  const stats = NOT_STATE.test(path) ? undefined : statsOf(onDisk(gitDir, path))
  const mode = stats ? modeOf(path, stats) : null
  return stats && mode !== null ? { path, mode, size: Number(stats.size), stamp: stampOf(stats) } : null
}

/**
 * One text for all that changes whenever git writes: it replaces files of state by renaming, which changes their folder,
 * and appends to a reflog only beside such a rename. Null if the newest change is not older than `now` (ms UTC), so that the
 * next may have the same time.
 */
export function probeState(gitDir: string, { files, folders }: StateFiles, now = Date.now()): string | null {
  // Of refs and reflogs, the folders say enough.
  const few = files.filter(({ path }) => !/^(?:refs|logs)\//.test(path))
  const stats = [...folders, ...few.map(({ path }) => path)].map((path) => statsOf(onDisk(gitDir, path)))
  const young = BigInt(now) * 1_000_000n - SAME_TICK
  return stats.some((stat) => stat && stat.ctimeNs > young) ? null : stats.map((stat) => stat && stampOf(stat)).join()
}

/** Whether the stamp of a file proves, at a later time, that it did not change. */
export function isOldStamp(stamp: string): boolean {
  return BigInt(stamp.split(':')[0] ?? 0) < BigInt(Date.now()) * 1_000_000n - SAME_TICK
}

/** The stamp of a folder; null if it is none. */
export function folderStamp(gitDir: string, folder: string): string | null {
  const stats = statsOf(onDisk(gitDir, folder))
  return stats?.isDirectory() ? stampOf(stats) : null
}

function stampOf({ ctimeNs, mtimeNs, ino, size }: BigIntStats): string {
  return [ctimeNs, mtimeNs, ino, size].join(':')
}

function statsOf(path: string | Buffer): BigIntStats | undefined {
  return ifReadable(() => lstatSync(path, { bigint: true, throwIfNoEntry: false })) ?? undefined
}
