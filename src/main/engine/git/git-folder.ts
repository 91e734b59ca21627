/** Finds the folders of a git repository without running git: ordinary ones, linked worktrees and submodules. */
import { existsSync, lstatSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { readSmallFile } from '../files/read-small-file.ts'

export interface GitFolder {
  /** Top of the working tree: the folder that contains `.git`. */
  readonly top: string
  /** Contains HEAD and the index. */
  readonly gitDir: string
  /** Contains branches, packed-refs, info/exclude and config; differs from `gitDir` only in linked worktrees. */
  readonly commonDir: string
}

/** The repository whose working tree is exactly `top`; null if there is none or its `.git` is damaged. */
export function gitFolderAt(top: string): GitFolder | null {
  const dotGit = `${top}/.git`
  // Called for every folder: existsSync is the cheapest negative answer.
  const stats = existsSync(dotGit) ? statsOf(dotGit) : undefined
  if (!stats) return null
  let gitDir = dotGit
  if (!stats.isDirectory()) {
    const target = /^gitdir: (.+?)\r?\n?$/s.exec(readSmallFile(dotGit, 8192)?.toString('utf8') ?? '')?.[1]
    if (!target || target.includes('\0')) return null
    gitDir = isAbsolute(target) ? target : resolve(top, target)
  }
  if (!statsOf(join(gitDir, 'HEAD'))) return null
  const common = readSmallFile(join(gitDir, 'commondir'), 8192)?.toString('utf8').trim()
  const commonDir = common && !common.includes('\0') ? resolve(gitDir, common) : gitDir
  return { top, gitDir, commonDir }
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
