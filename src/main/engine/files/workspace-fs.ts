/**
 * Root-relative paths, and access to the disk below one root. All access to recorded paths goes through WorkspaceFs, which
 * never follows a link and never mistakes one spelling of a name for another (CP-4).
 */
import { join, sep } from 'node:path'
import { isNotFound, isUnreadable } from '../ports/fs-errors.ts'
import { lstatSignature, type Signature } from './signature.ts'
import { createSpelling, type Spelling } from './spelling.ts'

/** Prefix of our temporary files inside a workspace; they exist only while a restore or a tool writes. */
export const OWN_PREFIX = '.driftline-'
const OWN_NAME = /^\.driftline-(rst|call)_[0-9a-z]{12}(-\d+)?\.(new|old)$/

/** A temporary file of ours, which is never recorded. Other names with the prefix are ordinary files. */
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

/** `path` is `folder` or is below it. '' is the root. */
export function isWithin(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}

/** All folders above a path without the root, deepest last: `a/b/c` -> [`a`, `a/b`]. */
export function foldersAbove(path: string): string[] {
  const folders: string[] = []
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at))
  return folders
}

/** Returns `path` if it is a valid root-relative path, else null (absolute, `..`, NUL, a `.git` or empty part). */
export function checkRelative(path: string): string | null {
  if (path.includes('\0') || path.startsWith('/')) return null
  const parts = path.split('/')
  return parts.some((part) => part === '' || part === '.' || part === '..' || part.toLowerCase() === '.git')
    ? null
    : path
}

export function absoluteOf(root: string, path: string): string {
  if (path === '') return root
  // Both are normalized already; `join` would normalize them again for each path of a scan.
  return sep === '/' && root !== '/' ? `${root}/${path}` : join(root, path)
}

/** Caches which folders are real folders, so create one per batch of work. */
export interface WorkspaceFs {
  readonly root: string
  absolute(path: string): string
  /** A real folder whose parents are all real folders. '' is the root. */
  isFolder(path: string): boolean
  /**
   * lstat. Null if the path is absent; also if a parent is a link or a file, or if the name exists on disk only in another
   * spelling.
   */
  stat(path: string): Signature | null
  /** For an absent path: the existing path that differs only in spelling and so takes its place on this disk. Null = none. */
  otherSpelling(path: string): string | null
}

export function createWorkspaceFs(root: string): WorkspaceFs {
  const folders = new Map<string, boolean>([['', true]])
  const spellings = new Map<string, Spelling>()
  const spellingIn = (folder: string): Spelling => {
    const spelling = spellings.get(folder) ?? createSpelling(absoluteOf(root, folder))
    spellings.set(folder, spelling)
    return spelling
  }
  const stat = (path: string): Signature | null => {
    if (path === '') return lstatSignature(root)
    const folder = parentOf(path)
    if (!isFolder(folder)) return null
    const found = lstatSignature(absoluteOf(root, path))
    return found && spellingIn(folder).isExact(nameOf(path)) ? found : null
  }
  const isFolder = (path: string): boolean => {
    const cached = folders.get(path)
    if (cached !== undefined) return cached
    const isReal = stat(path)?.kind === 'dir'
    folders.set(path, isReal)
    return isReal
  }
  return {
    root,
    absolute: (path) => absoluteOf(root, path),
    isFolder,
    stat,
    otherSpelling: (path) => {
      const folder = parentOf(path)
      if (!isFolder(folder) || stat(path) || !lstatSignature(absoluteOf(root, path))) return null
      const name = spellingIn(folder).findOther(nameOf(path))
      return name === null ? null : childOf(folder, name)
    }
  }
}

/** The path in the spelling on disk, for each of its names that exists; relevant where the disk folds names. */
export function spelledOnDisk(root: string, path: string): string {
  const fs = createWorkspaceFs(root)
  let at = ''
  for (const name of path.split('/')) {
    const next = childOf(at, name)
    at = ignoreInaccessible(() => fs.otherSpelling(next), null) ?? next
  }
  return at
}

function ignoreInaccessible<T>(read: () => T, fallback: T): T {
  try {
    return read()
  } catch (error) {
    if (isUnreadable(error) || isNotFound(error)) return fallback
    throw error
  }
}
