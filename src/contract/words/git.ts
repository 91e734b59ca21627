/** Git's own state as sentences. Pure. */
import type {
  GitChange,
  GitItemOutcome,
  GitPlanItem,
  LostGit,
  LostItem,
  OperationKind,
  PartsNotKept,
  RestoredGitItem
} from '../git.ts'
import type { LostRepository } from '../status.ts'
import { formatNumber, plural } from './numbers.ts'
import { listAll } from './text.ts'

/** An item of a restore's Git part: "branch spike/redis, lost (at 1a2b3c4d5e)", "libs/api: HEAD: main → spike". */
export function gitItemText(item: GitPlanItem): string {
  const { kind, folder } = item
  if (kind === 'repository') return `the repository in ${folder === undefined ? '' : `${folder}/`}.git as a whole`
  return folder === undefined ? textInRepository(item) : `${folder}: ${textInRepository(item)}`
}

function textInRepository({ kind, name, from, to, lost, needs = [] }: GitPlanItem): string {
  switch (kind) {
    case 'stash':
      return to === '' ? `stash “${name}”, which is removed` : `stash “${name}”`
    case 'head':
      return `HEAD: ${headText(from)} → ${headText(to)}`
    case 'index':
      return 'the index: what was staged'
    case 'operation':
      return operationText(from, to, lost, needs)
    case 'file':
      return `.git/${name}${from === '' && lost ? ', lost' : to === '' && from !== '' ? ', which is removed' : ''}`
    default:
      return `${kind} ${name}${movedText(from, to, lost)}`
  }
}

const OPERATIONS: Readonly<Record<OperationKind, string>> = {
  merge: 'merge',
  rebase: 'rebase',
  am: 'series of patches',
  'cherry-pick': 'cherry-pick',
  revert: 'revert',
  bisect: 'bisect'
}

/** "the unfinished merge, lost, with the index and HEAD" */
function operationText(from: string, to: string, lost: boolean, needs: readonly string[]): string {
  const name = OPERATIONS[(to || from) as OperationKind]
  const what = `the unfinished ${name}${to === '' ? ', which is removed' : lost ? ', lost' : ''}`
  return needs.length === 0 ? what : `${what}, with ${listAll(needs)}`
}

function movedText(from: string, to: string, lost: boolean): string {
  if (to === '') return `, which is removed (at ${from.slice(0, 10)})`
  if (from === '') return `${lost ? ', lost' : ''} (at ${to.slice(0, 10)})`
  return `: ${from.slice(0, 10)} → ${to.slice(0, 10)}`
}

function headText(text: string): string {
  return text === ''
    ? 'nothing'
    : text.replace(/^ref: (?:refs\/heads\/)?/, '').replace(/^([0-9a-f]{10})[0-9a-f]+$/, '$1')
}

/** Above the items of a restore's Git part. */
export function gitPartText(items: readonly GitPlanItem[], isFixed: boolean): string {
  if (isFixed) return 'This restore also wrote these git items.'
  return items.some(({ lost }) => lost)
    ? 'The items that git lost are selected. Items that are not selected stay as they are.'
    : 'Git stays as it is. Select what to restore with the files.'
}

/** Beside an item in a plan and a result. */
export const GIT_OUTCOMES: Readonly<Record<GitItemOutcome['result'], string>> = {
  done: 'done',
  failed: 'not restored',
  skipped: 'skipped'
}

/** What became of an item, with the reason if it failed. */
export function gitOutcomeText(item: GitItemOutcome): string {
  return `${gitItemText(item)}: ${GIT_OUTCOMES[item.result]}${item.reason ? `. ${item.reason}` : ''}`
}

/** What a run did to git, in one line: "deleted branch spike (14 commits only there), dropped 2 stashes". */
export function gitChangesText(changes: readonly GitChange[]): string {
  return changes
    .map((change) => `${changeText(change)}${change.folder === undefined ? '' : ` in ${change.folder}`}`)
    .join(', ')
}

/** The same as a sentence: "Git: deleted branch spike." Long lists are counted. */
export function runGitText(changes: readonly GitChange[]): string {
  const more = changes.length - MOST_CHANGES
  return `Git: ${gitChangesText(changes.slice(0, MOST_CHANGES))}${more > 0 ? `, and ${formatNumber(more)} more` : ''}.`
}

const MOST_CHANGES = 8

/** Kinds of changes after which git may lack what it had. */
const LOSSES: ReadonlySet<GitChange['kind']> = new Set([
  'repository-deleted',
  'branch-deleted',
  'tag-deleted',
  'branch-back',
  'branch-rewritten',
  'tag-moved',
  'operation-ended',
  'stashes-dropped'
])

/** Whether `driftline git` may list something because of these changes. */
export function hasLostGit(changes: readonly GitChange[]): boolean {
  return changes.some(({ kind }) => LOSSES.has(kind))
}

