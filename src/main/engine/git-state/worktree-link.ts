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
  if (!isKnown && store) writeWorktreeFiles(store, { gitDir, name, link }, files)
  writeFileSync(link, `gitdir: ${admin}\n`, { flag: 'wx', flush: true })
  return true
}

/** Writes what git keeps of a worktree in `gitDir`. `link`: its file `.git`; git must find each from the other. */
export function writeWorktreeFiles(
  store: GitStore,
  { gitDir, name, link }: { readonly gitDir: string; readonly name: string; readonly link: string },
  files: readonly GitFileRow[]
): void {
  for (const { path, hash } of filesOf(files, name)) {
    if (!hash) continue
    checkInside(gitDir, path)
    const file = join(gitDir, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, readGitContent(store, hash), { flush: true })
  }
  writeFileSync(join(gitDir, 'worktrees', name, 'gitdir'), `${link}\n`, { flush: true })
}

/** Without `gitdir`, by which git counts it as a worktree. */
const filesOf = (files: readonly GitFileRow[], name: string): GitFileRow[] =>
  files.filter(({ path }) => path.startsWith(`worktrees/${name}/`) && path !== `worktrees/${name}/gitdir`)

/** In the last state that has them. */
function keptFiles(store: GitStore | null, name: string): GitFileRow[] {
  const state = store && lastStateWith(store, `worktrees/${name}/HEAD`)
  return !store || state === null ? [] : filesOf(gitFilesAt(store, state), name)
}
