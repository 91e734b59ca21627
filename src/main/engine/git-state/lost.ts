/** What a repository lost: branches, tags, stashes and commits that a kept state has and the present one does not. */
import { existsSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import type { LostGit, LostItem, PartsNotKept, RepositoryState } from '../../../contract/git.ts'
import { readSmallFile } from '../files/read-small-file.ts'
import { isCheckedOut, submoduleFolders } from '../git/git-folder.ts'
import { checkpointsUntil } from '../store/checkpoints.ts'
import { type GitStateRow, type GitStore, lastStateWith } from '../store/git-store.ts'
import type { Store } from '../store/open-store.ts'
import { resolveTarget } from '../store/targets.ts'
import { positionsBeforeCalls } from '../store/tool-calls.ts'
import { stateBeforeDeletion } from './deletion-steps.ts'
import { idBytesOf } from './git-files.ts'
import type { GitKeeper } from './git-keeper.ts'
import { ownFolder } from './git-work.ts'
import { lacksPack } from './kept-objects.ts'
import { liveRefs } from './live-refs.ts'
import { oncePerRepository } from './once-per-repository.ts'
import { type LostOperation, lostOperations, momentOf, operationsAt } from './operations.ts'
import { type Refs, STASH_REF } from './parse-refs.ts'
import { countCommits, type ReadableRepository } from './read-git.ts'
import type { LiveRefs } from './ref-backend.ts'
import { type RefState, replayRefs } from './refs.ts'
import type { Repositories } from './repositories.ts'
import { folderOf, nameIn } from './repository-names.ts'
import { stateOf } from './target-state.ts'

/** A ref or stash of an earlier state, and the first state without it. */
interface Former {
  readonly ref: string
  readonly commit: string
  readonly title: string
  readonly lost: GitStateRow
}

/** Refs that git makes again, or that belong to a command at work. */
export const NOT_LISTED = /^refs\/(?:remotes|stash$|bisect|rewritten|worktree)/
/** Former tips that are examined: each costs a process of git. */
const MOST_TIPS = 50

/** [GT-3] What the repositories lost, newest first. Records the present state first. `log`: the store of the folder's own history. */
export async function listLost(repositories: Repositories, log: Store): Promise<LostGit> {
  const found = (await lostInEach(repositories)).map(({ keeper, lost, ...rest }) => ({
    ...rest,
    lost: [...lost, ...(rest.repository === 'present' ? lostOperationItems(keeper, log) : [])],
    path: keeper.path
  }))
  const [{ repository, notKept } = NOTHING_LOST, ...below] = found
  const others = hasOtherSubmodules(repositories) ? (['submodules'] as const) : []
  const lost = found.flatMap(({ lost: items, path }) =>
    items.map((item) => ({ ...item, ...folderOf(path), name: nameIn(path, item.name) }))
  )
  return {
    repository,
    lost: lost.sort((a, b) => b.lostAt - a.lostAt),
    notKept: [...notKept, ...others],
    below: below.map(({ path, repository: state, notKept: parts }) => ({
      folder: path,
      repository: state,
      notKept: parts.filter((part) => part !== 'off')
    }))
  }
}

/** [GT-15] They come back with the files, so each names a target: the newest position at which it was at work. */
function lostOperationItems(keeper: GitKeeper, log: Store): LostItem[] {
  const own = ownFolder(keeper)
  return ifKept([], () => {
    const store = keeper.store()
    return (store ? lostOperations(store, own) : []).flatMap((operation) => {
      const { kind, lost } = operation
      const title = store && targetOf(store, log, own, operation)
      return title
        ? [{ kind: 'operation', name: kind, commit: '', commits: null, title, lostAt: lost.at, run: lost.run } as const]
        : []
    })
  })
}

/** How many calls may have been open, and how many checkpoints made, until it was found to be gone. */
const MOST_TARGETS = 10

/**
 * Before the tool call that gave it up, or at the newest checkpoint before; undefined where none has the operation. On a busy
 * computer the call may have ended by the time that it is found to be gone.
 */
function targetOf(store: GitStore, log: Store, own: string, { kind, last, lost }: LostOperation): string | undefined {
  const before = positionsBeforeCalls(log, last.at, lost.at, MOST_TARGETS).map((seq) => `seq:${seq}`)
  return [...before, ...checkpointsUntil(log, lost.at, MOST_TARGETS)].find((target) => {
    const state = ifKept(null, () => stateOf(store, log, resolveTarget(log, target)))
    return state !== null && operationsAt(store, own, momentOf(store, state)).includes(kind)
  })
}

/** What is damaged, evicted or cannot be read costs only what it names. */
function ifKept<T>(otherwise: T, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof DriftlineError) return otherwise
    throw error
  }
}

