/**
 * [GT-15] What git has begun and not ended: a merge, rebase, cherry-pick, revert, am or bisect, each with its files and refs. It
 * means nothing without its index, its HEAD and the branch that it is to change, so these are restored with it.
 */
import type { GitPlanItem, OperationKind } from '../../../contract/git.ts'
import {
  type GitFileRow,
  type GitStateRow,
  type GitStore,
  gitFilesAt,
  gitStates,
  hasGitContent,
  lastStateWith,
  readGitContent
} from '../store/git-store.ts'
import type { GitWork } from '../store/restore-git.ts'
import { stateBeforeDeletion } from './deletion-steps.ts'
import { hashesAt, type KeptRefs, keptRefs } from './kept-refs.ts'
import { BISECT_FILE, SEQUENCE_FILE } from './operation-files.ts'
import type { Refs } from './parse-refs.ts'
import { ABSENT, fileWork, type Version, versionOf } from './repository-files.ts'

export const OPERATION_KINDS: readonly OperationKind[] = ['merge', 'rebase', 'am', 'cherry-pick', 'revert', 'bisect']

/** What is shown of a difference, and what restoring it writes. */
export interface Difference {
  readonly shown: Omit<GitPlanItem, 'chosen'>
  readonly work: GitWork
}

/** Its files and refs, by their paths in the repository. */
interface Operation {
  /** Null: none is at work, though some of its files may be left. */
  readonly kind: OperationKind | null
  readonly files: ReadonlyMap<string, Version>
  readonly refs: Refs
  /** The trimmed text of one of its files; '' without it. `name`: without the folder of a worktree. */
  text(name: string): string
}

/** A kept state. */
export interface Moment {
  readonly state: number
  readonly refs: KeptRefs
}

/** One operation of each group may be at work at a time. */
const GROUPS = [
  { files: SEQUENCE_FILE, refs: /^(?!BISECT_|refs\/bisect\/)/, kindOf: sequenceOf },
  {
    files: BISECT_FILE,
    refs: /^(?:BISECT_|refs\/bisect\/)/,
    kindOf: (has: Has): OperationKind | null => (has('BISECT_LOG') ? 'bisect' : null)
  }
] as const

type Has = (name: string) => boolean

function sequenceOf(has: Has, text: (name: string) => string): OperationKind | null {
  if (has('rebase-merge/head-name') || has('rebase-apply/head-name')) return 'rebase'
  if (has('rebase-apply/next')) return 'am'
  if (has('MERGE_HEAD')) return 'merge'
  if (has('CHERRY_PICK_HEAD')) return 'cherry-pick'
  if (has('REVERT_HEAD')) return 'revert'
  // Between two commits of several, none of these is there.
  if (!has('sequencer/todo')) return null
  return text('sequencer/todo').startsWith('revert') ? 'revert' : 'cherry-pick'
}

/** Kinds of those at work in the folder `own`, as `ownFolder` says. */
export function operationsAt(store: GitStore, own: string, moment: Moment): OperationKind[] {
  return groupsAt(store, own, moment).flatMap(({ kind }) => kind ?? [])
}

/** For each group. */
function groupsAt(store: GitStore, own: string, { state, refs }: Moment): Operation[] {
  const rows = gitFilesAt(store, state).filter(({ path }) => path.startsWith(own))
  const named = refs.operation(own)
  return GROUPS.map((group) => {
    const files = new Map(
      rows.flatMap((row) => (group.files.test(row.path.slice(own.length)) ? [[row.path, row] as const] : []))
    )
    const ofGroup = new Map(
      [...named].flatMap(([name, id]) => (group.refs.test(name) ? [[own + name, id] as const] : []))
    )
    const text = textOf(store, files, own)
    const kind = group.kindOf((name) => files.has(own + name) || ofGroup.has(own + name), text)
    const versions = new Map([...files].map(([path, row]) => [path, versionOf(row)] as const))
    return { kind, files: versions, refs: ofGroup, text }
  })
}

function textOf(store: GitStore, files: ReadonlyMap<string, GitFileRow>, own: string): (name: string) => string {
  return (name) => {
    const hash = files.get(own + name)?.hash
    return hash && hasGitContent(store, hash) ? readGitContent(store, hash).toString('utf8').trim() : ''
  }
}

