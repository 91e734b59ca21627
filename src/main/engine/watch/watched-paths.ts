/** The folders that chokidar watches, by root-relative path, and which paths of its root are watched at all. */
import { isAbsolute, relative, sep } from 'node:path'
import { foldersAbove, nameOf } from '../files/paths.ts'
import { absoluteOf } from '../files/workspace-fs.ts'
import { isNeverWatched, lstatOrNull } from './folder-events.ts'

export type WatchedPaths = ReturnType<typeof createWatchedPaths>

/** `root`: real absolute path. */
export function createWatchedPaths(root: string, ignoresDir: (relDir: string) => boolean) {
  /** '' is the root. */
  const folders = new Set<string>()
  const pathOf = (rel: string) => absoluteOf(root, rel)

  return {
    folders,
    pathOf,
    /** Root-relative, '/'-separated; '' for the root, null outside it. `path`: absolute. */
    relOf(path: string): string | null {
      const rel = relative(root, path)
      if (rel === '..' || rel.startsWith(`..${sep}`) || isAbsolute(rel)) return null
      return sep === '/' ? rel : rel.split(sep).join('/')
    },
    statOf: (rel: string) => lstatOrNull(pathOf(rel)),
    isFolder: (rel: string): boolean => lstatOrNull(pathOf(rel))?.isDirectory() ?? false,
    /** True if `rel` is in a folder that is not watched, or is never watched itself. */
    isExcluded: (rel: string): boolean =>
      isNeverWatched(nameOf(rel)) ||
      foldersAbove(rel).some((above) => isNeverWatched(nameOf(above)) || ignoresDir(above)),
    isIgnored: ignoresDir
  }
}