/** Whether there are repositories of submodules that no folder leads to: they are not kept. */
function hasOtherSubmodules(repositories: Repositories): boolean {
  const keepers = repositories.all()
  const kept = new Set(keepers.map((keeper) => keeper.gitDir()))
  // Those of the repository of a worktree concern the main folder.
  const inside = keepers.flatMap((keeper) => (keeper.isWorktree() ? [] : submodulesOf(keeper.gitDir())))
  return inside.some((gitDir) => !kept.has(gitDir) && !isCheckedOut(gitDir))
}

function submodulesOf(gitDir: string | null): string[] {
  return gitDir === null ? [] : submoduleFolders(gitDir).map((path) => join(gitDir, path))
}

interface LostIn {
  readonly repository: RepositoryState
  readonly lost: readonly LostItem[]
  readonly notKept: PartsNotKept
}

const NOTHING_LOST: LostIn = { repository: 'none', lost: [], notKept: [] }

const DAMAGED: LostIn = { repository: 'present', lost: [], notKept: ['damaged'] }

/**
 * [GT-8] The items have the names of their own repository. One whose kept copies are damaged costs only its own items; throws
 * StoreDamaged if there is no other.
 */
export async function lostInEach(repositories: Repositories): Promise<(LostIn & { readonly keeper: GitKeeper })[]> {
  const keepers = repositories.all()
  const found: (LostIn & { readonly keeper: GitKeeper })[] = []
  for (const keeper of keepers) {
    const lost = await lostIn(keeper).catch((error: unknown) => {
      if (keepers.length === 1 || !isDamaged(error)) throw error
      return DAMAGED
    })
    found.push({ ...lost, keeper })
  }
  return withoutDoubles(found)
}

/** [GT-13] Of folders of the same repository; one that another folder has is not lost. */
function withoutDoubles<T extends LostIn & { readonly keeper: GitKeeper }>(found: readonly T[]): T[] {
  const isLost = ({ repository }: T): boolean => repository === 'missing'
  const present = new Set(found.some(isLost) ? found.map((each) => !isLost(each) && each.keeper.target()) : [])
  const items = found.flatMap((each) => {
    const isElsewhere = isLost(each) && present.has(each.keeper.target())
    return isElsewhere ? [] : each.lost.map((item) => ({ keeper: each.keeper, item }))
  })
  const once = oncePerRepository(items, ({ item: { kind, name, commit } }) => `${kind} ${name} ${commit}`)
  const listed = new Set(once.map(({ item }) => item))
  return found.map((each) => ({ ...each, lost: each.lost.filter((item) => listed.has(item)) }))
}

async function lostIn(keeper: GitKeeper): Promise<LostIn> {
  keeper.captureNow()
  const store = keeper.store()
  const gitDir = keeper.gitDir()
  const repository = repositoryState(keeper, store)
  const notKept: PartsNotKept[number][] = [
    ...(keeper.isOn() ? [] : (['off'] as const)),
    ...(gitDir === null ? [] : partsNotKept(gitDir, keeper.kept))
  ]
  if (!store) return { repository, lost: [], notKept }
  const replayed = formerRefs(store, keeper.isWorktree() ? null : birthOf(gitDir))
  const { formers: all, last, removal, replacement } = replayed
  const isWhole = repository === 'missing' || repository === 'replaced'
  const vanished = isWhole ? removal : replacement
  const whole = isWhole || vanished ? [wholeItem(vanished)] : []
  notKept.push(...replayed.notRead)
  if (repository === 'missing' || gitDir === null) return { repository, lost: whole, notKept }
  const formers = byImportance(isWhole ? all : all.filter(({ ref, commit }) => !isPresent(ref, commit, last)), replayed)
    // No ref can name an object of another form.
    .filter(({ commit }) => commit.length === 2 * idBytesOf(gitDir))
  if (formers.slice(MOST_TIPS).some((former) => isLostRef(former, last))) notKept.push('more-lost')
  return { repository, lost: [...whole, ...(await describe(formers, gitDir, keeper))], notKept }
}

