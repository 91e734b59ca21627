/** PATH arguments: what a person types becomes a root-relative path with `/`, or a refusal when it leaves the workspace. */
import { realpathSync } from 'node:fs'
import * as nodePath from 'node:path'
import { DriftlineError } from '../../contract/errors.ts'

/** Path functions of one platform; tests pass the other one. */
export type PathFlavour = Pick<
  typeof nodePath,
  'resolve' | 'relative' | 'isAbsolute' | 'sep' | 'dirname' | 'basename' | 'join'
>

/**
 * `typed` relative to the workspace root. A relative path counts from `cwd` when that lies in the workspace, else from
 * the root. "" is the root itself. Links are not followed and the path need not exist. Fails with PathOutsideWorkspace.
 */
export function workspacePath(root: string, cwd: string, typed: string, path: PathFlavour = nodePath): string {
  if (typed.includes('\0')) throw outside(root, typed)
  const base = inside(root, cwd, path) === null ? root : cwd
  const lexical = inside(root, path.resolve(base, typed), path)
  if (lexical !== null) return lexical
  const real = path.isAbsolute(typed) ? inside(root, realParent(path.resolve(typed), path), path) : null
  if (real !== null) return real
  throw outside(root, typed)
}

/** Several PATH arguments; undefined when there are none or one of them is the whole workspace. */
export function workspacePaths(root: string, cwd: string, typed: readonly string[]): readonly string[] | undefined {
  const paths = typed.map((one) => workspacePath(root, cwd, one))
  return paths.length === 0 || paths.includes('') ? undefined : [...new Set(paths)]
}

/** A folder as the system names it; one that does not exist stays as it was typed, made absolute. */
export function realFolder(folder: string): string {
  const absolute = nodePath.resolve(folder)
  try {
    return realpathSync.native(absolute)
  } catch {
    // Missing or unreadable: the engine says which, with a sentence.
    return absolute
  }
}

function inside(root: string, absolute: string, path: PathFlavour): string | null {
  const relative = path.relative(root, absolute)
  if (relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative)) return null
  return path.sep === '/' ? relative : relative.replaceAll(path.sep, '/')
}

/** An absolute path through links above the folder (`/tmp` on macOS): its nearest existing parent is made real. */
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
    `"${typed}" is not inside ${root}. Nothing was changed; name a path below that folder.`,
    { path: typed, root }
  )
}
