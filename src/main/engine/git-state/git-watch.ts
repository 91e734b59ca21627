/**
 * Notices within milliseconds that git wrote: it renames its files into the top of the repository's folder, into those of
 * its refs, into `worktrees`, and into the folder of each worktree there. People edit `hooks` and `info`. Of a folder with many
 * refs, only those that its watch names are read. Few watches, whatever the size of the repository.
 */
import { existsSync, type FSWatcher, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { ifReadable } from '../files/fs-errors.ts'
import { TABLES } from '../git/reftable/live-stack.ts'
import type { Clock } from '../ports/clock.ts'
import type { ReportedNames } from './ref-files.ts'

/** One git command writes several files: their events are one change, ms. */
const BURST_MS = 30
/** How soon a repository that git is just making is noticed, ms: its folder appears before its HEAD. */
const INCOMPLETE_MS = 1000
/** How soon one is noticed in a folder that was itself replaced, ms. Otherwise an event of the folder tells. */
const ABSENT_MS = 60_000
/** More names than this are not collected: the folder is listed. */
const MOST_NAMES = 2000
/** Bounds the watches of a repository with a huge number of worktrees, or of folders of branches. */
const MOST_FOLDERS = 200

export interface GitWatch {
  close(): void
}

interface GitWatchOptions {
  readonly root: string
  /** The folder with refs and objects of the repository in `root`; null while there is none. */
  gitDirOf(): string | null
  /** Folders of it that have refs, and whether they have so many that listing them takes long. */
  refFolders(): ReadonlyMap<string, boolean>
  readonly clock: Clock
  /** The most folders of refs that are watched, and the most worktrees. */
  readonly mostFolders?: number
  /** `reported`: what changed in the large folders since the last call. */
  onChange(reported: ReportedNames): void
}

export function watchGit(options: GitWatchOptions): GitWatch {
  const { root, gitDirOf, refFolders, clock, onChange, mostFolders = MOST_FOLDERS } = options
  const watches = new Map<string, FSWatcher>()
  const names = createReportedNames()
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
    if (!before && !present) return
    onChange(names.take())
    // What git wrote into a new folder of refs before it is watched is found by one report more.
    if (align() > 0) changed()
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
    names.forget(folder)
  }
  /** `large`: its path in the repository, if it is a folder with many refs. */
  const add = (folder: string, large?: string): boolean => {
    if (watches.has(folder)) return false
    const listener = (_: string, name: string | null): void => {
      // Of the recorded folder, only the entry of the repository counts.
      if (folder === root && (name ?? '.git') !== '.git') return
      // A name that is not UTF-8 cannot be named here.
      if (large !== undefined) names.add(folder, name?.includes('\ufffd') ? null : name)
      changed()
    }
    // A folder that is gone, or one watch too many for the system: captures at runs and turns still notice all.
    const watcher = ifReadable(() => watch(folder, { persistent: false }, listener))
    if (!watcher) return false
    watches.set(folder, watcher)
    if (large !== undefined) names.begin(folder, large)
    watcher.on('error', () => forget(folder))
    return true
  }
  /** Watches the folders that exist now. Returns how many of refs are new. */
  const align = (): number => {
    const gitDir = gitDirOf()
    present = gitDir !== null
    const refs = new Map(gitDir === null ? [] : refsOf(gitDir, refFolders(), mostFolders))
    const wanted = new Set(gitDir === null ? [root] : [...watchedFolders(gitDir, mostFolders), ...refs.keys()])
    // A watch that is to say names begins anew.
    for (const folder of [...watches.keys()])
      if (
        !wanted.has(folder) ||
        !existsSync(folder) ||
        (refs.has(folder) && names.has(folder) !== refs.get(folder)?.isLarge)
      )
        forget(folder)
    let added = 0
    for (const folder of wanted) {
      const ref = refs.get(folder)
      if (add(folder, ref?.isLarge ? ref.path : undefined) && ref) added++
    }
    if (!present && cancel === null)
      cancel = clock.setTimeout(report, existsSync(join(root, '.git')) ? INCOMPLETE_MS : ABSENT_MS)
    return added
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

/** Collects the names that watches of large folders report. */
function createReportedNames() {
  const reported = new Map<string, { readonly path: string; names: Set<string> | 'any' }>()
  return {
    /** What changed before the watch began is not known. */
    begin: (folder: string, path: string): void => void reported.set(folder, { path, names: 'any' }),
    forget: (folder: string): void => void reported.delete(folder),
    has: (folder: string): boolean => reported.has(folder),
    /** `name`: null if the system does not say it. */
    add: (folder: string, name: string | null): void => {
      const entry = reported.get(folder)
      if (!entry || entry.names === 'any') return
      if (name === null || entry.names.size >= MOST_NAMES) entry.names = 'any'
      else entry.names.add(name)
    },
    take: (): ReportedNames => {
      const taken = new Map([...reported.values()].map(({ path, names }) => [path, names]))
      for (const entry of reported.values()) entry.names = new Set()
      return taken
    }
  }
}

function watchedFolders(gitDir: string, most: number): string[] {
  const worktrees = join(gitDir, 'worktrees')
  const names = ifReadable(() => readdirSync(worktrees)) ?? []
  const own = [gitDir, ...names.slice(0, most).map((name) => join(worktrees, name))]
  const few = [worktrees, join(gitDir, 'hooks'), join(gitDir, 'info')]
  return [...few, ...own.flatMap((folder) => [folder, join(folder, TABLES)])].filter(existsSync)
}

/** Branches and tags first, if there are too many folders. By their absolute paths. */
function refsOf(gitDir: string, folders: ReadonlyMap<string, boolean>, most: number) {
  const rank = (path: string): number => (/^refs\/(?:heads|tags)(?:\/|$)/.test(path) ? 0 : 1)
  return [...folders]
    .sort(([a], [b]) => rank(a) - rank(b))
    .slice(0, most)
    .map(([path, isLarge]) => [join(gitDir, path), { path, isLarge }] as const)
}
