/** PATH arguments. A typed path becomes a path relative to the workspace root with `/`; one outside is refused. */
import { realpathSync } from 'node:fs'
import * as nodePath from 'node:path'
import { DriftlineError } from '../../contract/errors.ts'
import { spelledOnDisk } from '../engine/files/workspace-fs.ts'

/** Path functions of one platform; tests pass those of Windows. */
type PathFlavour = Pick<
  typeof nodePath,
  'resolve' | 'relative' | 'isAbsolute' | 'sep' | 'dirname' | 'basename' | 'join'
>

/**
 * `typed` relative to the workspace root; "" is the root. A relative path is resolved against `cwd` if that is inside
 * the workspace, else against the root. Links below the root are not followed, and the path need not exist. On a disk
 * that takes several spellings of a name for one, existing names are those of the disk, as in the log. Throws
 * PathOutsideWorkspace.
 */
export function workspacePath(root: string, cwd: string, typed: string, path: PathFlavour = nodePath): string {
  if (typed.includes('\0')) throw outside(root, typed)
  const base = inside(root, cwd, path) === null ? root : cwd
  const lexical = inside(root, path.resolve(base, typed), path)
  if (lexical !== null) return spelledOnDisk(root, lexical)
  const real = path.isAbsolute(typed) ? inside(root, realParent(path.resolve(typed), path), path) : null
  if (real !== null) return spelledOnDisk(root, real)
  throw outside(root, typed)
}

/** As workspacePath for a folder on a host, whose disk nobody asks here: a relative path is one from the root. */
export function remotePath(root: string, typed: string): string {
  const { posix } = nodePath
  const relative = typed.includes('\0') ? null : inside(root, posix.resolve(root, typed), posix)
  if (relative === null) throw outside(root, typed)
  return relative
}

/** Root-relative paths without duplicates; undefined when one is the whole workspace. */
export function distinctPaths(paths: readonly string[]): readonly string[] | undefined {
  return paths.includes('') ? undefined : [...new Set(paths)]
}

/** Whether an absolute path is the workspace root or below it, however it is spelled. It need not exist. */
export function isInWorkspace(root: string, absolute: string): boolean {
  return [absolute, realParent(absolute, nodePath)].some((path) => inside(root, path, nodePath) !== null)
}

/** The real path of a folder (links resolved); the absolute path if it does not exist. */
export function realFolder(folder: string): string {
  const absolute = nodePath.resolve(folder)
  try {
    return realpathSync.native(absolute)
  } catch {
    // Missing or unreadable: the engine reports which.
    return absolute
  }
}

function inside(root: string, absolute: string, path: PathFlavour): string | null {
  const relative = path.relative(root, absolute)
  if (relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative)) return null
  return path.sep === '/' ? relative : relative.replaceAll(path.sep, '/')
}

/**
 * Resolves links above the workspace (`/tmp` on macOS is one): takes the real path of the nearest existing parent. The
 * last component is not resolved, because the log records links themselves.
 */
function realParent(absolute: string, path: PathFlavour): string {
  let tail = path.basename(absolute)
  let parent = path.dirname(absolute)
  for (;;) {
    try {
      return path.join(realpathSync.native(parent), tail)
    } catch {
      // The parent is missing or unreadable: try the one above it.
      const above = path.dirname(parent)
      if (above === parent) return absolute
      tail = path.join(path.basename(parent), tail)
      parent = above
    }
  }
}

function outside(root: string, typed: string): DriftlineError {
  return new DriftlineError(
    'PathOutsideWorkspace',
    `"${typed}" is outside ${root}. Nothing was changed. Name a path in that folder.`,
    { path: typed, root }
  )
}