function wholeItem(vanished: GitStateRow | null): LostItem {
  const { at = 0, run = null } = vanished ?? {}
  return { kind: 'repository', name: '.git', commit: '', commits: null, title: '', lostAt: at, run }
}

/** Of those that cost a process each: lost branches, tags and stashes, then commits that a branch no longer has, then other refs. */
function byImportance(formers: readonly Former[], { last }: Replayed): Former[] {
  const rank = (former: Former): number => (OTHER_REF.test(former.ref) ? 2 : isLostRef(former, last) ? 0 : 1)
  return formers.toSorted((a, b) => rank(a) - rank(b))
}

/** Neither a branch nor a tag nor the stashes. */
const OTHER_REF = /^refs\/(?!heads\/|tags\/|stash$)/

/** Not only commits that a branch no longer has. */
function isLostRef({ ref, commit }: Former, last: RefState): boolean {
  return ref === STASH_REF ? !isPresent(ref, commit, last) : !last.refs.has(ref)
}

/** When the folder of a repository was made, ms UTC; null where the disk does not say it. */
function birthOf(gitDir: string | null): number | null {
  const stats = gitDir === null ? undefined : lstatSync(gitDir, { throwIfNoEntry: false })
  // Some disks give the time of the last change, which each git command sets.
  return stats && stats.birthtimeMs > 0 && stats.birthtimeMs < stats.ctimeMs ? stats.birthtimeMs : null
}

function isPresent(ref: string, commit: string, { refs, stashes }: RefState): boolean {
  return ref === STASH_REF ? stashes.some((stash) => stash.commit === commit) : refs.get(ref) === commit
}

function repositoryState(keeper: GitKeeper, store: GitStore | null): RepositoryState {
  const gitDir = keeper.gitDir()
  if (gitDir === null) {
    const wasPresent = store !== null && lastStateWith(store, 'HEAD') !== null
    return wasPresent || (store && existsSync(join(keeper.root, '.git'))) ? 'missing' : 'none'
  }
  // Whether an earlier one had refs takes reading all states: only of one that has none itself.
  return !store || liveRefs(gitDir, keeper.clock).hasAny() || !formerRefs(store, null).hadRefs ? 'present' : 'replaced'
}

/**
 * [GT-10] The cost does not follow the number of kept states, unless the repository has no ref. Null also where the kept
 * states are damaged: `doctor` and `driftline git` say that, and the folder is shown and recorded all the same.
 */
export function lostRepository(keeper: GitKeeper): 'missing' | 'replaced' | null {
  // That of a worktree belongs to another folder.
  if (keeper.isWorktree()) return null
  try {
    const gitDir = keeper.gitDir()
    // The setting and the kept states are asked last: a status asks this of a hundred repositories, which may not be open yet.
    if (keeper.path !== '' && gitDir !== null && liveRefs(gitDir, keeper.clock).hasAny()) return null
    if (!keeper.isOn()) return null
    const state = repositoryState(keeper, keeper.store())
    return state === 'missing' || state === 'replaced' ? state : null
  } catch (error) {
    if (isDamaged(error)) return null
    throw error
  }
}

export function isDamaged(error: unknown): boolean {
  return error instanceof DriftlineError && error.code === 'StoreDamaged'
}

interface Replayed {
  readonly formers: readonly Former[]
  readonly last: RefState
  readonly hadRefs: boolean
  /** The state in which the repository had vanished, or had lost all of its refs. */
  readonly removal: GitStateRow | null
  /** The first state of a repository that took the place of another, of which it has no ref. */
  readonly replacement: GitStateRow | null
  /** Why some kept versions could not be read. */
  readonly notRead: ReadonlySet<'damaged' | 'reftable-names'>
}

/** The last state before the repository began to vanish, lost all of its refs, or was replaced; null if none of these happened. */
export function stateBeforeRemoval(keeper: GitKeeper, store: GitStore): number | null {
  const { removal, replacement } = formerRefs(store, birthOf(keeper.gitDir()))
  const end = replacement ?? removal
  return end === null ? null : stateBeforeDeletion(store, end)
}

