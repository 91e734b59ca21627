/**
 * Turns changed files into the rows of the tree or the flat list. Pure.
 * Invariant: files are in review order in both, so that the keys that step through them follow what is on screen.
 */
import type { FileChange } from '../../../contract/diff.ts'
import { splitPath, visibleName } from '../../../contract/words/paths.ts'
import { groupOf, reviewOrder } from '../../model/file-order.ts'

export type ListMode = 'tree' | 'list'

interface TreePlace {
  readonly id: string
  /** 1 for the outermost rows. */
  readonly level: number
  readonly setSize: number
  readonly posInSet: number
}
export interface FolderRow extends TreePlace {
  readonly kind: 'folder'
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

interface FolderNode {
  readonly id: string
  readonly label: string
  readonly folders: Map<string, FolderNode>
  readonly files: FileChange[]
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
  const ordered = reviewOrder(matching)
  const own = ordered.filter((file) => groupOf(file.path) === 'own')
  const groups = GROUPS.map((g) => ({ ...g, files: ordered.filter((file) => groupOf(file.path) === g.group) })).filter(
    (g) => g.files.length > 0
  )
  const groupsOpen = words.length > 0 || !isHuge(input.files)
  const isOpen = (id: string, fallback: boolean) => (words.length > 0 ? true : (input.toggled.get(id) ?? fallback))
  const rows: Row[] = []
  const outer = input.mode === 'tree' ? buildTree(own) : null
  const setSize = (outer ? outer.folders.size + outer.files.length : own.length) + groups.length
  let pos = 0
  if (outer) pos = pushTree(rows, outer, 1, setSize, isOpen)
  else for (const file of own) rows.push(fileRow(file, 1, setSize, ++pos, true))
  for (const g of groups) {
    const id = `group:${g.group}`
    const open = isOpen(id, groupsOpen)
    rows.push({
      kind: 'folder',
      id,
      level: 1,
      setSize,
      posInSet: ++pos,
      label: g.label,
      open,
      files: g.files.length,
      inside: g.files.map(({ path }) => path),
      lines: linesOf(g.files),
      group: true
    })
    if (open) g.files.forEach((file, i) => void rows.push(fileRow(file, 2, g.files.length, i + 1, true)))
  }
  return rows
}

/** Row ids of the folders or the group that contain `path`, outermost first. */
export function parentsOf(path: string): readonly string[] {
  const group = groupOf(path)
  if (group !== 'own') return [`group:${group}`]
  const ids: string[] = []
  for (let cut = path.indexOf('/'); cut > 0; cut = path.indexOf('/', cut + 1)) ids.push(path.slice(0, cut + 1))
  return ids
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

function buildTree(files: readonly FileChange[]): FolderNode {
  const root: FolderNode = { id: '', label: '', folders: new Map(), files: [] }
  for (const file of files) {
    let node = root
    const parts = file.path.split('/')
    for (const part of parts.slice(0, -1)) {
      let next = node.folders.get(part)
      if (!next) {
        next = { id: `${node.id}${part}/`, label: part, folders: new Map(), files: [] }
        node.folders.set(part, next)
      }
      node = next
    }
    node.files.push(file)
  }
  return root
}

/** Joins a folder with its only child folder, and so on: "src/cart" is one row. */
function compact(node: FolderNode): FolderNode {
  let at = node
  let label = node.label
  while (at.files.length === 0 && at.folders.size === 1) {
    const only = [...at.folders.values()][0]
    if (!only) break
    at = only
    label = `${label}/${only.label}`
  }
  return { ...at, label }
}

function pushTree(
  rows: Row[],
  node: FolderNode,
  level: number,
  setSize: number,
  isOpen: (id: string, fallback: boolean) => boolean
): number {
  let pos = 0
  for (const child of node.folders.values()) {
    const folder = compact(child)
    const open = isOpen(folder.id, true)
    const below = filesBelow(folder)
    rows.push({
      kind: 'folder',
      id: folder.id,
      level,
      setSize,
      posInSet: ++pos,
      label: visibleName(folder.label),
      open,
      files: below.length,
      inside: below.map(({ path }) => path),
      lines: linesOf(below),
      group: false
    })
    if (open) pushTree(rows, folder, level + 1, folder.folders.size + folder.files.length, isOpen)
  }
  for (const file of node.files) rows.push(fileRow(file, level, setSize, ++pos, false))
  return pos
}

function filesBelow(node: FolderNode): readonly FileChange[] {
  return [...[...node.folders.values()].flatMap(filesBelow), ...node.files]
}

function linesOf(files: readonly FileChange[]): number {
  return files.reduce((sum, file) => sum + file.added + file.deleted, 0)
}

function fileRow(file: FileChange, level: number, setSize: number, posInSet: number, withFolder: boolean): FileRow {
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
