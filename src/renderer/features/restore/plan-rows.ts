/** Turns a restore plan and a person's choices into what the dialog lists and counts. Pure. */
import type { Choice, Choices, Conflict, ItemAction, PlanItem, RestorePlan } from '../../../contract/restore.ts'
import type { Letter } from '../files/file-words.ts'
import { reasonWords } from './restore-words.ts'

export type SectionId = 'decide' | 'cannot' | 'change'

export interface SectionRow {
  readonly kind: 'section'
  readonly id: SectionId
  readonly title: string
  readonly open: boolean
  /** Of the changes: how many are ticked. */
  readonly ticked: 'all' | 'some' | 'none'
  readonly count: number
}
export interface DecisionRow {
  readonly kind: 'decision'
  readonly id: string
  readonly conflict: Conflict
  readonly item: PlanItem | null
  readonly choice: Choice
}
export interface CannotRow {
  readonly kind: 'cannot'
  readonly id: string
  readonly item: PlanItem
}
export interface ChangeRow {
  readonly kind: 'change'
  readonly id: string
  readonly item: PlanItem
  readonly ticked: boolean
}
export type PlanRow = SectionRow | DecisionRow | CannotRow | ChangeRow

export interface Parts {
  readonly decisions: readonly DecisionRow[]
  readonly cannot: readonly CannotRow[]
  readonly changes: readonly ChangeRow[]
}

/** `base` is the plan without choices: a file that was unticked stays a change there, merely not ticked. */
export function partsOf(base: RestorePlan, choices: Choices): Parts {
  const byPath = new Map(base.items.map((item) => [item.path, item]))
  const conflicts = new Set(base.conflicts.map((conflict) => conflict.path))
  const rest = base.items.filter((item) => !conflicts.has(item.path))
  return {
    decisions: base.conflicts.map((conflict) => ({
      kind: 'decision',
      id: conflict.path,
      conflict,
      item: byPath.get(conflict.path) ?? null,
      choice: choices[conflict.path] ?? conflict.choice
    })),
    cannot: rest.filter((item) => item.action === 'keep').map((item) => ({ kind: 'cannot', id: item.path, item })),
    changes: rest
      .filter((item) => item.action !== 'keep')
      .map((item) => ({ kind: 'change', id: item.path, item, ticked: choices[item.path] !== 'keep' }))
  }
}

/** The rows of the list, sections first; closed sections show only their head. */
export function planRows(parts: Parts, closed: ReadonlySet<SectionId>): readonly PlanRow[] {
  const rows: PlanRow[] = []
  const section = (id: SectionId, title: string, list: readonly PlanRow[]) => {
    if (list.length === 0) return
    const open = !closed.has(id)
    const ticked = list.filter((row) => row.kind === 'change' && row.ticked).length
    rows.push({
      kind: 'section',
      id,
      title,
      open,
      ticked: ticked === 0 ? 'none' : ticked === list.length ? 'all' : 'some',
      count: list.length
    })
    if (open) rows.push(...list)
  }
  const n = (list: readonly unknown[]) => list.length.toLocaleString('en-US')
  section(
    'decide',
    `${n(parts.decisions)} ${parts.decisions.length === 1 ? 'needs' : 'need'} a decision`,
    parts.decisions
  )
  section('cannot', `${n(parts.cannot)} cannot go back`, parts.cannot)
  section('change', `${n(parts.changes)} will change`, parts.changes)
  return rows
}

export interface Tally {
  readonly restores: number
  readonly merges: number
  readonly keeps: number
  readonly cannot: number
  /** Everything that would be written: the number on the button. */
  readonly writes: number
}

export function tallyOf(parts: Parts): Tally {
  const choice = (wanted: Choice) => parts.decisions.filter((row) => row.choice === wanted).length
  const ticked = parts.changes.filter((row) => row.ticked).length
  const restores = ticked + choice('replace')
  const merges = choice('merge')
  return {
    restores,
    merges,
    keeps: choice('keep') + parts.changes.length - ticked,
    cannot: parts.cannot.length,
    writes: restores + merges
  }
}

/** "Restores 8 · merges 1 · keeps 1 · cannot 1"; what is zero is left out, but restores is always said. */
export function tallyWords(tally: Tally): readonly string[] {
  const n = (value: number) => value.toLocaleString('en-US')
  const words = [`Restores ${n(tally.restores)}`]
  if (tally.merges) words.push(`merges ${n(tally.merges)}`)
  if (tally.keeps) words.push(`keeps ${n(tally.keeps)}`)
  if (tally.cannot) words.push(`cannot ${n(tally.cannot)}`)
  return words
}

const LETTER: Readonly<Record<ItemAction, Letter>> = {
  write: 'M',
  create: 'A',
  delete: 'D',
  mode: 'M',
  link: 'M',
  mkdir: 'A',
  rmdir: 'D',
  keep: 'M'
}
const WORD: Readonly<Record<ItemAction, string>> = {
  write: 'rewrite',
  create: 'bring back',
  delete: 'delete',
  mode: 'permissions',
  link: 'point link back',
  mkdir: 'create folder',
  rmdir: 'remove folder',
  keep: 'stays'
}

/** What a restore does to the path, as a letter: A comes back, D goes, M changes. */
export function actionLetter(item: PlanItem | null): Letter {
  if (!item) return 'M'
  if (item.action !== 'keep') return LETTER[item.action]
  return item.before.kind === 'absent' ? 'A' : 'M'
}

export function actionWord(item: PlanItem): string {
  return WORD[item.action]
}

export const CHOICE_WORDS: Readonly<Record<Choice, string>> = { keep: 'Keep mine', merge: 'Merge', replace: 'Replace' }

/** The choices a conflict offers, in the order of the cards; merge only where it is clean. */
export function offeredChoices(conflict: Conflict): readonly Choice[] {
  const order: readonly Choice[] = ['keep', 'merge', 'replace']
  return order.filter((choice) => (choice === 'merge' ? conflict.mergeable : conflict.choices.includes(choice)))
}

/** A row as a sentence for a screen reader. */
export function rowSentence(row: PlanRow): string {
  switch (row.kind) {
    case 'section':
      return `${row.title}.`
    case 'decision':
      return `${row.id}, ${reasonWords(row.conflict)}. ${CHOICE_WORDS[row.choice]}.`
    case 'cannot':
      return `${row.id}, cannot go back: ${row.item.note}. It stays as it is.`
    case 'change': {
      const note = row.item.note ? `, ${row.item.note}` : ''
      return `${row.id}, ${actionWord(row.item)}${note}${row.ticked ? '' : ', left out'}.`
    }
  }
}