/** Every tip and stash that some state has and the next has not, newest loss first. `birth`: of the present repository. */
function formerRefs(store: GitStore, birth: number | null): Replayed {
  const formers = new Map<string, Former>()
  let last: RefState = { present: false, refs: new Map(), stashes: [] }
  let hadRefs = false
  let removal: GitStateRow | null = null
  const replacement = createReplacement(birth)
  const notRead = new Set<'damaged' | 'reftable-names'>()
  replayRefs(
    store,
    (state, next) => {
      const add = (ref: string, commit: string, title: string): void => {
        const key = `${ref} ${commit}`
        formers.delete(key)
        formers.set(key, { ref, commit, title, lost: state })
      }
      if (next.refs !== last.refs)
        for (const [ref, commit] of last.refs)
          if (next.refs.get(ref) !== commit && !NOT_LISTED.test(ref)) add(ref, commit, '')
      const kept = new Set(next.stashes.map(({ commit }) => commit))
      // The newest is to be the first of the list, which is reversed.
      for (const { commit, message } of last.stashes.toReversed())
        if (!kept.has(commit)) add(STASH_REF, commit, message)
      const isGone = last.present && !next.present && removal === null
      if (isGone || (last.refs.size > 0 && next.refs.size === 0)) removal = state
      replacement.visit(state, next.refs)
      hadRefs ||= next.refs.size > 0
      last = next
    },
    { onDamaged: () => notRead.add('damaged'), onUnreadable: () => notRead.add('reftable-names') }
  )
  return { formers: [...formers.values()].reverse(), last, hadRefs, removal, replacement: replacement.found(), notRead }
}

/** Finds the first state of a repository that was made at `birth` and has no ref of the one before. */
function createReplacement(birth: number | null) {
  let earlier: Refs = new Map()
  let first: GitStateRow | null = null
  let isOther: boolean | null = null
  return {
    visit: (state: GitStateRow, refs: Refs): void => {
      const isEarlier = birth === null || state.at < birth
      if (!isEarlier) first ??= state
      if (refs.size === 0) return
      if (isEarlier) earlier = refs
      // One that was restored or cloned again has the refs of before.
      else isOther ??= earlier.size > 0 && ![...refs].some(([ref, commit]) => earlier.get(ref) === commit)
    },
    found: (): GitStateRow | null => (isOther ? first : null)
  }
}

/** Names what was lost; earlier tips of a ref are listed only for commits that nothing newer has. */
async function describe(
  formers: readonly Former[],
  gitDir: string | null,
  { kept, clock }: GitKeeper
): Promise<LostItem[]> {
  const repository: ReadableRepository | null = gitDir === null ? null : { gitDir, kept }
  const refs: LiveRefs | null = gitDir === null ? null : liveRefs(gitDir, clock)
  const items: LostItem[] = []
  const covered: string[] = ['--all']
  const named = new Set<string>()
  for (const former of formers.slice(0, MOST_TIPS)) {
    const { ref, commit, title, lost } = former
    const commits = repository && (await countCommits(repository, commit, covered))
    const item = { commit, commits, lostAt: lost.at, run: lost.run }
    const kind = kindOf(ref)
    const isTip = kind === 'stash' || (!named.has(ref) && !refs?.has(ref))
    named.add(ref)
    // A branch may have the name `refs/heads/x`, which alone is another ref.
    const short = ref.replace(/^refs\/(?:heads|tags)\/(?!refs\/)/, '')
    if (kind === 'stash') items.push({ ...item, kind, name: commit.slice(0, 12), title })
    else if (isTip) items.push({ ...item, kind, name: short, title: '' })
    else if (commits === null || commits > 0)
      items.push({ ...item, kind: 'commits', name: commit.slice(0, 12), title: short })
    if (commits) covered.push(commit)
  }
  return items
}

function kindOf(ref: string): 'stash' | 'tag' | 'branch' | 'ref' {
  if (ref === STASH_REF) return 'stash'
  return OTHER_REF.test(ref) ? 'ref' : ref.startsWith('refs/tags/') ? 'tag' : 'branch'
}

/** Parts of a repository that restores do not include. */
function partsNotKept(gitDir: string, kept: string): PartsNotKept {
  const config = readSmallFile(join(gitDir, 'config'), 2 ** 20)?.toString('utf8') ?? ''
  const has = (path: string): boolean => existsSync(join(gitDir, path))
  return [
    ...(has('lfs') ? (['lfs'] as const) : []),
    ...(has('objects/info/alternates') ? (['alternates'] as const) : []),
    ...(/^\s*(?:promisor|partialclonefilter)\s*=/im.test(config) ? (['partial-clone'] as const) : []),
    ...(lacksPack(join(gitDir, 'objects'), kept) ? (['large-packs'] as const) : [])
  ]
}
