/**
 * Access to the disk below one root, by root-relative paths. All access to recorded paths goes through WorkspaceFs,
 * which never follows a link and never mistakes one spelling of a name for another (CP-4).
 */
import { sep } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import { ifReadable } from './fs-errors.ts'
import { childOf, nameOf, parentOf } from './paths.ts'
import { lstatSignature, type Signature } from './signature.ts'
import { createSpelling, type Spelling } from './spelling.ts'

/**
 * A recorded path as a path of the system. Both parts are normalized already, and nothing else may change:
 * Node passes the result to Windows with the prefix `\\?\`, so that long paths and names such as `nul` or `dot.` are files like
 * any other.
 */
export function absoluteOf(root: string, path: string, separator: string = sep): string {
  if (path === '') return root
  if (path.startsWith('/') || path.includes('\0') || (path.includes('..') && leadsOut(path, separator)))
    throw outsideError(path)
  const below = separator === '/' ? path : path.replaceAll('/', separator)
  return root.endsWith(separator) ? root + below : root + separator + below
}

/** Elsewhere than on Windows a backslash is a part of a name. */
function leadsOut(path: string, separator: string): boolean {
  return path.split(separator === '/' ? '/' : /[/\\]/).includes('..')
}

/** [CP-4] No path that Driftline records is like that: the history was made or changed by another program. */
function outsideError(path: string): DriftlineError {
  return new DriftlineError(
    'StoreDamaged',
    `The history names ${JSON.stringify(path)}, which is not inside the folder. Nothing was read or written there. Run "driftline doctor" for a list.`,
    { path }
  )
}

export type WorkspaceFs = ReturnType<typeof createWorkspaceFs>

/** A path as it was: its stat, null if it was absent, and a file (or link) with what it held. */
export interface Image {
  readonly signature: Signature | null
  readonly file: string
}
/** By root-relative path. */
export type Images = ReadonlyMap<string, Image>

/** Caches which folders are real folders, so create one per batch of work. `images` take the place of paths on disk. */
export function createWorkspaceFs(root: string, images?: Images) {
  const folders = new Map<string, boolean>([['', true]])
  const spellings = new Map<string, Spelling>()
  const spellingIn = (folder: string): Spelling => {
    const spelling = spellings.get(folder) ?? createSpelling(absoluteOf(root, folder))
    spellings.set(folder, spelling)
    return spelling
  }
  /**
   * lstat. Null if the path is absent; also if a parent is a link or a file, or if the name exists on disk only in
   * another spelling.
   */
  const stat = (path: string): Signature | null => {
    const image = images?.get(path)
    if (image) return image.signature
    if (path === '') return lstatSignature(root)
    const folder = parentOf(path)
    if (!isFolder(folder)) return null
    const found = lstatSignature(absoluteOf(root, path))
    return found && spellingIn(folder).isExact(nameOf(path)) ? found : null
  }
  /** A real folder whose parents are all real folders. '' is the root. */
  const isFolder = (path: string): boolean => {
    const cached = folders.get(path)
    if (cached !== undefined) return cached
    const isReal = stat(path)?.kind === 'dir'
    folders.set(path, isReal)
    return isReal
  }
  return {
    root,
    absolute: (path: string): string => images?.get(path)?.file ?? absoluteOf(root, path),
    /** Not what is on disk now. */
    isImage: (path: string): boolean => images?.has(path) ?? false,
    isFolder,
    stat,
    /**
     * For an absent path: the existing path that differs only in spelling and so takes its place on this disk. Null =
     * none.
     */
    otherSpelling: (path: string): string | null => {
      const folder = parentOf(path)
      if (!isFolder(folder) || stat(path) || !lstatSignature(absoluteOf(root, path))) return null
      const name = spellingIn(folder).findOther(nameOf(path))
      return name === null ? null : childOf(folder, name)
    }
  }
}

/** The path in the spelling on disk, for each of its names that exists; relevant where the disk folds names. */
export function spelledOnDisk(root: string, path: string): string {
  if (path === '') return ''
  const fs = createWorkspaceFs(root)
  let at = ''
  for (const name of path.split('/')) {
    const next = childOf(at, name)
    at = ifReadable(() => fs.otherSpelling(next)) ?? next
  }
  return at
}
