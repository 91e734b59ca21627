/** Restore plans and results as lines for a terminal, with their effect on a conversation. */
import type { Resume } from '../../contract/conversation.ts'
import type { GitItemOutcome, GitPlanItem } from '../../contract/git.ts'
import type {
  Conflict,
  ItemAction,
  PlanItem,
  PlanWarning,
  RestoreKind,
  RestorePlan,
  RestoreResult
} from '../../contract/restore.ts'
import { resumeFailureText, resumeNoteText } from '../../contract/words/conversation.ts'
import { GIT_OUTCOMES, gitItemText } from '../../contract/words/git.ts'
import { pathsText, plural } from '../../contract/words/numbers.ts'
import {
  conflictReason,
  countPaths,
  lossText,
  noteText,
  obstacleText,
  outcomeReason,
  warningText
} from '../../contract/words/plan.ts'
import { clip } from '../../contract/words/text.ts'
import { columns } from './columns.ts'
import { escapeLine, escapeText } from './escape.ts'
import type { Paint, Style } from './paint.ts'

/** At most this many paths are listed; the rest is counted. */
const LISTED = 40

const STYLES: Readonly<Record<ItemAction, Style>> = {
  write: 'yellow',
  create: 'green',
  delete: 'red',
  mode: 'yellow',
  link: 'yellow',
  mkdir: 'green',
  rmdir: 'red',
  keep: 'dim'
}

const isWriting = (item: PlanItem): boolean => item.action !== 'keep'

/** The question before a plan is applied, without its question mark: "Restore 6 files". */
export function planQuestion(plan: RestorePlan): string {
  const items = plan.items.filter(isWriting)
  const messages = affectedMessages(plan)
  const git = plan.git.filter(({ chosen }) => chosen).length
  const parts = [
    ...(items.length > 0 || (messages === '' && git === 0) ? [pathsText(countPaths(items))] : []),
    ...(messages ? [messages] : []),
    ...(git > 0 ? [plural(git, 'git item')] : [])
  ]
  return QUESTIONS[plan.act].replace('…', parts.join(' and '))
}

const QUESTIONS: Readonly<Record<RestoreKind, string>> = {
  restore: 'Restore …',
  'undo-run': 'Undo …',
  undo: 'Undo the last restore, …',
  redo: 'Redo the restore, …',
  drift: 'Restore … to the recorded versions',
  recover: 'Recover …',
  apply: 'Apply the changes to …',
  worktree: 'Restore …'
}

const TITLES: Readonly<Record<RestoreKind, string>> = {
  restore: 'Restore to',
  'undo-run': 'Undo run',
  undo: 'Undo the restore',
  redo: 'Redo the restore',
  drift: 'Restore the recorded versions',
  recover: 'Recover the restore',
  apply: 'Apply',
  worktree: 'Restore from'
}

export function planLines(plan: RestorePlan, paint: Paint, width = 100): readonly string[] {
  const writing = plan.items.filter(isWriting)
  const title = `${TITLES[plan.act]} ${escapeLine(plan.title)}`.trimEnd()
  return [
    paint('bold', clip(title, Math.max(40, width))),
    ...itemLines(plan.items, paint),
    ...conflictLines(plan, paint),
    ...conversationPlanLines(plan),
    ...gitPlanLines(plan.git, paint),
    ...warningLines(plan.warnings, paint),
    ...plan.live.map(({ title, run }) =>
      paint('yellow', `"${escapeLine(title)}" is still running (${escapeLine(run)}). Wait until it ends.`)
    ),
    writing.length === 0 && writesOther(plan)
      ? `No files to write. Plan ${plan.plan}`
      : writing.length === 0
        ? lossText(plan.items) || nothingToWrite(plan)
        : `${pathsText(countPaths(writing))} to write, ${plural(plan.unchanged, 'path')} unchanged. Plan ${plan.plan}`
  ]
}

/** Whether the plan writes something besides files. */
export function writesOther(plan: RestorePlan): boolean {
  return affectedMessages(plan) !== '' || plan.git.some(({ chosen }) => chosen)
}

function nothingToWrite({ unchanged }: RestorePlan): string {
  return unchanged === 0
    ? 'Nothing to write.'
    : `Nothing to write; ${plural(unchanged, 'path')} already ${unchanged === 1 ? 'matches' : 'match'}.`
}

export const HOW_TO_RECOVER =
  'Nothing is lost: `driftline recover finish` completes the restore, `driftline recover undo` undoes it.'

