/** [GT-7] What of git's own state differs from a restore's target, and what restoring each part writes. */
import { existsSync } from 'node:fs'
import { haveSameEntries } from '../git/git-index-objects.ts'
import {
  type GitStore,
  gitFilesAt,
  hasGitContent,
  lastGitState,
  packedGitSize,
  readGitContent
} from '../store/git-store.ts'
import type { Store } from '../store/open-store.ts'
import type { GitWork } from '../store/restore-git.ts'
import type { Target } from '../store/targets.ts'
import { idBytesIn } from './git-files.ts'
import type { GitKeeper } from './git-keeper.ts'
import { UNLINKED, WORKTREE_LINK } from './git-place.ts'
import { ownFolder } from './git-work.ts'
import { type Files, hashesAt, type KeptRefs, keptRefs, textOf } from './kept-refs.ts'
import { liveRefs } from './live-refs.ts'
import { isDamaged, NOT_LISTED } from './lost.ts'
import { oncePerRepository } from './once-per-repository.ts'
import { changedOperations, type Difference, operationsAt } from './operations.ts'
import { OBJECT_ID, STASH_REF } from './parse-refs.ts'
import { replacing } from './replace-repository.ts'
import type { Repositories } from './repositories.ts'
import { differingFiles, fileWork, isOtherForm } from './repository-files.ts'
import { nameIn } from './repository-names.ts'
import { createWorks } from './repository-works.ts'
import { locksOfGit, newestRestoreOfGit, waitForGit } from './restore-git.ts'
import { stashWork } from './stash-work.ts'
import { stateOf } from './target-state.ts'

interface Differences {
  readonly found: readonly Difference[]
  /** What kept some from being read; null if that is none. */
  readonly failure: unknown
  /** Repositories in another form than at the target: their config stays as it is. */
  readonly converted: readonly string[]
}

/** `log`: the store of this folder's own history. Items of a subfolder's repository carry its path. */
export function createGitPart(repositories: Repositories, log: Store) {
  const works = createWorks(repositories)
  /** [GT-8] Damage of the kept copies of one repository costs its own items. */
  const inEach = (read: (keeper: GitKeeper) => readonly Difference[]): Differences => {
    const found: { readonly keeper: GitKeeper; readonly each: Difference }[] = []
    const converted: string[] = []
    let failure: unknown = null
    for (const keeper of repositories.isOn() ? repositories.all() : [])
      try {
        for (const each of read(keeper))
          if (isConverted(keeper, each)) converted.push(nameIn(keeper.path, each.shown.item))
          else found.push({ keeper, each })
      } catch (error) {
        failure = error
      }
    const once = oncePerRepository(found, ({ each: { shown } }) => `${shown.item} ${shown.to}`)
    return { found: once.map(({ keeper, each }) => placed(keeper, each)), failure, converted }
  }
  const keepersOf = (work: readonly GitWork[]): GitKeeper[] => works.byRepository(work).map(({ keeper }) => keeper)
  return {
    differencesFrom: (target: Target): Differences => inEach((keeper) => differencesFrom(keeper, log, target)),
    lostBetween: (start: Target, end: Target): Differences => inEach((keeper) => lostBetween(keeper, log, start, end)),
    inOrder: works.inOrder,
    reverse: works.reverse,
    statesOf: works.statesOf,
    newestRestore: () => newestOf(repositories),
    isAtWork: (work: readonly GitWork[]): boolean => keepersOf(work).some(isAtWork),
    waitForGit: async (work: readonly GitWork[]): Promise<void> => {
      for (const keeper of keepersOf(work)) await waitForGit(keeper)
    },
    write: works.write,
    /** Records what was written. Never throws. */
    wrote: repositories.capture
  }
}

/** [GT-8] Where it cannot be read, files are undone all the same. */
function newestOf(repositories: Repositories): ReturnType<typeof newestRestoreOfGit> {
  try {
    return newestRestoreOfGit(repositories)
  } catch (error) {
    if (isDamaged(error)) return null
    throw error
  }
}

/** The config of another form of the repository, with which git would find none of its refs. */
function isConverted(keeper: GitKeeper, { work }: Difference): boolean {
  const [gitDir, store] = [keeper.gitDir(), keeper.store()]
  return gitDir !== null && store !== null && work.kind === 'file' && isOtherForm(gitDir, store, work)
}

