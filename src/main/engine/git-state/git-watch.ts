/**
 * Notices within milliseconds that git wrote: it renames its files into the top of the repository's folder, into
 * `worktrees`, and into the folder of each worktree there. Few watches, whatever the size of the repository.
 */
import { existsSync, type FSWatcher, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { ifReadable } from '../files/fs-errors.ts'
import type { Clock } from '../ports/clock.ts'

/** One git command writes several files: their events are one change, ms. */
const BURST_MS = 30
/** How soon a repository that git is just making is noticed, ms: its folder appears before its HEAD. */
const INCOMPLETE_MS = 1000
/** How soon one is noticed in a folder that was itself replaced, ms. Otherwise an event of the folder tells. */
const ABSENT_MS = 60_000
/** Bounds the watches of a repository with a huge number of worktrees. */
const MOST_WORKTREES = 200

export interface GitWatch {
  close(): void
}

/** `gitDirOf` returns the folder with refs and objects of the repository in `root`; null while there is none. */
export function watchGit(root: string, gitDirOf: () => string | null, clock: Clock, onChange: () => void): GitWatch {
  const watches = new Map<string, FSWatcher>()
  let cancel: (() => void) | null = null
  let closed = false
  let present = false
  /** A report follows; else `cancel` is that of a wait for a repository. */
  let isReporting = false

  const report = (): void => {
    cancel = null
    if (closed) return
    const before = present
    align()
    if (before || present) onChange()
  }
  const changed = (): void => {
    if (closed || isReporting) return
    cancel?.()
    isReporting = true
    cancel = clock.setTimeout(() => {
      isReporting = false
      report()
    }, BURST_MS)
  }
  const forget = (folder: string): void => {
    watches.get(folder)?.close()
    watches.delete(folder)
  }
  const add = (folder: string): void => {
    if (watches.has(folder)) return
    // Of the recorded folder, only the entry of the repository counts.
    const listener =
      folder === root ? (_: string, name: string | null) => (name ?? '.git') === '.git' && changed() : changed
    // A folder that is gone, or one watch too many for the system: captures at runs and turns still notice all.
    const watcher = ifReadable(() => watch(folder, { persistent: false }, listener))
    if (!watcher) return
    watches.set(folder, watcher)
    watcher.on('error', () => forget(folder))
  }
  /** Watches the folders that exist now. */
  const align = (): void => {
    const gitDir = gitDirOf()
    present = gitDir !== null
    const wanted = gitDir === null ? [root] : watchedFolders(gitDir)
    for (const folder of [...watches.keys()]) if (!wanted.includes(folder) || !existsSync(folder)) forget(folder)
    for (const folder of wanted) add(folder)
    if (present || cancel !== null) return
    cancel = clock.setTimeout(report, existsSync(join(root, '.git')) ? INCOMPLETE_MS : ABSENT_MS)
  }

  align()
  return {
    close: () => {
      closed = true
      cancel?.()
      for (const folder of [...watches.keys()]) forget(folder)
    }
  }
}

function watchedFolders(gitDir: string): string[] {
  const worktrees = join(gitDir, 'worktrees')
  const names = ifReadable(() => readdirSync(worktrees)) ?? []
  return [gitDir, worktrees, ...names.slice(0, MOST_WORKTREES).map((name) => join(worktrees, name))].filter(existsSync)
}
