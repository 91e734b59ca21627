/** The notes, conflicts and warnings of a restore plan in words. */
import type { ConversationObstacle } from '../conversation.ts'
import type {
  Conflict,
  ConflictCause,
  ItemOutcome,
  PlanItem,
  PlanNote,
  PlanWarning,
  UnstorableCause
} from '../restore.ts'
import { wasNotStored } from './excluded.ts'
import { formatNumber, type PathCounts, plural } from './numbers.ts'
import { itemReasonText } from './restore-reasons.ts'
import { noCallText, sharedText } from './run-warnings.ts'
import { asSentence, clip, listAll, listSome, quotedTitle } from './text.ts'
import { clockWithDay } from './times.ts'

/** A note as a predicate whose subject is the path; "" without one. */
export function noteText(note: PlanNote | null): string {
  if (!note) return ''
  switch (note.code) {
    case 'not-stored':
      return note.reason ? wasNotStored(note.reason) : 'was not stored'
    case 'conflict':
      return `kept: ${conflictReason({ cause: note.cause, unstorable: null })}`
    case 'still-contains':
      return `still contains ${note.path}`
    case 'not-a-folder':
      return `${note.path} is not a folder`
    case 'same-name':
      return `conflicts with ${note.path} on this case-insensitive disk`
    case 'moved-back':
      return `moves from ${note.path}`
    case 'moved-to':
      return `moves to ${note.path}`
    case 'moved-away':
      return `kept: its content stays at ${note.path}`
    case 'name-in-use':
      return `kept: its earlier name ${note.path} is in use`
    default:
      return NOTES[note.code]
  }
}

const NOTES = {
  'not-protected': 'was not protected at that time',
  special: 'was a device, socket or pipe, which is never stored',
  'keep-requested': 'kept: you chose to keep it',
  'nothing-left': 'kept: there is nothing left to undo',
  'no-undo': 'cannot be undone',
  merged: 'merged with the edits of others',
  'needed-folder': 'needed for restored files',
  'no-replacement': 'kept: its replacement cannot be written',
  'unprotected-folder': 'kept: the folder is not protected',
  'leads-out': 'is a link to outside of the folder, which is not applied',
  'reserved-name': 'has a name that is a device on Windows, so it is not applied'
} as const

type CountedItem = Pick<PlanItem, 'path' | 'action' | 'note' | 'before' | 'after'>

/** Counts paths of a plan or of its outcome as a list of changes does: a rename is one file, in either direction. */
export function countPaths(items: readonly CountedItem[]): PathCounts {
  const folders = items.filter(({ action }) => action === 'mkdir' || action === 'rmdir').length
  const byPath = new Map(items.map((item) => [item.path, item]))
  const left = items.filter((item) => isOldName(item, byPath)).length
  return { files: items.length - folders - left, folders }
}

/**
 * The name that a rename leaves, listed beside the new one. Where something takes its place, or the new name was not free,
 * two files change. Of a rename that is not done: the free name.
 */
function isOldName({ note, after }: CountedItem, byPath: ReadonlyMap<string, CountedItem>): boolean {
  if (note?.code === 'moved-away') return byPath.has(note.path)
  return note?.code === 'moved-to' && after.kind === 'absent' && byPath.get(note.path)?.before.kind === 'absent'
}

/** The paths, and those that move only together with them. O(items). */
export function withOtherNames(items: readonly Pick<PlanItem, 'path' | 'note'>[], paths: Iterable<string>): string[] {
  const links = items.flatMap(({ path, note }) =>
    note?.code === 'moved-back' || note?.code === 'moved-to'
      ? [[path, note.path] as const, [note.path, path] as const]
      : []
  )
  const names = Map.groupBy(links, ([path]) => path)
  // The set grows while it is walked.
  const found = new Set(paths)
  for (const path of found) for (const [, linked] of names.get(path) ?? []) found.add(linked)
  return [...found]
}

/** Why the result of a path is as it is; "" if there is nothing to say. */
export function outcomeReason({ result, reason, note }: ItemOutcome): string {
  return reason ? itemReasonText(reason) : result === 'kept' ? noteText(note) : ''
}