export function resultLines(act: RestoreKind, result: RestoreResult, paint: Paint): readonly string[] {
  const done = result.items.filter((item) => item.result === 'done' && isWriting(item))
  const decided = new Set(
    result.conflicts.filter((conflict) => !isGoneWithFolder(conflict, result)).map(({ path }) => path)
  )
  // [RS-12] A conflict is listed with its decision.
  const named = result.items.filter((item) => item.result !== 'done' && !decided.has(item.path))
  const counts = [
    ...(done.length > 0 ? [`${pathsText(countPaths(done))} changed`] : []),
    ...(['kept', 'skipped', 'failed'] as const).flatMap((outcome) => {
      const { files, folders } = countPaths(result.items.filter((item) => item.result === outcome))
      return files + folders > 0 ? [`${files + folders} ${outcome}`] : []
    })
  ]
  const nothing = result.conversation || result.git.length > 0 ? 'no files changed' : 'all files already match'
  const rows = named.slice(0, LISTED).map((item) => {
    const reason = outcomeReason(item).replace(/^kept: /, '')
    return [paint(item.result === 'kept' ? 'yellow' : 'red', item.result), escapeLine(item.path), escapeLine(reason)]
  })
  return [
    `${paint(result.state === 'done' ? 'green' : 'yellow', `${STATES[result.state]}:`)} ${counts.join(', ') || nothing}.`,
    ...columns(rows, '  '),
    ...moreLines(named, LISTED, 'more path'),
    ...conflictLines({ act, ...result }, paint),
    ...warningLines(result.warnings, paint),
    ...(result.refusal ? [escapeLine(result.refusal)] : []),
    ...conversationResultLines(result),
    ...gitResultLines(result.git, paint),
    ...(result.state === 'interrupted'
      ? [`The restore is incomplete. ${HOW_TO_RECOVER}`]
      : result.guard && (done.length > 0 || result.conversation || result.git.some((item) => item.result === 'done'))
        ? [`Nothing is lost: \`driftline ${act === 'undo' ? 'redo' : 'undo'}\` reverts this (${result.guard}).`]
        : [])
  ]
}

const STATES: Readonly<Record<RestoreResult['state'], string>> = {
  done: 'Done',
  partial: 'Partly done',
  failed: 'Failed',
  refused: 'Refused, nothing written',
  'nothing-to-do': 'Nothing to do',
  interrupted: 'Interrupted'
}

function warningLines(warnings: readonly PlanWarning[], paint: Paint): readonly string[] {
  return warnings.map((warning) => paint('yellow', escapeLine(warningText(warning))))
}

function itemLines(items: readonly PlanItem[], paint: Paint): readonly string[] {
  const rows = items
    .slice(0, LISTED)
    .map(({ action, path, note }) => [
      paint(STYLES[action], action),
      escapeLine(path),
      paint('dim', escapeLine(noteText(note)))
    ])
  return [...columns(rows, '  '), ...moreLines(items, LISTED, 'more path')]
}

/** The count of what a list of at most `shown` lines does not name. */
export function moreLines(all: readonly unknown[], shown: number, noun: string): readonly string[] {
  return all.length > shown ? [`  and ${plural(all.length - shown, noun)}`] : []
}

type Decided = Pick<RestorePlan, 'act' | 'conflicts' | 'warnings'>

/** With the recorded folder, which is created again: to decide on each path means nothing then. */
function isGoneWithFolder({ cause, choice }: Conflict, { warnings }: Pick<Decided, 'warnings'>): boolean {
  const isCreated = warnings.some(({ code }) => code === 'creates-folder')
  return isCreated && cause === 'outside-after-target' && choice === 'replace'
}

function conflictLines(decided: Decided, paint: Paint): readonly string[] {
  const { act } = decided
  const conflicts = decided.conflicts.filter((conflict) => !isGoneWithFolder(conflict, decided))
  const gone = decided.conflicts.length - conflicts.length
  const deleted = gone === 0 ? [] : [`${plural(gone, 'path was', 'paths were')} deleted with the folder.`]
  return [...deleted, ...listConflicts(act, conflicts, paint)]
}

