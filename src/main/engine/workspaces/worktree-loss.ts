/**
 * [WT-3] The files of a removed worktree that are nowhere else: neither in the main folder's history, nor in a commit, nor in
 * the history of a worktree that is there, as after `git worktree move`.
 */
import { createHash } from 'node:crypto'
import { gitFolderAt } from '../git/git-folder.ts'
import { readGit } from '../git-state/read-git.ts'
import { coverageState } from '../store/coverage.ts'
import { readMeta } from '../store/meta.ts'
import { holdsFile, type OwnFile, ownFilesAt } from '../store/own-files.ts'
import { hasMorePending } from '../store/paths.ts'
import { foldersInside } from './recorded-folders.ts'
import type { OpenWorkspace } from './workspace.ts'

/** What else may have the files of a removed worktree. */
export interface Others {
  readonly main: OpenWorkspace
  /** Worktrees of its repository that are there. */
  readonly present: readonly OpenWorkspace[]
}

/** Files of the worktree's history at position `seq` whose bytes only it has, sorted by path. */
export async function lostFiles(worktree: OpenWorkspace, { main, present }: Others, seq: number): Promise<OwnFile[]> {
  // What the main folder noticed of a worktree inside it, before git knew that, or after it forgot it.
  const [inside] = foldersInside(main.root, [worktree.root])
  const own = ownFilesAt(worktree.store, seq).filter(
    ({ hash }) =>
      !holdsFile(main.store, hash, inside ?? null) && !present.some(({ store }) => holdsFile(store, hash, null))
  )
  if (own.length === 0) return []
  const committed = await committedBlobs(main.root, readMeta(worktree.store, 'git_born'))
  const isCommitted = ({ content, size }: OwnFile): boolean =>
    worktree.store.content.isReadable(content) &&
    committed.has(blobId(worktree.store.content.get(content, size), committed))
  return committed.size === 0 ? own : own.filter((file) => !isCommitted(file))
}

/** Null if none is known to be lost, and not all files were recorded: it was removed too soon. */
export async function countLost(worktree: OpenWorkspace, others: Others, seq: number): Promise<number | null> {
  const { length } = await lostFiles(worktree, others, seq)
  // Names whose files vanished before they were read are known still.
  const isComplete = coverageState(worktree.store) === 'complete' && !hasMorePending(worktree.store, 0)
  return length === 0 && !isComplete ? null : length
}

/** Ids of what commits since `born` have; of all commits if that is not known. Empty without git. */
async function committedBlobs(root: string, born: string | null): Promise<ReadonlySet<string>> {
  const gitDir = gitFolderAt(root)?.commonDir
  if (gitDir === undefined) return new Set()
  const since = born === null ? [] : ['--not', born]
  const args = ['rev-list', '--objects', '--no-object-names', '--all', ...since, '--']
  const printed = await readGit({ gitDir, kept: null }, args)
  return new Set((printed ?? '').split('\n').filter(Boolean))
}

/** The id that git gives these bytes, in the length that the repository uses. */
function blobId(bytes: Buffer, ids: ReadonlySet<string>): string {
  const [first = ''] = ids
  return createHash(first.length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex')
}
