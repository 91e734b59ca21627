/**
 * Restores what git lost by its name: objects come back by hard link, then the ref that needs them is written. HEAD, the
 * index and the branches that exist are never changed, except when the repository is restored as a whole.
 */
import { join } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import type { LostItem, RepositoryState, RestoredGitItem } from '../../../contract/git.ts'
import { listAll } from '../../../contract/words/text.ts'
import { TABLE_LIST, TABLES } from '../git/reftable/live-stack.ts'
import {
  type GitStore,
  insertGitRestore,
  markGitRestoreUndone,
  newestGitRestore,
  setGitRestoreItems
} from '../store/git-store.ts'
import type { GitWork, WorkState } from '../store/restore-git.ts'
import { transact } from '../store/sql.ts'
import { refused, waitForLock } from './git-files.ts'
import type { GitKeeper } from './git-keeper.ts'
import { inWritingOrder, ownFolder, presentRepository, writeWork } from './git-work.ts'
import { liveRefs } from './live-refs.ts'
import { isDamaged, lostInEach, stateBeforeRemoval } from './lost.ts'
import { OPERATION_KINDS } from './operations.ts'
import { STASH_REF } from './parse-refs.ts'
import { asideOf, replacing } from './replace-repository.ts'
import type { Repositories } from './repositories.ts'
import { folderOf, nameIn } from './repository-names.ts'
import type { RepositoryWork } from './repository-works.ts'
import { reverseWork } from './reverse-work.ts'
import { chainWithout, stashWork } from './stash-work.ts'
import { statesOfWork } from './work-state.ts'

interface GitRestoreRequest {
  /** Names of lost items. */
  readonly names: readonly string[]
  /** Everything that is lost. */
  readonly all: boolean
  /** A branch of this name gets the one item. */
  readonly as?: string | undefined
  readonly dryRun: boolean
}

interface RestoredGit {
  readonly items: RestoredGitItem[]
  /** Of everything: more is lost than these. */
  readonly more: boolean
}

/**
 * [GT-2] Throws UnknownTarget for a name that is not lost, and Refused with nothing changed, where one item is restored. Of
 * several, one that fails stops no other.
 */
export async function restoreGit(repositories: Repositories, request: GitRestoreRequest): Promise<RestoredGit> {
  const found = await lostInEach(repositories)
  const lost = found.flatMap(({ keeper, repository, lost: items }) =>
    items.map((item): Lost => ({ keeper, repository, item, name: nameIn(keeper.path, item.name) }))
  )
  const parts = partsOf(chooseItems(lost, request), request.as)
  const more = request.all && found.some(({ notKept }) => notKept.includes('more-lost'))
  if (request.dryRun) return { items: parts.flatMap((part) => shownItems(part, 'planned')), more }
  const failures = await writeAll(repositories, parts)
  const items = parts.flatMap((part) => shownItems(part, 'done'))
  return { items: items.map((item, n) => ({ ...item, ...failures[n] })), more }
}

/** What is lost, and of which repository. */
interface Lost {
  readonly keeper: GitKeeper
  readonly repository: RepositoryState
  /** With the name in its own repository. */
  readonly item: LostItem
  /** What a person names it by. */
  readonly name: string
}

/** What is written in one repository. */
interface Part extends RepositoryWork {
  readonly store: GitStore
}

function partsOf(chosen: readonly Lost[], as: string | undefined): Part[] {
  return [...Map.groupBy(chosen, ({ keeper }) => keeper)].flatMap(([keeper, lost]) => {
    const store = keeper.store()
    return store
      ? // The oldest stash first: the newest is to be on top again.
        [{ keeper, store, work: inWritingOrder(lost.toReversed().map(({ item }) => workOf(keeper, store, item, as))) }]
      : []
  })
}

function shownItems({ keeper: { path }, work }: RepositoryWork, result: RestoredGitItem['result']): RestoredGitItem[] {
  return work.map(({ kind, name, from, to }) => ({
    ...{ kind, name: nameIn(path, name), ...folderOf(path) },
    ...{ from, to, result }
  }))
}

/**
 * The undo of all items is recorded before the first is written: each repository has its own, at the same time. After a
 * crash it may name some that were not written: those are as its undo would leave them. Returns what became of each;
 * throws, where a single one failed.
 */
