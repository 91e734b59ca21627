/** [GT-4] Writes a kept state of the repository as a whole. */
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isWithoutLinks } from '../files/fs-errors.ts'
import { linkTarget } from '../git/git-folder.ts'
import { log } from '../ports/log.ts'
import { type GitFileRow, type GitStore, gitFilesAt, readGitContent } from '../store/git-store.ts'
import { checkInside, idBytesIn, refused } from './git-files.ts'
import type { GitKeeper } from './git-keeper.ts'
import { WORKTREE_LINK } from './git-place.ts'
import { isOfForm, returnObjects } from './kept-objects.ts'
import { LINK_MODE } from './link-files.ts'
import { onDisk } from './names-on-disk.ts'
import { writeWorktreeFiles } from './worktree-link.ts'

/** Where links cannot be made, the repository is written without it: a restore of git then lists it as lost. */
function writeHookLink(file: string | Buffer, target: Buffer): void {
  try {
    symlinkSync(target, file)
  } catch (error) {
    if (!isWithoutLinks(error)) throw error
    log.warn(`${file} was not restored: no symbolic link can be made there`)
  }
}

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
    writeLink(keeper, store, files, readGitContent(store, link))
    onMade()
    return
  }
  // With reftable, git has a file at `refs/heads`, so that older versions of it find no branch.
  const isFile = (name: string): boolean => files.some(({ path }) => path === name)
  for (const name of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'])
    if (!isFile(name)) mkdirSync(join(target, name), { recursive: true })
  onMade()
  const config = files.find(({ path }) => path === 'config')?.hash
  const idBytes = idBytesIn(config ? readGitContent(store, config).toString('utf8') : '')
  // Others are of a repository that was here before or after it.
  returnObjects(keeper.kept, join(target, 'objects'), (folder, name) => isOfForm(folder, name, idBytes))
  // HEAD is written last: without it, git takes the folder for no repository.
  for (const { path, mode, hash } of files.toSorted((a, b) => Number(a.path === 'HEAD') - Number(b.path === 'HEAD'))) {
    if (!hash || path === WORKTREE_LINK) continue
    checkInside(target, path)
    const file = onDisk(target, path)
    mkdirSync(onDisk(target, dirname(path)), { recursive: true })
    const bytes = readGitContent(store, hash)
    if (mode === LINK_MODE) writeHookLink(file, bytes)
    else {
      writeFileSync(file, bytes, { flag: 'wx', flush: true })
      chmodSync(file, mode)
    }
  }
}

/**
 * With what git had of the worktree in its repository, if git has forgotten it. Throws Refused if that repository is gone: it has
 * a history of its own.
 */
function writeLink(keeper: GitKeeper, store: GitStore, files: readonly GitFileRow[], bytes: Uint8Array): void {
  const link = join(keeper.root, WORKTREE_LINK)
  writeFileSync(link, bytes, { flag: 'wx', flush: true })
  if (keeper.gitDir() !== null) return
  const admin = linkTarget(keeper.root, Buffer.from(bytes))
  const gitDir = admin && dirname(dirname(admin))
  if (admin && gitDir && isWorktreeOf(gitDir, admin, files))
    writeWorktreeFiles(
      { gitDir, name: basename(admin), link },
      files.map((file) => ({ ...file, store }))
    )
  if (keeper.gitDir() === null)
    throw refused(
      'The repository that this worktree belongs to is gone. Nothing was written. Restore that one first.',
      {}
    )
}

function isWorktreeOf(gitDir: string, admin: string, files: readonly GitFileRow[]): boolean {
  const head = `worktrees/${basename(admin)}/HEAD`
  return existsSync(join(gitDir, 'HEAD')) && !existsSync(admin) && files.some(({ path }) => path === head)
}
