/**
 * Rows and counts of the restore dialog, from a plan and a person's resolutions. Pure. Every path of the plan is in
 * exactly one section: decisions, files that cannot be restored, changes. The free old name of a file that stays where it
 * is has no row.
 */
import type { Conflict, ItemAction, PlanItem, Resolution, Resolutions, RestorePlan } from '../../../contract/restore.ts'
import type { Letter } from '../../../contract/words/files.ts'
import { formatNumber, pathsText, plural } from '../../../contract/words/numbers.ts'
import { conflictText, countPaths, noteText } from '../../../contract/words/plan.ts'
import { resolutionLabel } from '../../../contract/words/resolutions.ts'
import { capitalized, listAll } from '../../../contract/words/text.ts'
import { inTreeOrder } from '../../model/file-order.ts'
import { pathTree, type TreePlace } from '../../model/path-tree.ts'

type SectionId = 'decide' | 'cannot' | 'change'
/** How many changes are selected. */
export type Ticked = 'all' | 'some' | 'none'

export interface SectionRow extends TreePlace {
  readonly kind: 'section'
  /** With slashes at both ends, as those of folders: no path of the plan is the same. */
  readonly id: string
  readonly section: SectionId
  readonly title: string
  readonly open: boolean
  readonly ticked: Ticked
  readonly count: number
}
/** A folder of a section, with the files of that section. */
export interface FolderRow extends TreePlace {
  readonly kind: 'folder'
  readonly id: string
  readonly label: string
  readonly open: boolean
  /** What is planned for the folder itself. */
  readonly own: ChangeRow | null
  readonly inside: readonly PlanFile[]
  /** null in a section without checkboxes. */
  readonly ticked: Ticked | null
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
/** A path of the plan. */
export type PlanFile = DecisionRow | CannotRow | ChangeRow
export type PlanRow = SectionRow | FolderRow | (PlanFile & TreePlace)

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
    cannot: rest
      .filter(({ action, note }) => action === 'keep' && note?.code !== 'moved-away')
      .map((item) => ({ kind: 'cannot', id: item.path, item })),
    changes: rest
      .filter((item) => item.action !== 'keep')
      .map((item) => ({ kind: 'change', id: item.path, item, ticked: resolutions[item.path] !== 'keep' }))
  }
}

/** [UI-5] A clean merge touches no line of others, so it is proposed instead of keeping the file. */
function proposedResolution({ mergeable, choice }: Conflict): Resolution {
  return mergeable && choice === 'keep' ? 'merge' : choice
}

/** The plan with its paths in the order of the rows. */
export function inRowOrder(plan: RestorePlan): RestorePlan {
  return { ...plan, items: inTreeOrder(plan.items), conflicts: inTreeOrder(plan.conflicts) }
}

/**
 * The rows of the list: each section head, then the tree of its files, unless they are folded. With a filter, the files
 * whose path contains all of its words, in folders that are open. Heads count and tick all files of their section,
 * shown or not.
 */
export function planRows(parts: Parts, folded: ReadonlySet<string>, filter = ''): readonly PlanRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const sections = sectionsOf(parts).filter(({ files }) => files.length > 0)
  return sections.flatMap(({ section, title, files }, index): readonly PlanRow[] => {
    const id = `/${section}/`
    const head: SectionRow = {
      kind: 'section',
      id,
      section,
      title,
      open: !folded.has(id),
      ticked: tickedOf(files),
      count: files.length,
      level: 1,
      setSize: sections.length,
      posInSet: index + 1
    }
    if (!head.open) return [head]
    const matching = files.filter((file) => words.every((word) => file.id.toLowerCase().includes(word)))
    return [head, ...treeRows(head, matching, (folder) => words.length > 0 || !folded.has(folder))]
  })
}

function sectionsOf(parts: Parts) {
  const { decisions, cannot, changes } = parts
  const n = (list: readonly unknown[]) => formatNumber(list.length)
  const counts = countPaths(changes.map(itemOf))
  const changed = counts.folders === 0 ? formatNumber(counts.files) : pathsText(counts)
  const needs = decisions.length === 1 ? 'needs' : 'need'
  return [
    { section: 'decide', title: `${n(decisions)} ${needs} a decision`, files: decisions },
    { section: 'cannot', title: `${n(cannot)} cannot be restored`, files: cannot },
    { section: 'change', title: `${changed} will change`, files: changes }
  ] as const satisfies readonly { section: SectionId; title: string; files: readonly PlanFile[] }[]
}

