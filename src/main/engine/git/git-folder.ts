/** Finds the folders of a git repository without running git: ordinary ones, linked worktrees and submodules. */
import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { ifReadable } from '../files/fs-errors.ts'
import { readSmallFile } from '../files/read-small-file.ts'

export interface GitFolder {
  /** Top of the working tree: the folder that contains `.git`. */
  readonly top: string
  /** Contains HEAD and the index. */
  readonly gitDir: string
  /** Contains branches, packed-refs, info/exclude and config; differs from `gitDir` only in linked worktrees. */
  readonly commonDir: string
}

/** Bytes of a file `.git`. */
export const LINK_LIMIT = 8192

/** The repository whose working tree is exactly `top`; null if there is none or its `.git` is damaged. */
export function gitFolderAt(top: string): GitFolder | null {
  const dotGit = `${top}/.git`
  // Called for every folder: existsSync is the cheapest negative answer.
  const stats = existsSync(dotGit) ? statsOf(dotGit) : undefined
  if (!stats) return null
  const gitDir = stats.isDirectory() ? dotGit : linkTarget(top, readSmallFile(dotGit, LINK_LIMIT))
  if (gitDir === null || !statsOf(join(gitDir, 'HEAD'))) return null
  const common = readSmallFile(join(gitDir, 'commondir'), 8192)?.toString('utf8').trim()
  const commonDir = common && !common.includes('\0') ? resolve(gitDir, common) : gitDir
  return { top, gitDir, commonDir }
}

/** Where a file `.git` in `top` leads, whether or not something is there; null if it is none of git. */
export function linkTarget(top: string, link: Buffer | null): string | null {
  const target = /^gitdir: (.+?)\r?\n?$/s.exec(link?.toString('utf8') ?? '')?.[1]
  return !target || target.includes('\0') ? null : resolve(top, target)
}

/** A path as git writes it in its files, on Windows, too: in another one it does not see the end `/.git`. */
export function toGitPath(path: string, separator: string = sep): string {
  return path.replaceAll(separator, '/')
}

/** Whether a file `.git` in `top` leads to a repository of its own, as that of a submodule, and not to that of a worktree. */
export function leadsToRepository(top: string): boolean {
  const target = linkTarget(top, readSmallFile(`${top}/.git`, LINK_LIMIT))
  if (target === null) return false
  // A submodule may have the name `worktrees/x`: no repository contains its folder.
  const worktrees = dirname(target)
  return basename(worktrees) !== 'worktrees' || !existsSync(join(dirname(worktrees), 'HEAD'))
}

/**
 * The git folders of submodules inside of a repository, relative to it: each has refs and objects of its own. Names of
 * submodules may have slashes.
 */
export function submoduleFolders(commonDir: string): string[] {
  return listSubmodules(commonDir).found
}

/** The same, and the folders whose times change when one comes or goes. */
export function listSubmodules(commonDir: string): { readonly found: string[]; readonly listed: string[] } {
  const found: string[] = []
  const listed = ['worktrees']
  const visit = (folder: string): void => {
    listed.push(folder)
    for (const name of namesIn(join(commonDir, folder))) {
      const path = `${folder}/${name}`
      const isRepository = existsSync(join(commonDir, path, 'HEAD'))
      if (isRepository) found.push(path)
      else if (statsOf(join(commonDir, path))?.isDirectory()) visit(path)
    }
  }
  visit('modules')
  for (const name of namesIn(join(commonDir, 'worktrees'))) visit(`worktrees/${name}/modules`)
  return { found, listed }
}

/** Whether a file `.git` leads to the git folder of a submodule, as far as its config says where its files are. */
export function isCheckedOut(gitDir: string): boolean {
  const worktree = worktreeOf(gitDir)
  return worktree !== null && existsSync(join(worktree, '.git'))
}

/** Where the config of a submodule's git folder says that its files are; null while it is not checked out. */
export function worktreeOf(gitDir: string): string | null {
  const config = readSmallFile(join(gitDir, 'config'), 2 ** 20)?.toString('utf8') ?? ''
  const worktree = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(config)?.[1]
  return worktree === undefined ? null : resolve(gitDir, worktree)
}

/** The folders of submodules by their names, as the file `.gitmodules` in `top` has them. */
export function submodulePaths(top: string): ReadonlyMap<string, string> {
  const text = readSmallFile(join(top, '.gitmodules'), 2 ** 20)?.toString('utf8') ?? ''
  const paths = new Map<string, string>()
  for (const section of text.split(/^\s*(?=\[)/m)) {
    const name = /^\[submodule "((?:[^"\\\n]|\\.)*)"\]/.exec(section)?.[1]?.replace(/\\(.)/g, '$1')
    const path = /^\s*path\s*=\s*(?:"(.*)"|(.*?))\s*$/m.exec(section)
    if (name !== undefined && path) paths.set(name, path[1] ?? path[2] ?? '')
  }
  return paths
}

function namesIn(folder: string): string[] {
  return (existsSync(folder) && ifReadable(() => readdirSync(folder))) || []
}

/** The repository that `folder` belongs to: the nearest at or above it. */
export function findGitFolder(folder: string): GitFolder | null {
  for (let top = folder; ; top = dirname(top)) {
    const found = gitFolderAt(top)
    if (found || dirname(top) === top) return found
  }
}

function statsOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    // Unreachable, or below a file: as absent.
    return undefined
  }
}