async function writeAll(repositories: Repositories, parts: readonly Part[]): Promise<Outcome[]> {
  for (const { keeper } of parts) await waitForGit(keeper)
  // Later than every other, also where the clock was set back: the undo takes the newest.
  const at = Math.max(repositories.own.now(), ...newestRestores(repositories).map(({ newest }) => newest.at + 1))
  const journaled = parts.map((part) => {
    const items = JSON.stringify(part.work)
    return { ...part, id: transact(part.store, (tx) => insertGitRestore(tx, at, items)), done: [] as GitWork[] }
  })
  const isOnly = parts.length === 1 && parts[0]?.work.length === 1
  const outcomes: Outcome[] = []
  try {
    for (const { keeper, store, id, work, done } of journaled) {
      let rest = [...work]
      for (let item = rest.shift(); item; item = rest.shift()) {
        const outcome = await writeWork(keeper, item).then(() => DONE, isOnly ? undefined : asOutcome)
        outcomes.push(outcome)
        if (outcome === DONE) done.push(item)
        else {
          rest = chainWithout(item, rest)
          const items = JSON.stringify([...done, ...rest])
          transact(store, (tx) => setGitRestoreItems(tx, id, items))
        }
      }
    }
    return outcomes
  } finally {
    // What was written before a refusal is undone like the rest.
    for (const { keeper, store, id, work, done } of journaled) {
      if (done.length < work.length)
        transact(store, (tx) => setGitRestoreItems(tx, id, done.length > 0 ? JSON.stringify(done) : null))
      keeper.capture()
    }
  }
}

type Outcome = Pick<RestoredGitItem, 'result' | 'reason'>

const DONE: Outcome = { result: 'done' }

/** Of several items, the others are restored all the same. */
function asOutcome(error: unknown): Outcome {
  if (error instanceof DriftlineError) return { result: 'failed', reason: error.message }
  throw error
}

/** Undoes the newest restore. Throws Refused, with nothing changed, if git changed an item since, or it is kept no longer. */
export async function undoGitRestore(repositories: Repositories): Promise<RestoredGitItem[]> {
  const parts = newestParts(repositories)
  if (parts.length === 0)
    throw new DriftlineError('UnknownTarget', 'No restore of git’s state is left to undo. Nothing was changed.', {})
  for (const { keeper } of parts) await waitForGit(keeper)
  const states = parts.flatMap(({ keeper, work }) => statesOfWork(keeper, work))
  refuseOthers(
    parts.flatMap((part) => shownItems(part, 'planned')),
    states
  )
  // The last one first: a submodule's repository is in the folder of another.
  for (const { keeper, store, work, id } of parts.toReversed()) {
    for (const item of work) await writeWork(keeper, item)
    transact(store, (tx) => markGitRestoreUndone(tx, id))
    keeper.capture()
  }
  return parts.flatMap((part) => shownItems({ ...part, work: part.work.toReversed() }, 'done'))
}

/** The newest restore of each repository that has one. Damage of one costs no other. */
function newestRestores(repositories: Repositories) {
  const keepers = repositories.all()
  return keepers.flatMap((keeper) => {
    try {
      const store = keeper.store()
      const newest = store && newestGitRestore(store)
      return store && newest ? [{ keeper, store, newest }] : []
    } catch (error) {
      if (keepers.length === 1 || !isDamaged(error)) throw error
      return []
    }
  })
}

/** The newest restore of git by itself that is not undone, with what it wrote; null without one. */
export function newestRestoreOfGit(repositories: Repositories): { at: number; items: string[] } | null {
  const parts = newestParts(repositories)
  const at = Math.max(...newestRestores(repositories).map(({ newest }) => newest.at))
  return parts.length === 0
    ? null
    : { at, items: parts.flatMap((part) => shownItems(part, 'done')).map(({ name }) => name) }
}

/** What undoes the newest restore: in each repository that it wrote in. */
function newestParts(repositories: Repositories): (Part & { readonly id: number })[] {
  const all = newestRestores(repositories)
  const at = Math.max(...all.map(({ newest }) => newest.at))
  return all
    .filter(({ newest }) => newest.at === at)
    .map(({ keeper, store, newest: { id, items } }) => {
      return { keeper, store, id, work: reverseWork(JSON.parse(items) as GitWork[], asideOf(keeper)) }
    })
}

function refuseOthers(work: readonly RestoredGitItem[], states: readonly WorkState[]): void {
  const inState = (state: WorkState): string =>
    listAll(work.filter((_, n) => states[n] === state).map(({ name }) => name))
  const [changed, evicted] = [inState('changed'), inState('evicted')]
  if (changed !== '')
    throw refused(`${changed} changed since the restore. Nothing was undone. Change it with git, or move .git away.`)
  if (evicted !== '') throw refused(`What ${evicted} held before the restore is no longer kept. Nothing was undone.`)
}

/** Throws Refused if a git command still holds the index, or the tables of refs, after some seconds. */
export async function waitForGit(keeper: GitKeeper): Promise<void> {
  const gitDir = keeper.gitDir()
  if (gitDir === null) return
  for (const lock of locksOfGit(gitDir, ownFolder(keeper))) await waitForLock(lock, keeper.clock)
}

