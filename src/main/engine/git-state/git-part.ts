/** [GT-7] What of git's own state differs from a restore's target, and what restoring each part writes. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { GitPlanItem } from '../../../contract/git.ts'
import { haveSameEntries } from '../git/git-index-objects.ts'
import {
  type GitStore,
  gitFilesAt,
  gitStateAt,
  gitStateBefore,
  gitStatesOfRun,
  hasGitContent,
  lastGitState,
  packedGitSize,
  readGitContent
} from '../store/git-store.ts'
import type { Store } from '../store/open-store.ts'
import type { GitWork } from '../store/restore-git.ts'
import type { Target } from '../store/targets.ts'
import { isReftable } from './git-files.ts'
import { type GitKeeper, repositoryOf } from './git-keeper.ts'
import { inWritingOrder, ownFolder, reverseWork, writeWork } from './git-work.ts'
import { NOT_LISTED } from './lost.ts'
import { OBJECT_ID, parsePackedRefs, parseStashes, type Refs, STASH_LOG } from './refs.ts'
import { asideOf, replacing } from './replace-repository.ts'
import { waitForGit } from './restore-git.ts'
import { stashWork } from './stash-work.ts'
import { statesOfWork } from './work-state.ts'

/** What is shown of a difference, and what restoring it writes. */
interface Difference {
  readonly shown: Omit<GitPlanItem, 'chosen'>
  readonly work: GitWork
}

/** The files of one state: hash by path, in hex. */
type Files = ReadonlyMap<string, string>

/** `log`: the store of this folder's own history. */
export function createGitPart(keeper: GitKeeper, log: Store) {
  const differencesFrom = (target: Target): readonly Difference[] => {
    if (!keeper.isOn()) return []
    keeper.captureNow()
    const store = keeper.store()
    const last = store && lastGitState(store)
    const state = store && stateOf(store, log, target)
    if (!store || !last || state === null || state >= last.id) return []
    return differences(keeper, store, state, last.id)
  }
  return {
    differencesFrom,
    lostBetween: (start: Target, end: Target): readonly Difference[] => {
      const lost = differencesFrom(start).filter(({ shown }) => shown.lost)
      const store = keeper.store()
      if (!store || lost.length === 0) return []
      const isLost = lossesBetween(store, stateOf(store, log, start), stateOf(store, log, end))
      return lost.filter(({ work }) => isLost(work))
    },
    inOrder: inWritingOrder,
    reverse: (work: readonly GitWork[]): GitWork[] => reverseWork(work, asideOf(keeper)),
    statesOf: (work: readonly GitWork[]) => statesOfWork(keeper, work),
    isAtWork: (): boolean => {
      const gitDir = repositoryOf(keeper.root)
      return gitDir !== null && existsSync(join(gitDir, ownFolder(keeper), 'index.lock'))
    },
    waitForGit: () => waitForGit(keeper),
    write: (work: GitWork) => writeWork(keeper, work),
    /** Records what was written. Never throws. */
    wrote: () => keeper.capture()
  }
}

/** The kept state at the target; null if none is known. A target without a checkpoint has the time of the edit after it. */
function stateOf(store: GitStore, log: Store, { run, turn, end, checkpoint, seq }: Target): number | null {
  const states = run !== null && turn === null ? gitStatesOfRun(store, run) : null
  const known = states
    ? end
      ? states.last
      : states.first
    : checkpoint !== null && !end
      ? gitStateAt(store, checkpoint)
      : null
  if (known !== null) return known
  const next = seq < log.records.lastSeq() ? log.records.edit(seq + 1).at : Number.POSITIVE_INFINITY
  return gitStateBefore(store, Math.min(next, Number.MAX_SAFE_INTEGER))
}

function filesAt(store: GitStore, id: number): Files {
  return new Map(gitFilesAt(store, id).map(({ path, hash }) => [path, Buffer.from(hash ?? []).toString('hex')]))
}

function differences(keeper: GitKeeper, store: GitStore, state: number, last: number): Difference[] {
  const [then, now] = [filesAt(store, state), filesAt(store, last)]
  const gitDir = repositoryOf(keeper.root)
  if (!then.has('HEAD')) return []
  const isReplaced = gitDir !== null && !isReftable(gitDir) && hasRefs(store, then) && !hasRefs(store, now)
  if (gitDir === null || !now.has('HEAD') || isReplaced)
    return keeper.isWorktree() ? [] : [wholeRepository(keeper, state)]
  const own = ownFolder(keeper)
  return [
    ...(isReftable(gitDir) ? [] : changedRefs(store, then, now)),
    ...lostStashes(keeper, gitDir, store, then, now),
    ...changedHead(store, `${own}HEAD`, then, now),
    ...changedIndex(store, `${own}index`, then, now)
  ]
}

