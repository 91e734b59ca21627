/** Finds the other working trees of a folder's repository by reading git's files; nothing of git's is ever written. */
import { readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { Worktree } from '../../../contract/workspace.ts'
import { isWithin } from '../files/workspace-fs.ts'
import { isNotFound, isUnreadable } from '../ports/fs-errors.ts'
import { readGitHead } from './git-head.ts'
import { type GitFolder, findGitFolder, gitFolderAt } from './git-folder.ts'
import { readSmallFile } from './read-small-file.ts'
import type { Registry } from './registry.ts'

/** More than a person has; a repository made to have more costs no time. */
const MAX_WORKTREES = 200

/** The main working tree and the linked ones, without the one that `root` lies in, sorted. */
export function otherWorktrees(root: string): Worktree[] {
  const git = findGitFolder(root)
  if (!git) return []
  return worktreesOf(git)
    .filter((folder) => folder !== realOrNull(git.top))
    .sort()
    .map((folder) => ({ folder, branch: readGitHead(folder)?.branch ?? '' }))
}

/** Those that are not recorded; each is offered as a folder of its own, with a history of its own. */
export function unrecordedWorktrees(registry: Pick<Registry, 'list'>, root: string): Worktree[] {
  const others = otherWorktrees(root)
  if (others.length === 0) return others
  const recorded = new Set(registry.list().map((one) => one.root))
  return others.filter(({ folder }) => !recorded.has(folder))
}

/** [CP-4] Linked working trees inside `root`, as paths in it: each is a boundary, recorded on its own or not. */
export function worktreesInside(root: string): string[] {
  const top = root.endsWith(sep) ? root : root + sep
  return otherWorktrees(root)
    .filter(({ folder }) => folder.startsWith(top))
    .map(({ folder }) => folder.slice(top.length).replaceAll(sep, '/'))
}

/** The linked working tree inside `root` that `inside`, a path in it, lies in; null for a place that is plainly `root`'s. */
export function worktreeContaining(root: string, inside: string): string | null {
  if (inside === '') return null
  return worktreesInside(root).find((worktree) => isWithin(inside, worktree)) ?? null
}

/** The main working tree of the repository when `root` is a linked one; else null. */
export function mainWorktreeOf(root: string): string | null {
  const git = gitFolderAt(root)
  return git && git.gitDir !== git.commonDir ? mainWorktree(git) : null
}

function worktreesOf(git: GitFolder): string[] {
  const linked = namesIn(join(git.commonDir, 'worktrees')).flatMap((name) => {
    const admin = join(git.commonDir, 'worktrees', name)
    const pointer = readSmallFile(join(admin, 'gitdir'), 8192)?.toString('utf8').trim()
    if (!pointer || pointer.includes('\0')) return []
    const folder = dirname(resolve(admin, pointer))
    // Both have to name each other: one that was moved or deleted is none, and a repository cannot claim a stranger's folder.
    const there = gitFolderAt(folder)
    return there && realOrNull(there.gitDir) === realOrNull(admin) ? [folder] : []
  })
  const main = mainWorktree(git)
  return [...linked, ...(main ? [main] : [])].flatMap((folder) => realOrNull(folder) ?? [])
}

/** Null for a bare repository. */
function mainWorktree({ commonDir }: GitFolder): string | null {
  return basename(commonDir) === '.git' && gitFolderAt(dirname(commonDir)) ? dirname(commonDir) : null
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .slice(0, MAX_WORKTREES)
      .map((entry) => entry.name)
  } catch (error) {
    if (isNotFound(error) || isUnreadable(error)) return []
    throw error
  }
}

function realOrNull(path: string): string | null {
  try {
    return realpathSync.native(path)
  } catch (error) {
    if (isNotFound(error) || isUnreadable(error)) return null
    throw error
  }
}