function placed({ path }: GitKeeper, { shown, work }: Difference): Difference {
  if (path === '') return { shown, work }
  const needs = shown.needs ? { needs: shown.needs.map((item) => nameIn(path, item)) } : {}
  const place = { folder: path, item: nameIn(path, shown.item), ...needs }
  return { shown: { ...shown, ...place }, work: { ...work, ...place } }
}

function isAtWork(keeper: GitKeeper): boolean {
  const gitDir = keeper.gitDir()
  return gitDir !== null && locksOfGit(gitDir, ownFolder(keeper)).some((lock) => existsSync(lock))
}

function differencesFrom(keeper: GitKeeper, log: Store, target: Target): readonly Difference[] {
  if (isAsAt(keeper, target)) return []
  keeper.captureNow()
  const store = keeper.store()
  const last = store && lastGitState(store)
  const state = store && stateOf(store, log, target)
  if (!store || !last || state === null || state >= last.id) return []
  return differences(keeper, store, state, last.id)
}

/** Whether a subfolder's repository has no state since the target: most have none, and then a few stats tell. */
function isAsAt(keeper: GitKeeper, { at }: Target): boolean {
  if (keeper.path === '' || at === null || !keeper.isUnmoved()) return false
  const store = keeper.store()
  return !store || (lastGitState(store)?.at ?? 0) < at
}

function lostBetween(keeper: GitKeeper, log: Store, start: Target, end: Target): readonly Difference[] {
  const all = differencesFrom(keeper, log, start)
  const lost = all.filter(({ shown }) => shown.lost)
  const store = keeper.store()
  if (!store || lost.length === 0) return []
  const isLost = lossesBetween(store, ownFolder(keeper), stateOf(store, log, start), stateOf(store, log, end))
  const proposed = lost.filter(({ work }) => isLost(work))
  const needed = proposed.flatMap(({ shown }) => shown.needs ?? [])
  return [...all.filter(({ shown }) => needed.includes(shown.item)), ...proposed]
}

function differences(keeper: GitKeeper, store: GitStore, state: number, last: number): Difference[] {
  const [then, now] = [hashesAt(store, state), hashesAt(store, last)]
  const gitDir = keeper.gitDir()
  if (!then.has('HEAD')) return []
  const whole = (): Difference[] => (keeper.isWorktree() ? [] : [wholeRepository(keeper, store, state)])
  if (gitDir === null || !now.has('HEAD')) return whole()
  const [refsThen, refsNow] = [keptRefs(store, then), keptRefs(store, now)]
  if (refsThen.hasAny() && !refsNow.hasAny()) return whole()
  // No object of one can be in the other.
  if (idBytesAt(store, then) !== idBytesAt(store, now)) return whole()
  const own = ownFolder(keeper)
  const found = [
    // A file `.git` of which only the folder is left that it leads to.
    ...(isLinkLost(store, state, last) ? whole() : []),
    ...changedRefs(refsThen, refsNow),
    ...lostStashes(keeper, gitDir, refsThen, refsNow),
    ...changedHead(own, refsThen, refsNow),
    ...changedIndex(store, `${own}index`, then, now),
    ...(keeper.isWorktree() ? [] : changedFiles(store, state, last))
  ]
  const moments = [
    { state, refs: refsThen },
    { state: last, refs: refsNow }
  ] as const
  return [...found, ...changedOperations(store, own, ...moments, new Set(found.map(({ shown }) => shown.item)))]
}

/** Whether the item was there at state `from` and no longer at `to`. */
function lossesBetween(
  store: GitStore,
  own: string,
  from: number | null,
  to: number | null
): (work: GitWork) => boolean {
  if (from === null || to === null) return () => false
  const after = hashesAt(store, to)
  if (!after.has('HEAD')) return () => true
  const [refsThen, refsAfter] = [keptRefs(store, hashesAt(store, from)), keptRefs(store, after)]
  if (refsThen.hasAny() && !refsAfter.hasAny()) return () => true
  const stashes = new Set(refsAfter.stashes().map(({ commit }) => commit))
  const operations = operationsAt(store, own, { state: to, refs: refsAfter })
  return ({ kind, name, to: commit }) => {
    switch (kind) {
      case 'stash':
        return !stashes.has(commit)
      case 'repository':
        return isLinkLost(store, from, to) || idBytesAt(store, hashesAt(store, from)) !== idBytesAt(store, after)
      case 'file':
        return !after.has(name)
      case 'operation':
        return !operations.some((each) => each === commit)
      default:
        return refsAfter.ref(name) === ''
    }
  }
}