/** Of a plan that writes nothing because versions are not stored: a sentence on the first of them; "" for others. */
export function lossText(items: readonly Pick<PlanItem, 'path' | 'note'>[]): string {
  const lost = items.filter(({ note }) => note && LOSSES.has(note.code))
  const [first] = lost
  if (!first) return ''
  const rest = lost.length === 1 ? '' : ` ${plural(lost.length - 1, 'other path')} cannot be restored, either.`
  return `${first.path} ${noteText(first.note)}.${rest}`
}

/** Notes of versions that cannot be restored. */
const LOSSES: ReadonlySet<PlanNote['code']> = new Set([
  'not-stored',
  'not-protected',
  'special',
  'leads-out',
  'reserved-name'
])

const NOT_STORABLE = 'its current content cannot be stored first'

const CAUSES: Readonly<Record<Exclude<ConflictCause, 'not-storable'>, string>> = {
  'outside-after-target': 'changed outside after this point',
  'others-after-run': 'changed by others after this run',
  'others-after-drift': 'changed again by others',
  'after-restore': 'changed since',
  'after-interruption': 'changed since the restore was interrupted',
  'other-version': 'differs from the file that the run changed',
  'undone-before': 'overlaps with changes that were undone before',
  'whole-file': 'these changes cannot be undone without the others of the file'
}

const UNSTORABLE: Readonly<Record<UnstorableCause, string>> = {
  special: 'it is a device, socket or pipe',
  unreadable: 'it cannot be read',
  changing: 'it keeps changing'
}

type ConflictFacts = Pick<Conflict, 'cause' | 'unstorable' | 'by'>

/** Why a path needs a decision, without names: "changed by others after this run". */
export function conflictReason({ cause, unstorable }: Omit<ConflictFacts, 'by'>): string {
  if (cause !== 'not-storable') return CAUSES[cause]
  return unstorable ? `${NOT_STORABLE} (${UNSTORABLE[unstorable]})` : NOT_STORABLE
}

/**
 * Time of the newest conflicting edit, the cause, and the writers: "14:31 · changed by “Add tax” and outside after this
 * run".
 */
export function conflictText(conflict: ConflictFacts, now = Date.now()): string {
  const reason = reasonWithWriters(conflict)
  if (conflict.by.length === 0) return reason
  const newest = Math.max(...conflict.by.map(({ at }) => at))
  return `${clockWithDay(newest, now)} · ${reason}`
}

function reasonWithWriters(conflict: ConflictFacts): string {
  const writers = writersText(conflict) || 'by others'
  if (conflict.cause === 'others-after-run') return `changed ${writers} after this run`
  return conflict.cause === 'others-after-drift' ? `changed again ${writers}` : conflictReason(conflict)
}

/** "by “Add tax” and outside", or "outside"; "" if the writers are unknown. Runs are named by their titles. */
function writersText({ by }: Pick<Conflict, 'by'>): string {
  const names = new Set(by.map(({ who, title }) => (title ? `“${title}”` : who.startsWith('run_') ? 'a run' : who)))
  const outside = names.delete('outside')
  const runs = [...names]
  if (runs.length === 0) return outside ? 'outside' : ''
  return outside ? `by ${runs.join(', ')} and outside` : `by ${listAll(runs)}`
}

/** Characters of a run's title in a sentence that names several. */
const MAX_TITLE = 60

/** Items of git in a sentence that names several. */
const MOST_ITEMS = 5

/** In place of a plan to undo: no restore of files is left, and this one of git is. */
export function onlyGitText(items: readonly string[]): string {
  return `There is no restore of files to undo. \`driftline git undo\` undoes the last restore of git: ${listSome(items, MOST_ITEMS)}.`
}

