/** [WT-4] Makes a restored folder a worktree again, by the files that git keeps of it in the repository. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gitFolderAt, toGitPath } from '../git/git-folder.ts'
import {
  type GitFileRow,
  type GitStore,
  gitFilesAt,
  gitStates,
  lastStateWith,
  readGitContent
} from '../store/git-store.ts'
import { checkInside } from './git-files.ts'
import type { GitKeeper } from './git-keeper.ts'
import { WORKTREE_LINK } from './git-place.ts'

/** A file that git keeps of a worktree, as a store has it. */
interface WorktreeFile extends Pick<GitFileRow, 'path' | 'hash'> {
  readonly store: GitStore
}

/**
 * `keepers`: that of the repository, and that of the worktree, which has what was at its own positions. False, with nothing
 * written, where git has another worktree of this name, or nothing of this one is kept.
 */
export function restoreWorktreeLink(keepers: readonly [GitKeeper, GitKeeper], root: string, name: string): boolean {
  const gitDir = keepers[0].gitDir()
  if (gitDir === null || gitFolderAt(root) !== null) return false
  const admin = join(gitDir, 'worktrees', name)
  const link = join(root, WORKTREE_LINK)
  const isKnown = existsSync(join(admin, 'gitdir'))
  const files = isKnown ? [] : newestFiles(keepers, name)
  if (existsSync(link) || (!isKnown && files.length === 0)) return false
  if (!isKnown) writeWorktreeFiles({ gitDir, name, link }, files)
  writeFileSync(link, `gitdir: ${toGitPath(admin)}\n`, { flag: 'wx', flush: true })
  return true
}

/** Writes what git keeps of a worktree in `gitDir`. `link`: its file `.git`; git must find each from the other. */
export function writeWorktreeFiles(
  { gitDir, name, link }: { readonly gitDir: string; readonly name: string; readonly link: string },
  files: readonly WorktreeFile[]
): void {
  for (const { store, path, hash } of files.filter(({ path }) => isOf(name, path))) {
    if (!hash) continue
    checkInside(gitDir, path)
    const file = join(gitDir, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, readGitContent(store, hash), { flush: true })
  }
  writeFileSync(join(gitDir, 'worktrees', name, 'gitdir'), `${toGitPath(link)}\n`, { flush: true })
}

/** Without `gitdir`, by which git counts it as a worktree. */
const isOf = (name: string, path: string): boolean =>
  path.startsWith(`worktrees/${name}/`) && path !== `worktrees/${name}/gitdir`

/** Of each file of the worktree what was stored last. */
function newestFiles(keepers: readonly GitKeeper[], name: string): WorktreeFile[] {
  const newest = new Map<string, WorktreeFile & { readonly at: number }>()
  for (const file of keepers.flatMap((keeper) => keptFiles(keeper.store(), name)))
    if (file.at >= (newest.get(file.path)?.at ?? 0)) newest.set(file.path, file)
  return [...newest.values()]
}

/** In the last state that has them. `at`: when that of the file was stored, ms UTC. */
function keptFiles(store: GitStore | null, name: string): (WorktreeFile & { readonly at: number })[] {
  const state = store && lastStateWith(store, `worktrees/${name}/HEAD`)
  if (!store || state === null) return []
  const times = new Map(gitStates(store).map(({ id, at }) => [id, at]))
  return gitFilesAt(store, state)
    .filter(({ path }) => isOf(name, path))
    .map(({ path, hash, state: stored }) => ({ store, path, hash, at: times.get(stored) ?? 0 }))
}
