/**
 * [CP-4] Work in one folder of a workspace that no other process can redirect. Between the check of a path and its
 * change another process can swap a folder above it for a link, so that the change happens outside. On Linux the
 * folders are opened name by name, never through a link (as openat2(2) does with RESOLVE_NO_SYMLINKS), and the work
 * uses the descriptor of the last one: it is that folder, wherever its name leads by then. Other systems check each
 * folder right before.
 */
import { closeSync, constants, existsSync, openSync } from 'node:fs'
import { exactFstat } from './exact-stat.ts'
import { errorCode, ifExists } from './fs-errors.ts'
import { foldersAbove, isWithin, nameOf, parentOf } from './paths.ts'
import { identityOf, lstatSignature, type Signature, signatureOf } from './signature.ts'
import { absoluteOf, createWorkspaceFs, type WorkspaceFs } from './workspace-fs.ts'

/** Opens a path without permission to read it (open(2)). Node has no constant for it; x64 and arm64 use this value. */
const O_PATH = 0o10000000
const ROOT_FLAGS = O_PATH | constants.O_DIRECTORY
const FLAGS = ROOT_FLAGS | constants.O_NOFOLLOW
const canPin = process.platform === 'linux' && existsSync('/proc/self/fd')
/** No such folder, or a file or link in its place. */
const NOT_A_FOLDER = ['ENOENT', 'ENOTDIR', 'ELOOP']

/** A folder as a root of its own: a name in it is a whole path. To be disposed, because it is an open file. */
export type OpenFolder = WorkspaceFs & Disposable

/**
 * Opens a folder, '' = the root. Returns null if a name on the way is no real folder. Throws other errors of the system,
 * also when the root is gone.
 */
export function openRealFolder(root: string, folder: string): OpenFolder | null {
  if (!canPin) {
    const fs = createWorkspaceFs(root)
    return fs.isFolder(folder) ? { ...createWorkspaceFs(fs.absolute(folder)), [Symbol.dispose]: () => {} } : null
  }
  const pinned = openFolder(root, folder)
  if (pinned === null) return null
  // With a dot, so that lstat of the folder itself does not find the link in /proc.
  return { ...createWorkspaceFs(pathOf(pinned)), [Symbol.dispose]: () => closeSync(pinned) }
}

/** Calls `use` with the folder, as `openRealFolder` opens it; returns null without calling it where that returns null. */
export async function inRealFolder<T>(
  root: string,
  folder: string,
  use: (fs: WorkspaceFs) => T | Promise<T>
): Promise<T | null> {
  using opened = openRealFolder(root, folder)
  return opened && (await use(opened))
}

/** Folders in which work is done one after another, to be disposed: that of the next call closes the one before. */
export interface OpenFolders extends Disposable {
  /**
   * As `openRealFolder`, for work without a pause. A folder is opened once for the calls in a row that name it, as long
   * as its name leads to it, or `evenMoved`: for what changes nothing that anybody sees.
   */
  open(folder: string): WorkspaceFs | null
}

export function openFolders(root: string, { evenMoved = false } = {}): OpenFolders {
  let last: { readonly folder: string; readonly fs: OpenFolder; identity: string | null } | null = null
  const close = (): void => {
    last?.fs[Symbol.dispose]()
    last = null
  }
  /** The folder that is open, if its name leads to it. */
  const openStill = (folder: string): OpenFolder | null => {
    if (!canPin || last?.folder !== folder) return null
    if (evenMoved) return last.fs
    last.identity ??= identityOf(last.fs.absolute(''))
    return identityOf(absoluteOf(root, folder)) === last.identity ? last.fs : null
  }
  return {
    open: (folder) => {
      const still = openStill(folder)
      if (still) return still
      close()
      const fs = openRealFolder(root, folder)
      last = fs && { folder, fs, identity: null }
      return fs
    },
    [Symbol.dispose]: close
  }
}

/** So many folders stay open at most. */
const MOST_OPEN = 16

/**
 * The folders of paths that are read one after another, to be disposed. The last one and those above it stay open, because most
 * paths follow one of the same folder, or of a folder beside it.
 */
export interface Parents extends Disposable {
  /**
   * A path that leads to this very name in its real folder, until the next call; null if a name on the way is no real
   * folder, or the root is gone. Throws other errors of the system.
   */
  absolute(path: string): string | null
}

/** Elsewhere than on Linux `fs` checks each folder, once. */
export function openParents(fs: Pick<WorkspaceFs, 'root' | 'isFolder' | 'absolute'>): Parents {
  if (!canPin)
    return { absolute: (path) => (fs.isFolder(parentOf(path)) ? fs.absolute(path) : null), [Symbol.dispose]: () => {} }
  /** Each in the one before. */
  const opened: { readonly folder: string; readonly descriptor: number }[] = []
  const closeLast = (): void => closeSync(opened.pop()?.descriptor as number)
  const openNext = (folder: string): void => {
    const above = opened.at(-1)
    const descriptor = above
      ? openSync(`${pathOf(above.descriptor)}/${nameOf(folder)}`, FLAGS)
      : openSync(fs.root, ROOT_FLAGS)
    opened.push({ folder, descriptor })
    if (opened.length > MOST_OPEN) closeSync(opened.shift()?.descriptor as number)
  }
  const enter = (folder: string): boolean => {
    // Throws for a folder that leads out.
    absoluteOf(fs.root, folder)
    while (opened.length > 0 && !isWithin(folder, opened.at(-1)?.folder as string)) closeLast()
    try {
      if (opened.length === 0) openNext('')
      const from = opened.at(-1)?.folder.length ?? 0
      for (const next of [...foldersAbove(folder), folder]) if (next.length > from) openNext(next)
      return true
    } catch (error) {
      if (NOT_A_FOLDER.includes(errorCode(error))) return false
      throw error
    }
  }
  return {
    absolute: (path) => {
      const folder = parentOf(path)
      if (opened.at(-1)?.folder !== folder && !enter(folder)) return null
      return absoluteOf(pathOf(opened.at(-1)?.descriptor as number), nameOf(path))
    },
    [Symbol.dispose]: () => {
      while (opened.length > 0) closeLast()
    }
  }
}

const pathOf = (descriptor: number): string => `/proc/self/fd/${descriptor}/.`

/**
 * Calls `use` with a path that leads to this very entry, for calls that follow links, such as chmod(2), and its stat,
 * null if it is absent. A link is never followed: its stat is that of the link.
 */
export function withEntry<T>(absolute: string, use: (path: string, now: Signature | null) => T): T {
  if (!canPin) return use(absolute, lstatSignature(absolute))
  const entry = ifExists(() => openSync(absolute, O_PATH | constants.O_NOFOLLOW))
  if (entry === null) return use(absolute, null)
  try {
    return use(`/proc/self/fd/${entry}`, signatureOf(exactFstat(entry)))
  } finally {
    closeSync(entry)
  }
}

function openFolder(root: string, folder: string): number | null {
  // Throws for a folder that leads out.
  absoluteOf(root, folder)
  let at = openSync(root, ROOT_FLAGS)
  try {
    for (const name of folder === '' ? [] : folder.split('/')) {
      const above = at
      at = openSync(`${pathOf(above)}/${name}`, FLAGS)
      closeSync(above)
    }
    return at
  } catch (error) {
    closeSync(at)
    if (NOT_A_FOLDER.includes(errorCode(error))) return null
    throw error
  }
}
