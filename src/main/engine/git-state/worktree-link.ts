/** [WT-4] Makes a restored folder a worktree again, by the files that git keeps of it in the repository. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gitFolderAt } from '../git/git-folder.ts'
import { type GitFileRow, type GitStore, gitFilesAt, lastStateWith, readGitContent } from '../store/git-store.ts'
import { checkInside } from './git-files.ts'
import type { GitKeeper } from './git-keeper.ts'
import { WORKTREE_LINK } from './git-place.ts'

/** False, with nothing written, where git has another worktree of this name, or nothing of this one is kept. */
export function restoreWorktreeLink(keeper: GitKeeper, root: string, name: string): boolean {
  const gitDir = keeper.gitDir()
  if (gitDir === null || gitFolderAt(root) !== null) return false
  const admin = join(gitDir, 'worktrees', name)
  const link = join(root, WORKTREE_LINK)
  const isKnown = existsSync(join(admin, 'gitdir'))
  const files = isKnown ? [] : keptFiles(keeper.store(), name)
  if (existsSync(link) || (!isKnown && files.length === 0)) return false
  const store = keeper.store()
  for (const { path, hash } of files) {
    if (!hash || !store) continue
    checkInside(gitDir, path)
    const file = join(gitDir, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, readGitContent(store, hash), { flush: true })
  }
  // Git must find its way in both directions, wherever the folder was.
  if (!isKnown) writeFileSync(join(admin, 'gitdir'), `${link}\n`, { flush: true })
  writeFileSync(link, `gitdir: ${admin}\n`, { flag: 'wx', flush: true })
  return true
}

/** In the last state that has them; `gitdir`, by which git counts it as a worktree, is not among them. */
function keptFiles(store: GitStore | null, name: string): GitFileRow[] {
  const folder = `worktrees/${name}/`
  const state = store && lastStateWith(store, `${folder}HEAD`)
  if (!store || state === null) return []
  return gitFilesAt(store, state).filter(({ path }) => path.startsWith(folder) && path !== `${folder}gitdir`)
}
