/** Where a path that an agent names is: inside a folder or not. Part of the hook, so it imports little. */
import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { checkRelative } from '../files/paths.ts'

/** An absolute path as a root-relative one; null outside the root. */
export function pathInside(root: string, path: string): string | null {
  const inside = relative(root, path)
  return isAbsolute(inside) ? null : checkRelative(sep === '/' ? inside : inside.replaceAll(sep, '/'))
}

/**
 * Resolves the links in a path's parents, not a link at the path itself: writing through a link leaves the link in
 * the log.
 */
export function resolveParentLinks(path: string): string {
  let tail = basename(path)
  let parent = dirname(path)
  if (parent === path) return path
  for (;;) {
    try {
      return join(realpathSync.native(parent), tail)
    } catch {
      // Missing or unreadable: resolve the nearest existing parent instead.
      const above = dirname(parent)
      if (above === parent) return path
      tail = join(basename(parent), tail)
      parent = above
    }
  }
}