/** What a git command holds while it changes what a restore writes. `own`: as `ownFolder` says. */
export function locksOfGit(gitDir: string, own: string): string[] {
  const tables = `${TABLES}/${TABLE_LIST}.lock`
  return [...new Set([`${own}index.lock`, tables, own + tables])].map((lock) => join(gitDir, lock))
}

function chooseItems(lost: readonly Lost[], { names, all, as }: GitRestoreRequest): Lost[] {
  const unknown = names.find((name) => !lost.some((item) => isNamed(item, name)))
  if (unknown !== undefined && isOperation(unknown))
    throw refused(
      `${unknown} comes back with its files and its index. Nothing was changed. \`driftline git\` lists the command for that.`,
      { name: unknown }
    )
  if (unknown !== undefined)
    throw new DriftlineError(
      'UnknownTarget',
      `"${unknown}" is not lost. Nothing was changed. \`driftline git\` lists what is.`,
      { name: unknown }
    )
  const chosen = lost.filter((item) => all || names.some((name) => isNamed(item, name)))
  if (as === undefined) return all ? wholeOrTips(chosen) : chosen
  if (chosen.length !== 1 || chosen[0]?.item.kind === 'repository')
    throw new DriftlineError('Usage', '--as takes one branch, tag, stash or commit. Nothing was changed.', { as })
  checkBranchName(as)
  return chosen
}

/**
 * Of a repository that is gone the whole, which has all else; one that has refs of its own is replaced only by name. Commits
 * without a name need one of a person.
 */
function wholeOrTips(lost: readonly Lost[]): Lost[] {
  return lost.filter(({ repository, item: { kind } }) =>
    repository === 'present' ? kind !== 'repository' && kind !== 'commits' : kind === 'repository'
  )
}

/** Also in a subfolder. */
function isOperation(name: string): boolean {
  return OPERATION_KINDS.some((kind) => kind === name.slice(name.lastIndexOf(':') + 1))
}

function isNamed({ name, item: { commit, kind } }: Lost, wanted: string): boolean {
  return name === wanted || (kind !== 'repository' && wanted.length >= 7 && commit.startsWith(wanted))
}

/** git-check-ref-format(1), and no option. */
function checkBranchName(name: string): void {
  const isValid =
    /^[^\0-\x20\x7f~^:?*[\\]+$/.test(name) &&
    !/\.\.|@\{|^-|^@$/.test(name) &&
    name.split('/').every((part) => part !== '' && !/^\.|\.lock$|\.$/.test(part))
  if (!isValid)
    throw new DriftlineError('Usage', `"${name}" is not a name for a branch. Nothing was changed.`, { name })
}

function refOf({ kind, name, title }: LostItem, as: string | undefined): string {
  if (as !== undefined) return `refs/heads/${as}`
  if (kind === 'stash') return STASH_REF
  if (kind === 'tag') return fullName(name, 'tags')
  // Commits that a branch no longer has come back beside it.
  return kind === 'commits' ? `refs/heads/${title.replace(/^refs\//, '')}-${name.slice(0, 7)}` : fullName(name, 'heads')
}

const fullName = (name: string, group: 'heads' | 'tags'): string =>
  name.startsWith('refs/') ? name : `refs/${group}/${name}`

/** What restoring the item writes. Throws Refused. */
function workOf(keeper: GitKeeper, store: GitStore, item: LostItem, as: string | undefined): GitWork {
  const { kind, commit, title } = item
  if (kind === 'repository') return repositoryWork(keeper, store)
  const gitDir = presentRepository(keeper)
  const ref = refOf(item, as)
  const refs = liveRefs(gitDir, keeper.clock)
  const from = refs.read(ref)
  if (ref !== STASH_REF && from !== '')
    throw refused(`${ref} exists, so it was not written. Restore under another name with --as.`, { ref })
  const work: GitWork = { kind: kind === 'commits' ? 'branch' : kind, item: ref, name: ref, from, to: commit }
  return ref === STASH_REF ? stashWork(refs, work, title, keeper.now()) : work
}

/** [GT-4] The whole `.git` of the state before it was lost. What is in its place now is kept aside, in the data folder. */
function repositoryWork(keeper: GitKeeper, store: GitStore): GitWork {
  const state = stateBeforeRemoval(keeper, store)
  if (state === null) throw refused('No kept state has a repository. Nothing was written.', {})
  return {
    ...{ kind: 'repository', item: '.git', name: '.git', from: '', to: '' },
    repository: replacing(keeper, store, state)
  }
}