/** `items`: what else differs. */
export function changedOperations(
  store: GitStore,
  own: string,
  then: Moment,
  now: Moment,
  items: ReadonlySet<string>
): Difference[] {
  const before = groupsAt(store, own, now)
  return groupsAt(store, own, then).flatMap((to, group) => {
    const from = before[group] ?? to
    const parts = partsOf(from, to)
    const isKept = parts.every(({ kind, to: hash }) => kind === 'ref' || isStored(store, hash))
    const [kindNow, kindThen] = [from.kind ?? '', to.kind ?? '']
    const item = kindThen || kindNow
    if (item === '' || !isKept || parts.every((part) => part.from === part.to && !areModesMoved(part))) return []
    const needs = neededItems(own, then.refs, to).filter((each) => items.has(each))
    const lost = kindNow === '' && isAbandoned(own, to, then.refs, now.refs)
    const shared = { item, kind: 'operation', name: item, from: kindNow, to: kindThen, needs } as const
    return [{ shown: { ...shared, lost }, work: { ...shared, parts } }]
  })
}

function isStored(store: GitStore, hash: string): boolean {
  return hash === '' || hasGitContent(store, Buffer.from(hash, 'hex'))
}

const areModesMoved = ({ modes }: GitWork): boolean => modes !== undefined && modes.from !== modes.to

/** Every file and ref that either has, so that what else is there when they are written is noticed. */
function partsOf(from: Operation, to: Operation): GitWork[] {
  const paths = new Set([...from.files.keys(), ...to.files.keys()])
  const names = new Set([...from.refs.keys(), ...to.refs.keys()])
  const files = [...paths].map((path) =>
    fileWork({ path, from: from.files.get(path) ?? ABSENT, to: to.files.get(path) ?? ABSENT })
  )
  const refs = [...names].map((name): GitWork => {
    const [before, after] = [from.refs.get(name) ?? '', to.refs.get(name) ?? '']
    return { kind: 'ref', item: name, name, from: before, to: after }
  })
  return [...files, ...refs]
}

/** The index, HEAD, and the branch that git will change. */
function neededItems(own: string, then: KeptRefs, operation: Operation): string[] {
  const branch = branchOf(own, then, operation)
  return [...(branch.startsWith('refs/') ? [branch.slice('refs/'.length)] : []), 'index', 'HEAD']
}

/** Its full name; another text or '' for none. */
function branchOf(own: string, refs: KeptRefs, operation: Operation): string {
  const rebased = operation.text('rebase-merge/head-name') || operation.text('rebase-apply/head-name')
  return rebased || refs.head(own).replace(/^ref: /, '')
}

/** Whether git gave it up: what it was to change is as it was before. */
function isAbandoned(own: string, operation: Operation, then: KeptRefs, now: KeptRefs): boolean {
  if (operation.kind === 'bisect') return !operation.text('BISECT_LOG').includes('\n# first bad commit')
  const branch = branchOf(own, then, operation)
  const tip = branch.startsWith('refs/') ? now.ref(branch) : now.head(own)
  const former = operation.text('rebase-merge/orig-head') || operation.text('rebase-apply/orig-head')
  if (operation.kind === 'rebase') return tip === former
  const before = branch.startsWith('refs/') ? then.ref(branch) : branch
  return tip === before || tip === operation.text('sequencer/head')
}

/** An operation that git gave up. */
export interface LostOperation {
  readonly kind: OperationKind
  /** The last state with it, and the first one without. */
  readonly last: GitStateRow
  readonly lost: GitStateRow
}

/** Of each group the last one, if git gave it up and none is at work now. */
export function lostOperations(store: GitStore, own: string): LostOperation[] {
  const states = gitStates(store)
  return [SEQUENCE_MARKS, ['BISECT_LOG']].flatMap((marks, group) => {
    const at = Math.max(...marks.map((name) => lastStateWith(store, own + name) ?? -1))
    const n = states.findIndex(({ id }) => id > at)
    const [last, next] = [states[n - 1], states[n]]
    if (!last || !next) return []
    const files = GROUPS[group]?.files ?? /^/
    const whole = stateBeforeDeletion(store, next, (path) => path.startsWith(own) && files.test(path.slice(own.length)))
    const [then, now] = [momentOf(store, whole), momentOf(store, next.id)]
    const lost = changedOperations(store, own, then, now, new Set()).filter(({ shown }) => shown.lost)
    return lost.flatMap(({ shown: { to } }) =>
      (to === 'bisect') === (marks.length === 1) ? [{ kind: to as OperationKind, last, lost: next }] : []
    )
  })
}

/** One of these is there while a sequence is at work; a single pick has none of its own where refs are in tables. */
const SEQUENCE_MARKS = [
  ...['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'sequencer/todo'],
  ...['rebase-merge/head-name', 'rebase-apply/head-name', 'rebase-apply/next']
]

/** Throws as `keptRefs` does. */
export function momentOf(store: GitStore, state: number): Moment {
  return { state, refs: keptRefs(store, hashesAt(store, state)) }
}
