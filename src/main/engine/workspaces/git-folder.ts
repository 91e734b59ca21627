/** Finds a repository's own folders by reading, without git: plain, worktrees, submodules. */
import { existsSync, lstatSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { readSmallFile } from './read-small-file.ts'

export interface GitFolder {
  /** The folder that holds `.git`: top of the working tree. */
  readonly top: string
  /** HEAD and the index are here. */
  readonly gitDir: string
  /** Branches, packed-refs, info/exclude and config are here; the same as `gitDir` except in worktrees. */
  readonly commonDir: string
}

/** The repository whose working tree starts exactly at `top`; null if there is none or its `.git` is damaged. */
export function gitFolderAt(top: string): GitFolder | null {
  const dotGit = `${top}/.git`
  // Asked for every folder; the cheapest way to a no.
  const stats = existsSync(dotGit) ? statsOf(dotGit) : undefined
  if (!stats) return null
  let gitDir = dotGit
  if (!stats.isDirectory()) {
    const pointed = /^gitdir: (.+?)\r?\n?$/s.exec(readSmallFile(dotGit, 8192)?.toString('utf8') ?? '')?.[1]
    if (!pointed || pointed.includes('\0')) return null
    gitDir = isAbsolute(pointed) ? pointed : resolve(top, pointed)
  }
  if (!statsOf(join(gitDir, 'HEAD'))) return null
  const common = readSmallFile(join(gitDir, 'commondir'), 8192)?.toString('utf8').trim()
  const commonDir = common && !common.includes('\0') ? resolve(gitDir, common) : gitDir
  return { top, gitDir, commonDir }
}

/** The repository that `folder` belongs to: its own, else the nearest one above it. */
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
    // Out of reach or below something that is no folder: not there for us.
    return undefined
  }
}