function treeRows(head: SectionRow, files: readonly PlanFile[], isOpen: (id: string) => boolean): readonly PlanRow[] {
  const items = files.map((file) => ({ path: file.id, file }))
  const rows = pathTree(items, {
    level: head.level + 1,
    isFolder: ({ file }) => file.kind === 'change' && isFolderAction(file.item.action),
    isOpen: (id) => isOpen(head.id + id)
  })
  return rows.map((row): PlanRow => {
    const { level, setSize, posInSet } = row
    if (row.kind === 'item') return { ...row.item.file, level, setSize, posInSet }
    const inside = row.inside.map(({ file }) => file)
    const own = row.own?.file
    return {
      kind: 'folder',
      id: head.id + row.id,
      label: row.label,
      open: row.open,
      own: own?.kind === 'change' ? own : null,
      inside,
      ticked: head.section === 'change' ? tickedOf(inside) : null,
      level,
      setSize,
      posInSet
    }
  })
}

const isFolderAction = (action: ItemAction): boolean => action === 'mkdir' || action === 'rmdir'

function tickedOf(files: readonly PlanFile[]): Ticked {
  const ticked = files.filter((file) => file.kind === 'change' && file.ticked).length
  return ticked === 0 ? 'none' : ticked === files.length ? 'all' : 'some'
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
 * "Restores 8 files and 1 folder", "merges 1", "keeps 1", "cannot restore 1": zeros are omitted. `git`: items of git that it restores,
 * too. `stays`: the files stay as they are, which has to be noticed.
 */
export function tallyParts(tally: Tally, git = 0): readonly { readonly text: string; readonly stays: boolean }[] {
  const restored = [counted(tally.restores, 'file'), counted(tally.writes.folders, 'folder'), counted(git, 'git item')]
  const first = listAll(restored.filter((part) => part !== ''))
  const counts = [
    { label: 'merges', n: tally.merges, stays: false },
    { label: 'keeps', n: tally.keeps, stays: true },
    { label: 'cannot restore', n: tally.cannot, stays: true }
  ].filter(({ n }) => n > 0)
  const rest = counts.map(({ label, n, stays }, at) => {
    const text = first === '' && at === 0 ? `${capitalized(label)} ${plural(n, 'file')}` : `${label} ${formatNumber(n)}`
    return { text, stays }
  })
  return first === '' ? rest : [{ text: `Restores ${first}`, stays: false }, ...rest]
}

/** Neither files nor git nor the conversation differ, so that there is nothing to choose. */
export function changesNothing({ items, git, conversation, mode }: RestorePlan): boolean {
  if (items.length > 0 || git.length > 0) return false
  return !conversation || (mode !== 'conversation' && conversation.supersedes + conversation.bringsBack === 0)
}

const counted = (n: number, noun: string): string => (n > 0 ? plural(n, noun) : '')

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

/** Resolutions of a conflict in display order; merge only if it is clean. */
export function offeredResolutions(conflict: Conflict): readonly Resolution[] {
  const displayOrder: readonly Resolution[] = ['keep', 'merge', 'replace']
  return displayOrder.filter((option) => (option === 'merge' ? conflict.mergeable : conflict.choices.includes(option)))
}

/** What happens to a change, in the words beside its name. */
export function changeNote({ item, ticked }: ChangeRow): string {
  return ticked ? noteText(item.note) || actionWord(item) : 'unchanged'
}

/** "3 files and 1 folder": what a folder of the list holds, at every depth. */
function folderCount({ inside, own }: FolderRow): string {
  const files = inside.filter((file) => file !== own)
  const changes = countPaths(files.flatMap((file) => (file.kind === 'change' ? [file.item] : [])))
  const others = files.filter(({ kind }) => kind !== 'change').length
  return pathsText({ files: changes.files + others, folders: changes.folders })
}

const TICKED_WORDS: Readonly<Record<Ticked, string>> = { all: '', some: ', some selected', none: ', not selected' }

/** Accessible name of a row. */
export function rowSentence(row: SectionRow | FolderRow | PlanFile): string {
  switch (row.kind) {
    case 'section':
      return `${row.title}.`
    case 'folder': {
      const own = row.own ? `, ${actionWord(row.own.item)}` : ''
      return `${row.label}, ${folderCount(row)}${own}${row.ticked === null ? '' : TICKED_WORDS[row.ticked]}.`
    }
    case 'decision':
      return `${row.id}, ${conflictText(row.conflict)}. ${resolutionLabel(row.resolution, row.conflict)}.`
    case 'cannot':
      return `${row.id}, cannot be restored: ${noteText(row.item.note)}. Unchanged.`
    case 'change': {
      const note = row.item.note ? `, ${noteText(row.item.note)}` : ''
      return `${row.id}, ${actionWord(row.item)}${note}${row.ticked ? '' : ', not selected'}.`
    }
  }
}
