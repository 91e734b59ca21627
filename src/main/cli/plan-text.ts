/** Restore plans and results as lines for a terminal. */

import type { Conflict, ItemAction, PlanItem, RestorePlan, RestoreResult } from '../../contract/restore.ts'
import { plural } from '../../contract/words/numbers.ts'
import { conflictReason, noteText, outcomeReason, warningText } from '../../contract/words/plan.ts'
import { clip } from '../../contract/words/text.ts'
import { columns } from './columns.ts'
import { affectedMessages, conversationPlanLines, conversationResultLines } from './conversation-text.ts'
import { escapeLine } from './escape.ts'
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
  const files =
    messages === '' ? countPaths(items) : items.length === 0 ? messages : `${countPaths(items)} and ${messages}`
  switch (plan.act) {
    case 'restore':
      return `Restore ${files}`
    case 'undo-run':
      return `Undo ${files}`
    case 'undo':
      return `Undo the last restore, ${files}`
    case 'redo':
      return `Redo the restore, ${files}`
    case 'drift':
      return `Restore ${files} to the recorded versions`
    case 'recover':
      return `Recover ${files}`
  }
}

/** "6 files", "1 file and 2 folders". */
function countPaths(items: readonly PlanItem[]): string {
  const folders = items.filter((item) => item.action === 'mkdir' || item.action === 'rmdir').length
  const files = items.length - folders
  if (folders === 0) return plural(files, 'file')
  return files === 0 ? plural(folders, 'folder') : `${plural(files, 'file')} and ${plural(folders, 'folder')}`
}

/** The plan's title on one line of at most `width` columns. */
function headline(plan: RestorePlan, width: number): string {
  const titles: Readonly<Record<RestorePlan['act'], string>> = {
    restore: 'Restore to',
    'undo-run': 'Undo run',
    undo: 'Undo the restore',
    redo: 'Redo the restore',
    drift: 'Restore the recorded versions',
    recover: 'Recover the restore'
  }
  return clip(`${titles[plan.act]} ${escapeLine(plan.title)}`.trimEnd(), Math.max(40, width))
}

export function planLines(plan: RestorePlan, paint: Paint, width = 100): readonly string[] {
  const writing = plan.items.filter(isWriting)
  return [
    paint('bold', headline(plan, width)),
    ...itemLines(plan.items, paint),
    ...conflictLines(plan.act, plan.conflicts, paint),
    ...conversationPlanLines(plan),
    ...plan.warnings.map((warning) => paint('yellow', escapeLine(warningText(warning)))),
    ...plan.live.map(({ title, run }) =>
      paint('yellow', `"${escapeLine(title)}" is still running (${escapeLine(run)}). Wait until it ends.`)
    ),
    writing.length === 0 && affectedMessages(plan) !== ''
      ? `No files to write. Plan ${plan.plan}`
      : writing.length === 0
        ? `Nothing to write; ${plural(plan.unchanged, 'path')} already ${plan.unchanged === 1 ? 'matches' : 'match'}.`
        : `${countPaths(writing)} to write, ${plural(plan.unchanged, 'path')} unchanged. Plan ${plan.plan}`
  ]
}

export const HOW_TO_RECOVER =
  'Nothing is lost: `driftline recover finish` completes the restore, `driftline recover undo` undoes it.'

export function resultLines(act: RestorePlan['act'], result: RestoreResult, paint: Paint): readonly string[] {
  const countOf = (outcome: string): number => result.items.filter((item) => item.result === outcome).length
  const done = result.items.filter((item) => item.result === 'done' && isWriting(item))
  const problems = result.items.filter((item) => item.result === 'failed' || item.result === 'skipped')
  const counts = [
    ...(done.length > 0 ? [`${countPaths(done)} written`] : []),
    ...(countOf('kept') > 0 ? [`${countOf('kept')} kept`] : []),
    ...(countOf('skipped') > 0 ? [`${countOf('skipped')} skipped`] : []),
    ...(countOf('failed') > 0 ? [`${countOf('failed')} failed`] : [])
  ]
  return [
    `${paint(result.state === 'done' ? 'green' : 'yellow', describeState(result))} ${counts.join(', ') || 'all files already match'}.`,
    ...columns(
      problems
        .slice(0, LISTED)
        .map((item) => [paint('red', item.result), escapeLine(item.path), escapeLine(outcomeReason(item))]),
      [],
      '  '
    ),
    ...conflictLines(act, result.conflicts, paint),
    ...result.warnings.map((warning) => paint('yellow', escapeLine(warningText(warning)))),
    ...(result.refusal ? [escapeLine(result.refusal)] : []),
    ...conversationResultLines(result),
    ...(result.state === 'interrupted'
      ? [`The restore is incomplete. ${HOW_TO_RECOVER}`]
      : result.guard && (done.length > 0 || result.conversation)
        ? [`Nothing is lost: \`driftline ${act === 'undo' ? 'redo' : 'undo'}\` reverts this (${result.guard}).`]
        : [])
  ]
}

function describeState(result: RestoreResult): string {
  switch (result.state) {
    case 'done':
      return 'Done:'
    case 'partial':
      return 'Partly done:'
    case 'failed':
      return 'Failed:'
    case 'refused':
      return 'Refused, nothing written:'
    case 'nothing-to-do':
      return 'Nothing to do:'
    case 'interrupted':
      return 'Interrupted:'
  }
}

function itemLines(items: readonly PlanItem[], paint: Paint): readonly string[] {
  const shown = items.slice(0, LISTED)
  return [
    ...columns(
      shown.map((item) => [
        paint(STYLES[item.action], item.action),
        escapeLine(item.path),
        paint('dim', escapeLine(noteText(item.note)))
      ]),
      [],
      '  '
    ),
    ...(items.length > shown.length ? [`  and ${plural(items.length - shown.length, 'more path')}`] : [])
  ]
}

function conflictLines(act: RestorePlan['act'], conflicts: readonly Conflict[], paint: Paint): readonly string[] {
  if (conflicts.length === 0) return []
  const mergeable = act !== 'restore' && conflicts.some((conflict) => conflict.choice === 'keep' && conflict.mergeable)
  const replaceable = conflicts.some((conflict) => conflict.choice === 'keep' && conflict.choices.includes('replace'))
  const rows = conflicts
    .slice(0, LISTED)
    .map((conflict) => [
      paint('magenta', conflict.choice),
      escapeLine(conflict.path),
      escapeLine(conflictReason(conflict))
    ])
  return [
    `${plural(conflicts.length, 'conflict')}:`,
    ...columns(rows, [], '  '),
    ...(conflicts.length > LISTED ? [`  and ${plural(conflicts.length - LISTED, 'more conflict')}`] : []),
    ...(mergeable ? ['`--on-conflict merge` undoes only these changes and keeps all other edits.'] : []),
    ...(replaceable
      ? [
          `Kept files stay unchanged. \`--${act === 'restore' ? 'outside' : 'on-conflict'} replace\` replaces them as well; undo reverts that.`
        ]
      : [])
  ]
}