function idBytesAt(store: GitStore, files: Files): number {
  return idBytesIn(textOf(store, files, 'config'))
}

function isLinkLost(store: GitStore, from: number, to: number): boolean {
  const link = (state: number) => gitFilesAt(store, state).find(({ path }) => path === WORKTREE_LINK)
  return (link(from)?.mode ?? UNLINKED) !== UNLINKED && link(to)?.mode === UNLINKED
}

function wholeRepository(keeper: GitKeeper, store: GitStore, state: number): Difference {
  const shown = { item: '.git', kind: 'repository', name: '.git', from: '', to: '', lost: true } as const
  const { lost: _, ...work } = shown
  return { shown, work: { ...work, repository: replacing(keeper, store, state) } }
}

/** Refs that were there and are gone or elsewhere. */
function changedRefs(then: KeptRefs, now: KeptRefs): Difference[] {
  const names = then.differingFrom(now)
  return names.sort().flatMap((ref) => {
    const [from, to] = [now.ref(ref), then.ref(ref)]
    if (from === to || !OBJECT_ID.test(to) || NOT_LISTED.test(ref)) return []
    const [, group, short = ''] = /^refs\/(heads|tags)\/(.*)$/s.exec(ref) ?? []
    const kind = group === 'heads' ? 'branch' : group === 'tags' ? 'tag' : 'ref'
    const item = ref.slice('refs/'.length)
    const shown = { item, kind, name: kind === 'ref' ? item : short, from, to, lost: from === '' } as const
    return [{ shown, work: { kind, item, name: ref, from, to } }]
  })
}

function lostStashes(keeper: GitKeeper, gitDir: string, then: KeptRefs, now: KeptRefs): Difference[] {
  const present = new Set(now.stashes().map(({ commit }) => commit))
  const lost = then.stashes().filter(({ commit }) => !present.has(commit))
  if (lost.length === 0) return []
  const [refs, from] = [liveRefs(gitDir, keeper.clock), now.ref(STASH_REF)]
  // The oldest first: the newest is to be on top again.
  return lost.toReversed().map(({ commit, message }) => {
    const item = `stash@${commit.slice(0, 12)}`
    const work: GitWork = { kind: 'stash', item, name: STASH_REF, from, to: commit }
    const shown = { item, kind: 'stash', name: message, from: '', to: commit, lost: true } as const
    return { shown, work: stashWork(refs, work, message, keeper.now()) }
  })
}

function changedHead(own: string, then: KeptRefs, now: KeptRefs): Difference[] {
  const [from, to] = [now.head(own), then.head(own)]
  if (from === to || to === '') return []
  const shown = { item: 'HEAD', kind: 'head', name: 'HEAD', from, to, lost: false } as const
  return [{ shown, work: { kind: 'head', item: 'HEAD', name: `${own}HEAD`, from, to } }]
}

function changedFiles(store: GitStore, then: number, now: number): Difference[] {
  const isKept = (hash: string): boolean => hash === '' || hasGitContent(store, Buffer.from(hash, 'hex'))
  return differingFiles(store, then, now).flatMap((file) => {
    const { path, from, to } = file
    if (!isKept(to.hash)) return []
    const shown = {
      item: path,
      kind: 'file',
      name: path,
      from: from.hash,
      to: to.hash,
      lost: from.hash === ''
    } as const
    return [{ shown, work: fileWork(file) }]
  })
}

/** A larger index, compressed bytes, differs as soon as its bytes do: comparing all entries would take seconds. */
const LARGEST_COMPARED = 4 * 1024 * 1024

function changedIndex(store: GitStore, path: string, then: Files, now: Files): Difference[] {
  const [from = '', to = ''] = [now.get(path), then.get(path)]
  if (from === to || (to !== '' && !hasGitContent(store, Buffer.from(to, 'hex')))) return []
  if (from !== '' && to !== '' && meansTheSame(store, Buffer.from(from, 'hex'), Buffer.from(to, 'hex'), now)) return []
  const shown = { item: 'index', kind: 'index', name: 'index', from: '', to: '', lost: false } as const
  return [{ shown, work: { kind: 'index', item: 'index', name: path, from, to } }]
}

function meansTheSame(store: GitStore, a: Buffer, b: Buffer, files: Files): boolean {
  if (packedGitSize(store, a) > LARGEST_COMPARED) return false
  return haveSameEntries(readGitContent(store, a), readGitContent(store, b), idBytesAt(store, files))
}