function listConflicts(act: RestoreKind, conflicts: readonly Conflict[], paint: Paint): readonly string[] {
  if (conflicts.length === 0) return []
  const kept = conflicts.filter(({ choice }) => choice === 'keep')
  const rows = conflicts
    .slice(0, LISTED)
    .map((conflict) => [
      paint('magenta', conflict.choice),
      escapeLine(conflict.path),
      escapeLine(conflictReason(conflict))
    ])
  return [
    `${plural(conflicts.length, 'conflict')}:`,
    ...columns(rows, '  '),
    ...moreLines(conflicts, LISTED, 'more conflict'),
    ...(act !== 'restore' && kept.some(({ mergeable }) => mergeable)
      ? ['`--on-conflict merge` undoes only these changes and keeps all other edits.']
      : []),
    ...(kept.some(({ choices, cause }) => choices.includes('replace') && cause !== 'not-storable')
      ? [
          `Kept files stay unchanged. \`--${act === 'restore' ? 'outside' : 'on-conflict'} replace\` replaces them as well; undo reverts that.`
        ]
      : [])
  ]
}

// ---- the conversation of a plan or result ----

/** "4 messages undone", "2 messages restored". */
function describeChange(superseded: number, broughtBack: number): string {
  const undone = superseded > 0 && `${plural(superseded, 'message')} undone`
  const restored = broughtBack > 0 && `${plural(broughtBack, 'message')} restored`
  return [undone, restored].filter(Boolean).join(', ') || 'no messages; todos and plan restored'
}

/** The conversation part of a plan's question, such as "4 messages"; "" when the conversation is not restored. */
function affectedMessages(plan: RestorePlan): string {
  if (plan.mode === 'files' || !plan.conversation) return ''
  const { supersedes, bringsBack } = plan.conversation
  const messages = supersedes + bringsBack
  return messages > 0 ? plural(messages, 'message') : 'the conversation'
}

function conversationPlanLines({ mode, conversation }: RestorePlan): readonly string[] {
  if (mode === 'files' || !conversation) return []
  const { agent, title, supersedes, bringsBack, resumable, why } = conversation
  return [
    `  conversation with ${escapeLine(agent)}, "${escapeLine(title)}": ${describeChange(supersedes, bringsBack)}`,
    ...(supersedes > 0 && resumable
      ? ["  The agent's own session file stays unchanged; a fork that ends at this point is created."]
      : []),
    ...(why ? [`  ${obstacleText(why)}`] : [])
  ]
}

function conversationResultLines({ conversation }: RestoreResult): readonly string[] {
  if (!conversation) return []
  const { superseded, broughtBack, prompt, resume, failure } = conversation
  return [
    `Conversation: ${describeChange(superseded, broughtBack)}.`,
    ...(prompt === '' ? [] : ['Undone prompt:', `  ${escapeText(prompt).replaceAll('\n', '\n  ')}`]),
    ...(resume ? resumeLines(resume) : failure ? [escapeLine(resumeFailureText(failure))] : [])
  ]
}

/** Chosen items, and those that could be. */
function gitPlanLines(items: readonly GitPlanItem[], paint: Paint): readonly string[] {
  const rows = items
    .slice(0, LISTED)
    .map((item) => [
      item.chosen ? paint('green', 'restore') : item.lost ? paint('yellow', 'lost') : paint('dim', 'differs'),
      escapeLine(item.item),
      paint('dim', escapeLine(gitItemText(item)))
    ])
  const unchosen = items.some(({ chosen }) => !chosen)
  return [
    ...(items.length > 0 ? ['Git:'] : []),
    ...columns(rows, '  '),
    ...moreLines(items, LISTED, 'more item'),
    ...(unchosen && items.some(({ lost, chosen }) => lost && !chosen)
      ? ['  Git lost some of this: --git lost restores that, --git ITEM any one.']
      : unchosen
        ? ['  Git stays as it is. --git ITEM restores an item.']
        : [])
  ]
}

function gitResultLines(items: readonly GitItemOutcome[], paint: Paint): readonly string[] {
  const rows = items
    .slice(0, LISTED)
    .map((item) => [
      paint(item.result === 'done' ? 'green' : 'red', GIT_OUTCOMES[item.result]),
      escapeLine(gitItemText(item)),
      escapeLine(item.reason ?? '')
    ])
  return [...(items.length > 0 ? ['Git:'] : []), ...columns(rows, '  '), ...moreLines(items, LISTED, 'more item')]
}

/** The command that resumes the conversation, and the folder to run it in. */
export function resumeLines(resume: Resume): readonly string[] {
  return [
    ...(resume.command === ''
      ? []
      : [`Resume with:  ${escapeLine(resume.command)}`, `in:           ${escapeLine(resume.cwd)}`]),
    ...(resume.note ? [resumeNoteText(resume.note)] : [])
  ]
}
