/**
 * Turns changed files into the rows of the tree or the flat list. Pure.
 * Invariant: files are in review order in both, so that the keys that step through them follow what is on screen.
 */
import type { FileChange } from '../../../contract/diff.ts'
import { splitPath, visibleName } from '../../../contract/words/paths.ts'
import { groupOf, groupsOf, reviewOrder } from '../../model/file-order.ts'
import { foldersAround, type PathFolder, pathTree, type TreePlace } from '../../model/path-tree.ts'

export type ListMode = 'tree' | 'list'

export interface FolderRow extends TreePlace {
  readonly kind: 'folder'
  readonly id: string
  readonly label: string
  readonly open: boolean
  readonly files: number
  /** Paths of its files, also while it is closed. */
  readonly inside: readonly string[]
  /** Lines added and deleted in its files, 0 until counted. */
  readonly lines: number
  readonly group: boolean
}
export interface FileRow extends TreePlace {
  readonly kind: 'file'
  readonly id: string
  readonly file: FileChange
  /** Folder shown before the name; "" in the tree. */
  readonly folder: string
  readonly name: string
  /** Old name of a rename, "" otherwise. */
  readonly oldName: string
}
export type Row = FolderRow | FileRow

interface RowInput {
  readonly files: readonly FileChange[]
  readonly mode: ListMode
  readonly filter: string
  /**
   * Folders the user opened or closed, by row id. Other folders are open; other groups depend on the size of the diff.
   */
  readonly toggled: ReadonlyMap<string, boolean>
}

const GROUPS = [
  { group: 'generated', label: 'Generated files' },
  { group: 'vendored', label: 'Vendored files' }
] as const

/** Above either limit, generated and vendored groups start closed. */
const MANY_FILES = 500
const MANY_LINES = 4000

function isHuge(files: readonly FileChange[]): boolean {
  return files.length > MANY_FILES || linesOf(files) > MANY_LINES
}

/** The rows from top to bottom. Every word of the filter must occur in the path; folders of matching files are open. */
export function fileRows(input: RowInput): readonly Row[] {
  const words = input.filter.toLowerCase().split(/\s+/).filter(Boolean)
  const matching = words.length
    ? input.files.filter((file) => {
        const path = `${file.path}\n${file.oldPath ?? ''}`.toLowerCase()
        return words.every((word) => path.includes(word))
      })
    : input.files
  const grouped = groupsOf(reviewOrder(matching))
  const groups = GROUPS.map((g) => ({ ...g, files: grouped[g.group] })).filter((g) => g.files.length > 0)
  const groupsOpen = words.length > 0 || !isHuge(input.files)
  const isOpen = (id: string, fallback: boolean) => (words.length > 0 ? true : (input.toggled.get(id) ?? fallback))
  const outer = outerRows(grouped.own, input.mode, groups.length, (id) => isOpen(id, true))
  const rows = [...outer]
  const setSize = outer[0]?.setSize ?? groups.length
  groups.forEach(({ group, label, files }, index) => {
    const id = `group:${group}`
    const open = isOpen(id, groupsOpen)
    const place = { level: 1, setSize, posInSet: setSize - groups.length + index + 1 }
    rows.push(folderRow({ ...place, id, label, open, inside: files }, true))
    if (open) rows.push(...listRows(files, 2, 0))
  })
  return rows
}

function outerRows(
  files: readonly FileChange[],
  mode: ListMode,
  rowsAfter: number,
  isOpen: (id: string) => boolean
): readonly Row[] {
  if (mode === 'list') return listRows(files, 1, rowsAfter)
  return pathTree(files, { rowsAfter, isOpen }).map((row) =>
    row.kind === 'folder' ? folderRow(row, false) : fileRow(row.item, row, false)
  )
}

/** Files with their folders, without rows for these. */
function listRows(files: readonly FileChange[], level: number, rowsAfter: number): readonly FileRow[] {
  const setSize = files.length + rowsAfter
  return files.map((file, index) => fileRow(file, { level, setSize, posInSet: index + 1 }, true))
}

/** Row ids of the folders or the group that contain `path`, outermost first. */
export function parentsOf(path: string): readonly string[] {
  const group = groupOf(path)
  if (group !== 'own') return [`group:${group}`]
  return foldersAround(path)
}

/** The files of a row: those of a folder, or the one. */
export function pathsOf(row: Row): readonly string[] {
  return row.kind === 'folder' ? row.inside : [row.file.path]
}

/**
 * The files between two rows, both included; without the first row, those of the second. An open folder stands for none:
 * its files have rows of their own.
 */
export function pathsBetween(rows: readonly Row[], from: string | null, to: string): readonly string[] {
  const end = rows.findIndex(({ id }) => id === to)
  const found = rows.findIndex(({ id }) => id === from)
  const start = found < 0 ? end : found
  const between = rows.slice(Math.min(start, end), Math.max(start, end) + 1)
  return between.filter((row) => row.kind === 'file' || !row.open).flatMap(pathsOf)
}

function linesOf(files: readonly FileChange[]): number {
  return files.reduce((sum, file) => sum + file.added + file.deleted, 0)
}

function folderRow(
  { level, setSize, posInSet, id, label, open, inside }: Omit<PathFolder<FileChange>, 'kind' | 'own'>,
  group: boolean
): FolderRow {
  return {
    kind: 'folder',
    id,
    level,
    setSize,
    posInSet,
    label,
    open,
    files: inside.length,
    inside: inside.map(({ path }) => path),
    lines: linesOf(inside),
    group
  }
}

function fileRow(file: FileChange, { level, setSize, posInSet }: TreePlace, withFolder: boolean): FileRow {
  const { folder, name } = splitPath(file.path)
  const old = file.oldPath ? splitPath(file.oldPath) : null
  return {
    kind: 'file',
    id: file.path,
    level,
    setSize,
    posInSet,
    file,
    folder: withFolder ? folder : '',
    name,
    oldName: old ? (old.folder === folder ? old.name : visibleName(file.oldPath ?? '')) : ''
  }
}
