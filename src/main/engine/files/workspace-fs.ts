/** Root-relative paths to absolute ones, never through a link: the only way from a name to the disk (CP-4). */
import { join, sep } from 'node:path'
import { isNotFound, isUnreadable } from '../ports/fs-errors.ts'
import { lstatSignature, type Signature } from './signature.ts'
import { createSpelling, type Spelling } from './spelling.ts'

/** How files of ours inside a workspace begin: they exist only while a restore or a tool writes. */
export const OWN_PREFIX = '.driftline-'
const OWN_NAME = /^\.driftline-(rst|call)_[0-9a-z]{12}(-\d+)?\.(new|old)$/

/** A file of ours, which is never recorded. Whatever else begins like one is somebody's file. */
export function isOwnName(name: string): boolean {
  return name.startsWith(OWN_PREFIX) && OWN_NAME.test(name)
}

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
export interface WorkspaceFs {
  readonly root: string
  absolute(path: string): string
  /** A real folder, with nothing but real folders above it. '' is the root. */
  isFolder(path: string): boolean
  /**
   * lstat; null when absent, also when a parent is a link or a file (what lies behind a link is not this path) and when the
   * name is on disk in another spelling only.
   */
  stat(path: string): Signature | null
  /** The path that stands in the place of `path`, which is not there: another spelling of its name. Null = its place is free. */
  otherSpelling(path: string): string | null
}

export function createWorkspaceFs(root: string): WorkspaceFs {
  const folders = new Map<string, boolean>([['', true]])
  const spellings = new Map<string, Spelling>()
  const spellingIn = (folder: string): Spelling => {
    const known = spellings.get(folder) ?? createSpelling(absoluteOf(root, folder))
    spellings.set(folder, known)
    return known
  }
  const stat = (path: string): Signature | null => {
    if (path === '') return lstatSignature(root)
    const folder = parentOf(path)
    if (!isFolder(folder)) return null
    const there = lstatSignature(absoluteOf(root, path))
    return there && spellingIn(folder).isExact(nameOf(path)) ? there : null
  }
  const isFolder = (path: string): boolean => {
    const known = folders.get(path)
    if (known !== undefined) return known
    const real = stat(path)?.kind === 'dir'
    folders.set(path, real)
    return real
  }
  return {
    root,
    absolute: (path) => absoluteOf(root, path),
    isFolder,
    stat,
    otherSpelling: (path) => {
      const folder = parentOf(path)
      if (!isFolder(folder) || stat(path) || !lstatSignature(absoluteOf(root, path))) return null
      const other = spellingIn(folder).findOther(nameOf(path))
      return other === null ? null : childOf(folder, other)
    }
  }
}

/** A path as the disk spells it, where it takes several spellings for one; each name above it that is there, too. */
export function spelledOnDisk(root: string, path: string): string {
  const fs = createWorkspaceFs(root)
  let at = ''
  for (const name of path.split('/')) {
    const next = childOf(at, name)
    at = ignoreInaccessible(() => fs.otherSpelling(next), null) ?? next
  }
  return at
}

function ignoreInaccessible<T>(look: () => T, otherwise: T): T {
  try {
    return look()
  } catch (error) {
    if (isUnreadable(error) || isNotFound(error)) return otherwise
    throw error
  }
}
