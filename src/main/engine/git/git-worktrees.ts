/** Finds the other worktrees of a folder's repository by reading git's files (git-worktree(1)); never writes them. */
import { readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { Worktree } from '../../../contract/workspace.ts'
import { ifReadable } from '../files/fs-errors.ts'
import { isWithin } from '../files/paths.ts'
import { readSmallFile } from '../files/read-small-file.ts'
import { lstatSignature } from '../files/signature.ts'
import { stampOf } from '../files/stamp.ts'
import { findGitFolder, type GitFolder, gitFolderAt } from './git-folder.ts'
import { readGitHead } from './git-head.ts'

/** Bounds the time for a repository with a huge number of worktrees. */
const MAX_WORKTREES = 200

/**
 * The main worktree and the linked ones that are not `recorded`, without the one that `root` is in, sorted. Each can be added as a
 * workspace of its own.
 */
export function unrecordedWorktrees(root: string, recorded: readonly { readonly root: string }[]): Worktree[] {
  const roots = new Set(recorded.map((workspace) => workspace.root))
  return otherFolders(root)
    .filter((folder) => !roots.has(folder))
    .map((folder) => ({ folder, branch: readGitHead(folder)?.branch ?? '' }))
}

/** Real absolute paths of the worktrees but the one that `root` is in, sorted. */
function otherFolders(root: string): string[] {
  const git = findGitFolder(root)
  if (!git) return []
  const own = realOrNull(git.top)
  return worktreesOf(git)
    .filter((folder) => folder !== own)
    .sort()
}

/** [CP-4] Worktrees inside `root`, root-relative. Each is a boundary, whether it is recorded or not. */
function worktreesInside(root: string): string[] {
  const top = root.endsWith(sep) ? root : root + sep
  return otherFolders(root)
    .filter((folder) => folder.startsWith(top))
    .map((folder) => folder.slice(top.length).replaceAll(sep, '/'))
}

/**
 * The worktree inside `root` that contains the root-relative path `inside`; null if the path belongs to `root` itself.
 */
export function worktreeContaining(root: string, inside: string): string | null {
  if (inside === '') return null
  return worktreesInside(root).find((worktree) => isWithin(inside, worktree)) ?? null
}

/** The main worktree if `root` is a linked one; else null. */
export function mainWorktreeOf(root: string): string | null {
  const git = gitFolderAt(root)
  return git && git.gitDir !== git.commonDir ? mainWorktree(git) : null
}

/**
 * For a linked worktree: the other working trees of its repository, the main one first; the others are read only when they are
 * asked for. Empty for any other folder.
 */
export function* siblingsOf(root: string): Generator<string> {
  const git = gitFolderAt(root)
  if (!git || git.gitDir === git.commonDir) return
  const main = realOrNull(mainWorktree(git) ?? '')
  if (main !== null) yield main
  for (const folder of otherFolders(root)) if (folder !== main) yield folder
}

/** A worktree by git's own files. */
export interface LinkedWorktree {
  /** Of its folder in .git/worktrees. */
  readonly name: string
  /** Real absolute path. */
  readonly folder: string
  /** False while `git worktree add` still writes its files. */
  readonly isComplete: boolean
}

/** The linked worktrees of the repository that `root` is the top of; of a linked one those of its repository. */
export function linkedWorktrees(root: string): LinkedWorktree[] {
  const git = gitFolderAt(root)
  if (!git) return []
  return linkedOf(git).map(({ name, folder, admin }) => {
    const locked = readSmallFile(join(admin, 'locked'), 8192)?.toString('utf8').trim()
    return { name, folder, isComplete: locked !== 'initializing' }
  })
}

interface Linked {
  readonly name: string
  /** Real absolute path. */
  readonly folder: string
  /** Its folder in .git/worktrees. */
  readonly admin: string
}

/** As they were read last, by their folder in .git/worktrees: each position of each folder asks for all of them. */
const known = new Map<string, { readonly stamp: string; readonly pointed: string; readonly linked: Linked }>()
const MOST_KNOWN = 10 * MAX_WORKTREES

function linkedOf(git: GitFolder): Linked[] {
  if (known.size > MOST_KNOWN) known.clear()
  return foldersIn(join(git.commonDir, 'worktrees')).flatMap((name) => {
    const admin = join(git.commonDir, 'worktrees', name)
    const before = known.get(admin)
    if (before && before.stamp === stampOfPointers(admin, before.pointed)) return [before.linked]
    known.delete(admin)
    const readAt = Date.now()
    const pointed = folderOf(admin)
    const folder = pointed && realOrNull(pointed)
    if (!pointed || !folder) return []
    const linked = { name, folder, admin }
    const stamp = stampOfPointers(admin, pointed, readAt)
    if (stamp !== null) known.set(admin, { stamp, pointed, linked })
    return [linked]
  })
}

/**
 * The folder of a linked worktree. Both must point to each other: a moved or deleted worktree is dropped, and no repository can
 * claim an unrelated folder.
 */
function folderOf(admin: string): string | null {
  const pointer = readSmallFile(join(admin, 'gitdir'), 8192)?.toString('utf8').trim()
  if (!pointer || pointer.includes('\0')) return null
  const folder = dirname(resolve(admin, pointer))
  const found = gitFolderAt(folder)
  return found && realOrNull(found.gitDir) === realOrNull(admin) ? folder : null
}

/** Changes when one of the two pointers does. Null if one is missing, or young at `readAt` (ms). */
function stampOfPointers(admin: string, folder: string, readAt = Number.POSITIVE_INFINITY): string | null {
  const paths = [join(admin, 'gitdir'), join(folder, '.git')]
  const stats = paths.flatMap((path) => ifReadable(() => lstatSignature(path)) ?? [])
  return stats.length < paths.length ? null : stampOf(stats, readAt)
}

function worktreesOf(git: GitFolder): string[] {
  const main = realOrNull(mainWorktree(git) ?? '')
  return [...linkedOf(git).map(({ folder }) => folder), ...(main === null ? [] : [main])]
}

/** Null for a bare repository. */
function mainWorktree({ commonDir }: GitFolder): string | null {
  return basename(commonDir) === '.git' && gitFolderAt(dirname(commonDir)) ? dirname(commonDir) : null
}

function foldersIn(folder: string): string[] {
  return (ifReadable(() => readdirSync(folder, { withFileTypes: true })) ?? [])
    .filter((entry) => entry.isDirectory())
    .slice(0, MAX_WORKTREES)
    .map((entry) => entry.name)
}

function realOrNull(path: string): string | null {
  return ifReadable(() => realpathSync.native(path))
}

/**
 * [CP-4] Returns a function that adds worktrees inside `root` to `boundaries` and removes them again. Other boundaries
 * stay, and so do `recorded` folders: git has forgotten a worktree before all its files are removed.
 */
export function createWorktreeBoundaries(
  root: string,
  boundaries: Set<string>,
  recorded: ReadonlySet<string> = new Set()
): () => void {
  let added: string[] = []
  return () => {
    const inside = new Set(worktreesInside(root))
    for (const worktree of added) if (!inside.has(worktree) && !recorded.has(worktree)) boundaries.delete(worktree)
    added = [...inside].filter((worktree) => added.includes(worktree) || !boundaries.has(worktree))
    for (const worktree of added) boundaries.add(worktree)
  }
}
