/** [GT-4] Writes a kept state of the repository as a whole. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type GitStore, gitFilesAt, readGitContent } from '../store/git-store.ts'
import { checkInside, refused } from './git-files.ts'
import type { GitKeeper } from './git-keeper.ts'
import { WORKTREE_LINK } from './git-place.ts'
import { returnObjects } from './kept-objects.ts'
import { onDisk } from './names-on-disk.ts'

/**
 * At `target`, where nothing is. `onMade`: it exists, and is no repository yet. Throws Refused, and leaves what it wrote to
 * the caller to remove.
 */
export function writeRepository(
  keeper: GitKeeper,
  store: GitStore,
  state: number,
  target: string,
  onMade: () => void
): void {
  const files = gitFilesAt(store, state)
  const link = files.find(({ path }) => path === WORKTREE_LINK)?.hash
  if (link && target === join(keeper.root, WORKTREE_LINK)) {
    writeLink(keeper, readGitContent(store, link), target)
    onMade()
    return
  }
  // With reftable, git has a file at `refs/heads`, so that older versions of it find no branch.
  const isFile = (name: string): boolean => files.some(({ path }) => path === name)
  for (const name of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'])
    if (!isFile(name)) mkdirSync(join(target, name), { recursive: true })
  onMade()
  returnObjects(keeper.kept, join(target, 'objects'), () => true)
  // HEAD is written last: without it, git takes the folder for no repository.
  for (const { path, mode, hash } of files.toSorted((a, b) => Number(a.path === 'HEAD') - Number(b.path === 'HEAD'))) {
    if (!hash || path === WORKTREE_LINK) continue
    checkInside(target, path)
    const file = onDisk(target, path)
    mkdirSync(onDisk(target, dirname(path)), { recursive: true })
    writeFileSync(file, readGitContent(store, hash), { flag: 'wx', flush: true })
    chmodSync(file, mode)
  }
}

/** Throws Refused if the repository that a worktree belongs to is gone: it has a history of its own. */
function writeLink(keeper: GitKeeper, link: Uint8Array, target: string): void {
  writeFileSync(target, link, { flag: 'wx', flush: true })
  if (keeper.gitDir() === null)
    throw refused(
      'The repository that this worktree belongs to is gone. Nothing was written. Restore that one first.',
      {}
    )
}
