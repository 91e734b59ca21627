/**
 * Rows and counts of the restore dialog, from a plan and a person's resolutions. Pure. Every path of the plan is in
 * exactly one section: decisions, files that cannot be restored, changes.
 */
import type { Conflict, ItemAction, PlanItem, Resolution, Resolutions, RestorePlan } from '../../../contract/restore.ts'
import type { Letter } from '../../../contract/words/files.ts'
import { formatNumber, pathsText } from '../../../contract/words/numbers.ts'
import { conflictText, countPaths, noteText } from '../../../contract/words/plan.ts'

export type SectionId = 'decide' | 'cannot' | 'change'

export interface SectionRow {
  readonly kind: 'section'
  readonly id: SectionId
  readonly title: string
  readonly open: boolean
  /** How many changes are selected. */
  readonly ticked: 'all' | 'some' | 'none'
  readonly count: number
}
export interface DecisionRow {
  readonly kind: 'decision'
  readonly id: string
  readonly conflict: Conflict
  readonly item: PlanItem | null
  readonly resolution: Resolution
}
interface CannotRow {
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

/** `base` is the plan without resolutions: a file that is not selected stays listed as a change. */
export function partsOf(base: RestorePlan, resolutions: Resolutions): Parts {
  const byPath = new Map(base.items.map((item) => [item.path, item]))
  const conflicts = new Set(base.conflicts.map((conflict) => conflict.path))
  const rest = base.items.filter((item) => !conflicts.has(item.path))
  return {
    decisions: base.conflicts.map((conflict) => ({
      kind: 'decision',
      id: conflict.path,
      conflict,
      item: byPath.get(conflict.path) ?? null,
      resolution: resolutions[conflict.path] ?? proposedResolution(conflict)
    })),
    cannot: rest.filter((item) => item.action === 'keep').map((item) => ({ kind: 'cannot', id: item.path, item })),
    changes: rest
      .filter((item) => item.action !== 'keep')
      .map((item) => ({ kind: 'change', id: item.path, item, ticked: resolutions[item.path] !== 'keep' }))
  }
}

/** [UI-5] A clean merge touches no line of others, so it is proposed instead of keeping the file. */
function proposedResolution({ mergeable, choice }: Conflict): Resolution {
  return mergeable && choice === 'keep' ? 'merge' : choice
}

/**
 * The rows whose path contains every word of the filter, below the head of every section: heads count and tick all files
 * of their section, shown or not.
 */
export function filteredRows(rows: readonly PlanRow[], filter: string): readonly PlanRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return rows
  return rows.filter((row) => row.kind === 'section' || words.every((word) => row.id.toLowerCase().includes(word)))
}

/** Rows of the list in order: each section head, then its rows unless the section is folded. */
export function planRows(parts: Parts, folded: ReadonlySet<SectionId>): readonly PlanRow[] {
  const rows: PlanRow[] = []
  const section = (id: SectionId, title: string, list: readonly PlanRow[]) => {
    if (list.length === 0) return
    const open = !folded.has(id)
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
  const n = (list: readonly unknown[]) => formatNumber(list.length)
  section(
    'decide',
    `${n(parts.decisions)} ${parts.decisions.length === 1 ? 'needs' : 'need'} a decision`,
    parts.decisions
  )
  section('cannot', `${n(parts.cannot)} cannot be restored`, parts.cannot)
  const changes = countPaths(parts.changes.map(itemOf))
  const changed = changes.folders === 0 ? formatNumber(changes.files) : pathsText(changes)
  section('change', `${changed} will change`, parts.changes)
  return rows
}

const itemOf = ({ item }: ChangeRow): PlanItem => item

export type Tally = ReturnType<typeof tallyOf>

export function tallyOf(parts: Parts) {
  const resolvedAs = (resolution: Resolution) => parts.decisions.filter((row) => row.resolution === resolution).length
  const changes = (ticked: boolean) => countPaths(parts.changes.filter((row) => row.ticked === ticked).map(itemOf))
  const { files, folders } = changes(true)
  const restores = files + resolvedAs('replace')
  const merges = resolvedAs('merge')
  return {
    restores,
    merges,
    keeps: resolvedAs('keep') + changes(false).files,
    cannot: parts.cannot.length,
    /** What would be written; the number of files is that on the button. */
    writes: { files: restores + merges, folders },
    /** Anything would be written. */
    changes: restores + merges + folders > 0
  }
}

/**
 * "Restores 8", "merges 1", "keeps 1", "cannot restore 1": zeros are omitted, except for restores. `stays`: the files
 * stay as they are, which has to be noticed.
 */
export function tallyParts(tally: Tally): readonly { readonly text: string; readonly stays: boolean }[] {
  const counts = [
    { label: 'Restores', n: tally.restores, stays: false },
    { label: 'merges', n: tally.merges, stays: false },
    { label: 'keeps', n: tally.keeps, stays: true },
    { label: 'cannot restore', n: tally.cannot, stays: true }
  ]
  return counts.flatMap(({ label, n, stays }) =>
    n > 0 || label === 'Restores' ? { text: `${label} ${formatNumber(n)}`, stays } : []
  )
}

const ACTIONS: Readonly<Record<ItemAction, { readonly letter: Letter; readonly label: string }>> = {
  write: { letter: 'M', label: 'modify' },
  create: { letter: 'A', label: 'recreate' },
  delete: { letter: 'D', label: 'delete' },
  mode: { letter: 'M', label: 'change permissions' },
  link: { letter: 'M', label: 'change link' },
  mkdir: { letter: 'A', label: 'create folder' },
  rmdir: { letter: 'D', label: 'remove folder' },
  keep: { letter: 'M', label: 'unchanged' }
}

/** Status letter of a planned path: A is created, D is deleted, M is modified. */
export function actionLetter(item: PlanItem | null): Letter {
  if (item?.action === 'keep' && item.before.kind === 'absent') return 'A'
  return ACTIONS[item?.action ?? 'keep'].letter
}

export function actionWord(item: PlanItem): string {
  return ACTIONS[item.action].label
}

export const RESOLUTION_LABELS: Readonly<Record<Resolution, string>> = {
  keep: 'Keep mine',
  merge: 'Merge',
  replace: 'Replace'
}

/** Resolutions of a conflict in display order; merge only if it is clean. */
export function offeredResolutions(conflict: Conflict): readonly Resolution[] {
  const displayOrder: readonly Resolution[] = ['keep', 'merge', 'replace']
  return displayOrder.filter((option) => (option === 'merge' ? conflict.mergeable : conflict.choices.includes(option)))
}

/** Accessible name of a row. */
export function rowSentence(row: PlanRow): string {
  switch (row.kind) {
    case 'section':
      return `${row.title}.`
    case 'decision':
      return `${row.id}, ${conflictText(row.conflict)}. ${RESOLUTION_LABELS[row.resolution]}.`
    case 'cannot':
      return `${row.id}, cannot be restored: ${noteText(row.item.note)}. Unchanged.`
    case 'change': {
      const note = row.item.note ? `, ${noteText(row.item.note)}` : ''
      return `${row.id}, ${actionWord(row.item)}${note}${row.ticked ? '' : ', not selected'}.`
    }
  }
}