/** A warning as a sentence. */
export function warningText(warning: PlanWarning): string {
  switch (warning.code) {
    case 'undoes-runs': {
      const more = warning.count > warning.titles.length ? ' and others' : ''
      const titles = warning.titles.map((title) => quotedTitle(clip(title, MAX_TITLE)))
      return `This undoes ${formatNumber(warning.count)} runs: ${titles.join(', ')}${more}.`
    }
    case 'git-at-work':
      return 'A git command is at work here: the restore waits some seconds until it has ended.'
    case 'git-not-read':
      return "Couldn't read git's state or its kept copies, so only files are restored."
    case 'git-converted':
      return `Git keeps the refs or objects of this repository in another form now. This stays as it is: ${listSome(warning.items, MOST_ITEMS)}.`
    case 'git-restored':
      return `Git was restored later: ${listSome(warning.items, MOST_ITEMS)}. \`driftline git undo\` undoes that.`
    case 'git-changed':
      return `Git's state changed since the restore. This stays as it is: ${listSome(warning.items, MOST_ITEMS)}.`
    case 'git-evicted':
      return `Git's state before the restore is no longer kept. This stays as it is: ${listSome(warning.items, MOST_ITEMS)}.`
    case 'creates-folder':
      return `The folder ${warning.folder} was deleted. It is created again.`
    case 'elsewhere':
      return warning.count === 1
        ? `Files in ${warning.folders.join()} stay as they are: it is recorded as its own folder, or is a git worktree.`
        : `Files in ${listSome(warning.folders, MOST_ITEMS)} stay as they are: they are recorded as their own folders, or are git worktrees.`
    case 'all-changes':
      return 'No hooks reported to this run, so changes of other programs during it count as its own. Check what is undone.'
    case 'no-call':
      return noCallText(warning)
    case 'shared-edits':
      return `${sharedText(warning)} Those changes are not undone.`
    case 'other-checkout':
      return `${warning.recorded} was checked out at that time, ${warning.now} is checked out now. Git's branch, index and stashes stay as they are unless you select them.`
    case 'hard-links': {
      const more = warning.count > warning.paths.length ? ' and others' : ''
      return `Other hard links to the same file keep their current content: ${warning.paths.join(', ')}${more}.`
    }
    case 'other-owner': {
      const more = warning.count > warning.paths.length ? ' and others' : ''
      return `These files belong to another user; once replaced, they belong to you: ${warning.paths.join(', ')}${more}.`
    }
    case 'database-in-use': {
      const more = warning.count > warning.paths.length ? ' and others' : ''
      return `A program seems to have these SQLite databases open: ${warning.paths.join(', ')}${more}. Close it first, or it continues with the files that are replaced.`
    }
    case 'database-parts': {
      const more = warning.count > warning.paths.length ? ' and others' : ''
      return `These files stay as they are, but belong to another version of their SQLite database, which is damaged when a program opens it: ${warning.paths.join(', ')}${more}. Restore all files of a database, or keep all.`
    }
    case 'no-worktree-link':
      return `All files are restored, but as a plain folder: ${NO_LINK[warning.why]}. To commit them, make a worktree with \`git worktree add\` and copy them there.`
    case 'worktree-branch-gone':
      return `Its branch ${warning.branch} was deleted, so git takes all files for new. \`driftline git restore ${warning.branch}\` in the main folder restores the branch.`
    case 'conversation-stays':
      return asSentence(obstacleText(warning.why))
    case 'no-permissions':
      return 'This disk stores no permissions, so files and folders have its default ones. The recorded permissions stay in the history.'
  }
}

const NO_LINK = {
  'name-taken': 'git has another worktree of this name',
  'not-kept': 'what git knew of this worktree is not kept',
  'not-written': 'what git knew of this worktree could not be written into its repository'
} as const

const OBSTACLES: Readonly<Record<ConversationObstacle, string>> = {
  'not-recorded': 'no conversation was recorded at this point, so only files are restored',
  continued: 'the conversation was continued since, so it stays as it is',
  'transcript-unreadable': "the agent's transcript cannot be read; only files are restored",
  'message-missing': "the message before this point is no longer in the agent's transcript; only files are restored",
  'not-forkable':
    "this agent's sessions cannot be forked; a prompt with a summary for a new session is prepared instead"
}

/** Why a conversation cannot be restored or resumed, without capital and full stop; "" if it can. */
export function obstacleText(obstacle: ConversationObstacle | null): string {
  return obstacle ? OBSTACLES[obstacle] : ''
}
