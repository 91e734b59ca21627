/**
 * [GT-7] Writes one item of git's own state, unless it is written already, so that an interrupted restore can be
 * finished. Everything an undo needs is known before: it is in the item.
 */
import { relative } from 'node:path'
import { toRefusal } from '../files/replace-file.ts'
import { gitFolderAt } from '../git/git-folder.ts'
import { objectIdsOfIndex } from '../git/git-index-objects.ts'
import { readGitContent } from '../store/git-store.ts'
import type { GitWork } from '../store/restore-git.ts'
import { bringObjects, bringReachable } from './bring-objects.ts'
import { idBytesOf, refused, writeGitFile } from './git-files.ts'
import type { GitKeeper } from './git-keeper.ts'
import { liveRefs } from './live-refs.ts'
import { OBJECT_ID } from './parse-refs.ts'
import { replaceRepository } from './replace-repository.ts'
import { writeFileWork } from './repository-files.ts'
import { nameIn } from './repository-names.ts'
import { chainStashes, isStashPassed } from './stash-work.ts'
import { stateOfIndex } from './work-state.ts'
import { writeOperation } from './write-operation.ts'

/** Throws Refused, with nothing of the item changed. */
export async function writeWork(keeper: GitKeeper, work: GitWork): Promise<void> {
  try {
    await write(keeper, work)
  } catch (error) {
    const isNamed = work.kind !== 'repository' && work.kind !== 'operation'
    throw toRefusal(error, nameIn(keeper.path, '.git') + (isNamed ? `/${work.name}` : ''))
  }
}

function write(keeper: GitKeeper, work: GitWork): Promise<void> | void {
  switch (work.kind) {
    case 'repository':
      return replaceRepository(keeper, work)
    case 'stash':
      return writeStash(keeper, work)
    case 'index':
      return writeIndex(keeper, work)
    case 'file':
      return writeFile(keeper, work)
    case 'operation':
      return writeOperation(keeper, presentRepository(keeper), work)
    default:
      return writeRef(keeper, work)
  }
}

/** HEAD, then operations last, and of several stashes each upon the one before. */
export function inWritingOrder(work: readonly GitWork[]): GitWork[] {
  const rank = ({ kind }: GitWork): number => ['stash', 'index', 'head', 'operation'].indexOf(kind)
  return chainStashes(work.toSorted((a, b) => rank(a) - rank(b)))
}

async function writeFile(keeper: GitKeeper, work: GitWork): Promise<void> {
  const gitDir = presentRepository(keeper)
  const store = keeper.store()
  if (store) writeFileWork(gitDir, store, work)
}

async function writeRef(keeper: GitKeeper, { name, from, to }: GitWork): Promise<void> {
  const gitDir = presentRepository(keeper)
  const refs = liveRefs(gitDir, keeper.clock)
  if (refs.read(name) === to) return
  if (OBJECT_ID.test(to)) await bringReachable(keeper, gitDir, [to])
  await refs.write({ name, from, to })
}

async function writeStash(keeper: GitKeeper, work: GitWork): Promise<void> {
  const gitDir = presentRepository(keeper)
  const refs = liveRefs(gitDir, keeper.clock)
  if (isStashPassed(refs, work)) return
  const { name, from, to } = work
  const isWritten = refs.read(name) === to
  if (to !== '' && !isWritten) await bringReachable(keeper, gitDir, [to])
  await refs.write({ ...work, from: isWritten ? to : from })
}

async function writeIndex(keeper: GitKeeper, work: GitWork): Promise<void> {
  const { name, to } = work
  const gitDir = presentRepository(keeper)
  const store = keeper.store()
  const state = store && stateOfIndex(gitDir, store, work)
  if (!store || state === 'written') return
  if (state === 'changed')
    throw refused('Git changed the index meanwhile, so it was not written. Restore again.', { name })
  if (state === 'evicted')
    throw refused('The kept index is older than the retention time, and is kept no longer. It was not written.', {
      name
    })
  const bytes = to === '' ? null : readGitContent(store, Buffer.from(to, 'hex'))
  if (bytes) {
    const ids = objectIdsOfIndex(bytes, idBytesOf(gitDir))
    if (!ids) throw refused('The kept index is in a form that only git reads, so it was not written.', { name })
    await bringObjects(keeper, gitDir, ids)
  }
  writeGitFile(gitDir, name, bytes)
}

export function presentRepository(keeper: GitKeeper): string {
  const gitDir = keeper.gitDir()
  if (gitDir !== null) return gitDir
  const name = nameIn(keeper.path, '.git')
  throw refused(`There is no git repository here now. Restore ${name} first: driftline git restore ${name}`, { name })
}

/** Where HEAD and the index of this folder are in its repository: '' or, of a linked worktree, `worktrees/NAME/`. */
export function ownFolder(keeper: GitKeeper): string {
  const git = gitFolderAt(keeper.root)
  const folder = git ? relative(git.commonDir, git.gitDir).split('\\').join('/') : ''
  return folder === '' ? '' : `${folder}/`
}
