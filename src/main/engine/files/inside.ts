/** Root-relative paths to absolute ones, never through a link: the only way from a name to the disk (CP-4). */
import { join, sep } from 'node:path'
import { lstatSignature, type Signature } from './signature.ts'

/** Files of ours inside a workspace exist only while a restore is applied; they are never recorded. */
export const OWN_PREFIX = '.driftline-'

export function parentOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash < 0 ? '' : path.slice(0, slash)
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function childOf(dir: string, name: string): string {
  return dir === '' ? name : `${dir}/${name}`
}

/** `path` is `folder` or lies below it. '' is the root. */
export function isWithin(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}

/** All folders above a path, deepest last, the root left out: `a/b/c` -> [`a`, `a/b`]. */
export function foldersAbove(path: string): string[] {
  const folders: string[] = []
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at))
  return folders
}

/** A root-relative path as the store names it, or null when it is not one (absolute, `..`, NUL, `.git` inside, empty part). */
export function checkRelative(path: string): string | null {
  if (path.includes('\0') || path.startsWith('/')) return null
  const parts = path.split('/')
  return parts.some((part) => part === '' || part === '.' || part === '..' || part.toLowerCase() === '.git')
    ? null
    : path
}

export function absoluteOf(root: string, path: string): string {
  if (path === '') return root
  // Both are normal already, and joining normalizes them again for every path there is.
  return sep === '/' && root !== '/' ? `${root}/${path}` : join(root, path)
}

/** Looks at paths below one root; remembers which folders it has seen to be real folders, so use one per batch of work. */
export interface Inside {
  readonly root: string
  absolute(path: string): string
  /** A real folder, with nothing but real folders above it. '' is the root. */
  isFolder(path: string): boolean
  /** lstat; null when absent, also when a parent is a link or a file: what lies behind a link is not this path. */
  look(path: string): Signature | null
}

export function createInside(root: string): Inside {
  const folders = new Map<string, boolean>([['', true]])
  const isFolder = (path: string): boolean => {
    const known = folders.get(path)
    if (known !== undefined) return known
    const real = isFolder(parentOf(path)) && lstatSignature(absoluteOf(root, path))?.kind === 'dir'
    folders.set(path, real)
    return real
  }
  return {
    root,
    absolute: (path) => absoluteOf(root, path),
    isFolder,
    look: (path) => (path === '' || isFolder(parentOf(path)) ? lstatSignature(absoluteOf(root, path)) : null)
  }
}