/** Whether the item was there at state `from` and no longer at `to`. */
function lossesBetween(store: GitStore, from: number | null, to: number | null): (work: GitWork) => boolean {
  if (from === null || to === null) return () => false
  const [then, after] = [filesAt(store, from), filesAt(store, to)]
  const isGone = !after.has('HEAD') || (hasRefs(store, then) && !hasRefs(store, after))
  const packed = packedOf(store, after)
  const stashes = new Set(parseStashes(textOf(store, after, STASH_LOG)).map(({ commit }) => commit))
  return ({ kind, name, to: commit }) =>
    isGone || (kind === 'stash' ? !stashes.has(commit) : kind !== 'repository' && !after.has(name) && !packed.has(name))
}

function wholeRepository(keeper: GitKeeper, state: number): Difference {
  const shown = { item: '.git', kind: 'repository', name: '.git', from: '', to: '', lost: true } as const
  const { lost: _, ...work } = shown
  return { shown, work: { ...work, repository: { state, back: '', ...replacing(keeper) } } }
}

function hasRefs(store: GitStore, files: Files): boolean {
  return [...files.keys()].some((path) => path.startsWith('refs/')) || packedOf(store, files).size > 0
}

function packedOf(store: GitStore, files: Files): Refs {
  return parsePackedRefs(textOf(store, files, 'packed-refs', 'latin1'))
}

function textOf(store: GitStore, files: Files, path: string, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  const hash = files.get(path)
  return hash === undefined ? '' : readGitContent(store, Buffer.from(hash, 'hex')).toString(encoding)
}

/** Refs that were there and are gone or elsewhere. Only files that differ are read. */
function changedRefs(store: GitStore, then: Files, now: Files): Difference[] {
  const [packedThen, packedNow] = [packedOf(store, then), packedOf(store, now)]
  const names = new Set([...then.keys()].filter((path) => path.startsWith('refs/') && then.get(path) !== now.get(path)))
  for (const [name, id] of packedThen) if (packedNow.get(name) !== id || now.has(name)) names.add(name)
  const idOf = (files: Files, packed: Refs, name: string): string =>
    textOf(store, files, name).trim() || (packed.get(name) ?? '')
  return [...names].sort().flatMap((ref) => {
    const [from, to] = [idOf(now, packedNow, ref), idOf(then, packedThen, ref)]
    if (from === to || !OBJECT_ID.test(to) || NOT_LISTED.test(ref)) return []
    const [, group, short = ''] = /^refs\/(heads|tags)\/(.*)$/s.exec(ref) ?? []
    const kind = group === 'heads' ? 'branch' : group === 'tags' ? 'tag' : 'ref'
    const item = ref.slice('refs/'.length)
    const shown = { item, kind, name: kind === 'ref' ? item : short, from, to, lost: from === '' } as const
    return [{ shown, work: { kind, item, name: ref, from, to } }]
  })
}

function lostStashes(keeper: GitKeeper, gitDir: string, store: GitStore, then: Files, now: Files): Difference[] {
  if (then.get(STASH_LOG) === now.get(STASH_LOG)) return []
  const present = new Set(parseStashes(textOf(store, now, STASH_LOG)).map(({ commit }) => commit))
  const from = textOf(store, now, 'refs/stash').trim() || (packedOf(store, now).get('refs/stash') ?? '')
  // The oldest first: the newest is to be on top again.
  return parseStashes(textOf(store, then, STASH_LOG))
    .filter(({ commit }) => !present.has(commit))
    .toReversed()
    .map(({ commit, message }) => {
      const item = `stash@${commit.slice(0, 12)}`
      const work: GitWork = { kind: 'stash', item, name: 'refs/stash', from, to: commit }
      const shown = { item, kind: 'stash', name: message, from: '', to: commit, lost: true } as const
      return { shown, work: stashWork(keeper, gitDir, work, message) }
    })
}

function changedHead(store: GitStore, path: string, then: Files, now: Files): Difference[] {
  const [from, to] = [textOf(store, now, path).trim(), textOf(store, then, path).trim()]
  if (from === to || to === '') return []
  const shown = { item: 'HEAD', kind: 'head', name: 'HEAD', from, to, lost: false } as const
  return [{ shown, work: { kind: 'head', item: 'HEAD', name: path, from, to } }]
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
  const idBytes = /^\s*objectformat\s*=\s*sha256\s*$/im.test(textOf(store, files, 'config')) ? 32 : 20
  return haveSameEntries(readGitContent(store, a), readGitContent(store, b), idBytes)
}
