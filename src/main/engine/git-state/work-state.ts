/** [GT-7] Whether items of git's own state can be written now. Reads; changes nothing. */
import { join } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import { readSmallFile } from '../files/read-small-file.ts'
import { haveSameEntries } from '../git/git-index-objects.ts'
import { type GitStore, hasGitContent, readGitContent } from '../store/git-store.ts'
import { sha256 } from '../store/hash.ts'
import type { GitWork, WorkState } from '../store/restore-git.ts'
import { idBytesOf } from './git-files.ts'
import type { GitKeeper } from './git-keeper.ts'
import { liveRefs } from './live-refs.ts'
import { operationFilesNow } from './operation-files.ts'
import type { LiveRefs } from './ref-backend.ts'
import { stateOfReplacement } from './replace-repository.ts'
import { stateOfFile } from './repository-files.ts'
import { isStashPassed, knowsStashLog } from './stash-work.ts'
import { STATE_FILE_LIMIT } from './state-files.ts'

/** Of each of `works`, which are written in this order. */
export function statesOfWork(keeper: GitKeeper, works: readonly GitWork[]): WorkState[] {
  const store = keeper.store()
  const gitDir = keeper.gitDir()
  return works.map((work) => {
    if (!store) return 'evicted'
    if (work.repository) return stateOfReplacement(keeper, store, work.repository)
    if (gitDir === null) return 'changed'
    if (work.kind === 'file') return stateOfFile(gitDir, store, work)
    if (work.kind === 'index') return stateOfIndex(gitDir, store, work)
    if (work.kind === 'operation') return stateOfOperation(keeper, gitDir, store, work)
    return stateOfRef(liveRefs(gitDir, keeper.clock), work, works)
  })
}

/** Changed also where git, or a person, added a file to it since. */
export function stateOfOperation(
  { clock }: Pick<GitKeeper, 'clock'>,
  gitDir: string,
  store: GitStore,
  { parts = [] }: GitWork
): WorkState {
  const refs = liveRefs(gitDir, clock)
  const states = parts.map((part) =>
    part.kind === 'file' ? stateOfFile(gitDir, store, part) : stateOfRef(refs, part, [])
  )
  const known = new Set(parts.map(({ name }) => name))
  if (operationFilesNow(gitDir, parts).some((path) => !known.has(path))) return 'changed'
  return (['changed', 'evicted', 'ready'] as const).find((state) => states.includes(state)) ?? 'written'
}

function stateOfRef(refs: LiveRefs, work: GitWork, works: readonly GitWork[]): WorkState {
  try {
    if (work.kind === 'stash') return stateOfStash(refs, work, works)
    const now = refs.read(work.name)
    return now === work.to ? 'written' : now === work.from ? 'ready' : 'changed'
  } catch (error) {
    // Git's refs cannot be read: they are not as the restore left them.
    if (error instanceof DriftlineError) return 'changed'
    throw error
  }
}

function stateOfStash(refs: LiveRefs, work: GitWork, works: readonly GitWork[]): WorkState {
  if (isStashPassed(refs, work)) return 'written'
  const stashes = works.filter(({ kind }) => kind === 'stash')
  const now = refs.read(work.name)
  const isKnown = stashes.some(({ from, to }) => [from, to].includes(now))
  return isKnown && knowsStashLog(refs, stashes) ? 'ready' : 'changed'
}

export function stateOfIndex(gitDir: string, store: GitStore, { name, from, to }: GitWork): WorkState {
  const now = readSmallFile(join(gitDir, name), STATE_FILE_LIMIT)
  const hash = now ? sha256(now).toString('hex') : ''
  if (hash === to) return 'written'
  if (to !== '' && !hasGitContent(store, Buffer.from(to, 'hex'))) return 'evicted'
  return hash === from || (now && meansKept(gitDir, store, now, from)) ? 'ready' : 'changed'
}

/** Git writes the index again for stats alone: every `git status` may do it. */
function meansKept(gitDir: string, store: GitStore, now: Buffer, kept: string): boolean {
  const hash = Buffer.from(kept, 'hex')
  return hasGitContent(store, hash) && haveSameEntries(now, readGitContent(store, hash), idBytesOf(gitDir))
}
