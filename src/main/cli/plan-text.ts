/** Plans and results of restores as people read them on a terminal. */
import type { Conflict, ItemAction, PlanItem, RestorePlan, RestoreResult } from '../../contract/restore.ts'
import { columns } from './columns.ts'
import { talkPlanLines, talkResultLines, talkWords } from './conversation-text.ts'
import { escapeLine } from './escape.ts'
import type { Paint, Style } from './paint.ts'
import { clip, count } from './words.ts'

/** Most paths listed before the rest is only counted. */
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

/** "Restore 6 files", the words of the question. */
export function actWords(plan: RestorePlan): string {
  const items = plan.items.filter(isWriting)
  const words = talkWords(plan)
  const files = words === '' ? counted(items) : items.length === 0 ? words : `${counted(items)} and ${words}`
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
      return `Put back ${files}`
    case 'recover':
      return `Recover ${files}`
  }
}

/** "6 files", "1 file and 2 folders". */
function counted(items: readonly PlanItem[]): string {
  const folders = items.filter((item) => item.action === 'mkdir' || item.action === 'rmdir').length
  const files = items.length - folders
  if (folders === 0) return count(files, 'file')
  return files === 0 ? count(folders, 'folder') : `${count(files, 'file')} and ${count(folders, 'folder')}`
}

/** What the plan is, on one line of at most `width` columns. */
function headline(plan: RestorePlan, width: number): string {
  const titles: Readonly<Record<RestorePlan['act'], string>> = {
    restore: 'Restore to',
    'undo-run': 'Undo run',
    undo: 'Undo the restore',
    redo: 'Redo the restore',
    drift: 'Put back what was there',
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
    ...talkPlanLines(plan),
    ...plan.warnings.map((warning) => paint('yellow', escapeLine(warning))),
    ...plan.live.map((one) =>
      paint('yellow', `"${escapeLine(one.title)}" is still running (${escapeLine(one.run)}); wait for it to end.`)
    ),
    writing.length === 0 && talkWords(plan) !== ''
      ? `No file to write. Plan ${plan.plan}`
      : writing.length === 0
        ? `Nothing to write; ${count(plan.unchanged, 'path')} already as ${plan.unchanged === 1 ? 'it was' : 'they were'}.`
        : `${counted(writing)} to write, ${count(plan.unchanged, 'path')} unchanged. Plan ${plan.plan}`
  ]
}

export const HOW_TO_RECOVER =
  'Nothing is lost: `driftline recover finish` writes the rest, `driftline recover undo` takes it back.'

export function resultLines(act: RestorePlan['act'], result: RestoreResult, paint: Paint): readonly string[] {
  const of = (state: string): number => result.items.filter((item) => item.result === state).length
  const done = result.items.filter((item) => item.result === 'done' && isWriting(item))
  const problems = result.items.filter((item) => item.result === 'failed' || item.result === 'skipped')
  const counts = [
    ...(done.length > 0 ? [`${counted(done)} written`] : []),
    ...(of('kept') > 0 ? [`${of('kept')} kept`] : []),
    ...(of('skipped') > 0 ? [`${of('skipped')} skipped`] : []),
    ...(of('failed') > 0 ? [`${of('failed')} failed`] : [])
  ]
  return [
    `${paint(result.state === 'done' ? 'green' : 'yellow', stateWords(result))} ${counts.join(', ') || 'everything already is that way'}.`,
    ...columns(
      problems
        .slice(0, LISTED)
        .map((item) => [paint('red', item.result), escapeLine(item.path), escapeLine(item.reason ?? '')]),
      [],
      '  '
    ),
    ...conflictLines(act, result.conflicts, paint),
    ...result.warnings.map((warning) => paint('yellow', escapeLine(warning))),
    ...(result.refusal ? [escapeLine(result.refusal)] : []),
    ...talkResultLines(result),
    ...(result.state === 'interrupted'
      ? [`Not all of it could be put in place. ${HOW_TO_RECOVER}`]
      : result.guard && (done.length > 0 || result.conversation)
        ? [`Nothing is lost: \`driftline ${act === 'undo' ? 'redo' : 'undo'}\` takes this back (${result.guard}).`]
        : [])
  ]
}

function stateWords(result: RestoreResult): string {
  switch (result.state) {
    case 'done':
      return 'Done:'
    case 'partial':
      return 'Partly done:'
    case 'failed':
      return 'Failed:'
    case 'refused':
      return 'Refused, nothing was written:'
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
        paint('dim', escapeLine(item.note))
      ]),
      [],
      '  '
    ),
    ...(items.length > shown.length ? [`  and ${count(items.length - shown.length, 'more path')}`] : [])
  ]
}

function conflictLines(act: RestorePlan['act'], conflicts: readonly Conflict[], paint: Paint): readonly string[] {
  if (conflicts.length === 0) return []
  const mergeable = act !== 'restore' && conflicts.some((one) => one.choice === 'keep' && one.mergeable)
  const replaceable = conflicts.some((one) => one.choice === 'keep' && one.choices.includes('replace'))
  const rows = conflicts
    .slice(0, LISTED)
    .map((conflict) => [paint('magenta', conflict.choice), escapeLine(conflict.path), escapeLine(conflict.reason)])
  return [
    `${count(conflicts.length, 'conflict')}:`,
    ...columns(rows, [], '  '),
    ...(conflicts.length > LISTED ? [`  and ${count(conflicts.length - LISTED, 'more conflict')}`] : []),
    ...(mergeable ? ['`--on-conflict merge` takes back only these changes and keeps what others wrote.'] : []),
    ...(replaceable
      ? [
          `What is kept stays as it is now. \`--${act === 'restore' ? 'outside' : 'on-conflict'} replace\` replaces it, too; undo brings it back.`
        ]
      : [])
  ]
}