function changeText(change: GitChange): string {
  switch (change.kind) {
    case 'repository-deleted':
      return 'deleted the repository'
    case 'repository-created':
      return 'created the repository'
    case 'branch-deleted':
    case 'tag-deleted':
      return `deleted ${nounOf(change.kind)} ${change.name}${onlyThere(change.commits)}`
    case 'branch-created':
    case 'tag-created':
      return `created ${nounOf(change.kind)} ${change.name}`
    case 'branch-forward':
      return `moved ${change.name} forward${byText(change.commits)}`
    case 'branch-back':
      return `moved ${change.name} back${byText(change.commits)}`
    case 'branch-rewritten':
      return `rewrote ${change.name}${change.commits ? ` (replaced ${plural(change.commits, 'commit')})` : ''}`
    case 'tag-moved':
      return `moved tag ${change.name}`
    case 'file-changed':
      return `changed .git/${change.name}`
    case 'file-deleted':
      return `deleted .git/${change.name}`
    case 'file-created':
      return `created .git/${change.name}`
    case 'operation-begun':
      return `began a ${OPERATIONS[change.name]}`
    case 'operation-ended':
      return `ended the unfinished ${OPERATIONS[change.name]}`
    case 'stashes-dropped':
      return `dropped ${plural(change.commits, 'stash', 'stashes')}`
    case 'stashes-added':
      return `added ${plural(change.commits, 'stash', 'stashes')}`
  }
}

function nounOf(kind: `${'branch' | 'tag'}-${string}`): string {
  return kind.startsWith('tag') ? 'tag' : 'branch'
}

function onlyThere(commits: number | null): string {
  return commits ? ` (${plural(commits, 'commit')} only there)` : ''
}

function byText(commits: number | null): string {
  return commits === null ? '' : ` by ${commits}`
}

/** A lost item as cells: kind, name, and what it held. */
export function lostCells({ kind, name, commits, title }: LostItem): readonly string[] {
  const count =
    commits === null ? '' : commits === 0 ? 'no commit only there' : `${plural(commits, 'commit')} only there`
  if (kind === 'operation') return [kind, name, `driftline restore ${title} --git ${name}`]
  return [kind, name, [kind === 'repository' || kind === 'stash' ? '' : count, title].filter(Boolean).join(' · ')]
}

/** `folder`: the subfolder that the repository was in. */
export function lostRepositoryText(
  state: LostRepository,
  folder?: string
): { readonly lead: string; readonly rest: string } {
  const place = folder === undefined ? 'of this folder' : `in ${folder}`
  return state === 'missing'
    ? { lead: `The git repository ${place} is gone.`, rest: 'Its kept state can be restored' }
    : {
        lead: `The git repository ${place} was replaced by an empty one.`,
        rest: 'The former one was kept and can be restored'
      }
}

const NOT_KEPT: Readonly<Record<PartsNotKept[number], string>> = {
  'reftable-names':
    'Some tables of git’s refs (reftable) are cut off, damaged or of a newer format: branches and stashes that only they name are not listed. `.git` is kept, and restored as a whole once it is gone.',
  'more-lost': 'More is lost than is listed here. The rest is kept, too, and listed once these are restored.',
  lfs: 'Not kept: files of Git LFS.',
  submodules:
    'Not kept: some repositories of submodules, whose folder is elsewhere or has another repository, or beyond the 100 that are kept.',
  alternates: 'Not kept: objects that this repository borrows from another one.',
  'large-packs':
    'Not kept: packs that are larger than 32 MB, or that are still to be copied, because the data folder is on another disk.',
  'partial-clone': 'This repository is a partial clone: objects that git never fetched are not kept.',
  damaged: 'Some kept copies are damaged: what only they name is not listed. `driftline doctor` lists them.',
  off: 'Git’s own state is not recorded here: the setting git.state is off.'
}

/** What else is here at the place of a listed repository. */
export function replacedTexts({ repository, lost, below }: Pick<LostGit, 'repository' | 'lost' | 'below'>): string[] {
  const stateOf = (folder?: string) =>
    folder === undefined ? repository : below.find((each) => each.folder === folder)?.repository
  return lost.flatMap(({ kind, name, folder }) =>
    kind === 'repository' && stateOf(folder) === 'present'
      ? [
          `${name} is the repository that was there before the present one. Its restore moves the present one aside; \`driftline git undo\` reverts that.`
        ]
      : []
  )
}

export function notKeptTexts({ notKept, below }: Pick<LostGit, 'notKept' | 'below'>): readonly string[] {
  return [
    ...notKept.map((part) => NOT_KEPT[part]),
    ...below.flatMap(({ folder, notKept: parts }) => parts.map((part) => `${folder}: ${NOT_KEPT[part]}`))
  ]
}

/** One line of an undone restore. */
export function undoneGitText({ kind, name, from, to }: RestoredGitItem): string {
  if (kind === 'repository')
    return `Undid the restore of ${name}: it is again as it was before, and the restored repository is kept aside`
  return to === ''
    ? `Undid the restore of ${name}: deleted it, it pointed to ${from.slice(0, 10)}`
    : `Undid the restore of ${name}: it points to ${to.slice(0, 10)} again`
}

/** One line of a plan or a result. */
export function restoredGitText({ kind, name, from, to, result, reason }: RestoredGitItem): string {
  if (result === 'failed') return `Not restored: ${name}. ${reason ?? ''}`.trimEnd()
  const verb = result === 'done' ? 'Restored' : 'Would restore'
  if (kind === 'repository') return `${verb} the repository in ${name}`
  const before = from === '' ? '' : `, which pointed to ${from.slice(0, 10)} before`
  return `${verb} ${name} at ${to.slice(0, 10)}${before}`
}
