/**
 * A tree of paths as rows from top to bottom: folders, and the items in them. Pure.
 * Invariant: items keep their order. In tree order (file-order.ts) the rows follow it, too.
 */
import { visibleName } from '../../contract/words/paths.ts'

/** Where a row is in its tree. */
export interface TreePlace {
  /** 1 for the outermost rows. */
  readonly level: number
  readonly setSize: number
  readonly posInSet: number
}
export interface PathFolder<T> extends TreePlace {
  readonly kind: 'folder'
  /** Its path with a slash at the end. */
  readonly id: string
  readonly label: string
  readonly open: boolean
  /** The item that is this folder itself. */
  readonly own: T | null
  /** Its items at every depth and its own one, also while it is closed. */
  readonly inside: readonly T[]
}
interface PathItem<T> extends TreePlace {
  readonly kind: 'item'
  readonly item: T
}

interface TreeOptions<T> {
  /** Whether an item is a folder. Its row is that of the folder, if the folder holds other items. */
  readonly isFolder?: (item: T) => boolean
  /** Level of the outermost rows. */
  readonly level?: number
  /** Rows of the caller that follow the outermost ones, for the size of their set. */
  readonly rowsAfter?: number
  readonly isOpen: (id: string) => boolean
}

interface FolderNode<T> {
  readonly id: string
  readonly label: string
  readonly folders: Map<string, FolderNode<T>>
  readonly items: T[]
  own: T | null
}

/** The rows of the tree; those in closed folders are left out. */
export function pathTree<T extends { readonly path: string }>(
  items: readonly T[],
  options: TreeOptions<T>
): readonly (PathFolder<T> | PathItem<T>)[] {
  const rows: (PathFolder<T> | PathItem<T>)[] = []
  pushRows(rows, treeOf(items, options.isFolder), options)
  return rows
}

/** The ids of the folders that contain a path, outermost first. A row of joined folders has that of the innermost. */
export function foldersAround(path: string): readonly string[] {
  const ids: string[] = []
  for (let cut = path.indexOf('/'); cut > 0; cut = path.indexOf('/', cut + 1)) ids.push(path.slice(0, cut + 1))
  return ids
}

function treeOf<T extends { readonly path: string }>(
  items: readonly T[],
  isFolder: (item: T) => boolean = () => false
): FolderNode<T> {
  const root = folderNode<T>('', '')
  for (const item of items) {
    let node = root
    const parts = item.path.split('/')
    const name = parts.pop() ?? ''
    for (const part of parts) {
      const next = node.folders.get(part) ?? folderNode<T>(`${node.id}${part}/`, part)
      node.folders.set(part, next)
      node = next
    }
    // In tree order a folder comes after what it holds.
    const folder = isFolder(item) ? node.folders.get(name) : undefined
    if (folder) folder.own = item
    else node.items.push(item)
  }
  return root
}

function folderNode<T>(id: string, label: string): FolderNode<T> {
  return { id, label, folders: new Map(), items: [], own: null }
}

/** Joins a folder with its only child folder, and so on: "src/cart" is one row. */
function joined<T>(node: FolderNode<T>): FolderNode<T> {
  let at = node
  let label = node.label
  while (at.items.length === 0 && at.own === null && at.folders.size === 1) {
    const only = [...at.folders.values()][0]
    if (!only) break
    at = only
    label = `${label}/${only.label}`
  }
  return { ...at, label }
}

function pushRows<T>(rows: (PathFolder<T> | PathItem<T>)[], node: FolderNode<T>, options: TreeOptions<T>): void {
  const { level = 1, rowsAfter = 0, isOpen } = options
  const setSize = node.folders.size + node.items.length + rowsAfter
  let posInSet = 0
  for (const child of node.folders.values()) {
    const folder = joined(child)
    const open = isOpen(folder.id)
    rows.push({
      kind: 'folder',
      id: folder.id,
      level,
      setSize,
      posInSet: ++posInSet,
      label: visibleName(folder.label),
      open,
      own: folder.own,
      inside: itemsBelow(folder)
    })
    if (open) pushRows(rows, folder, { level: level + 1, isOpen })
  }
  for (const item of node.items) rows.push({ kind: 'item', item, level, setSize, posInSet: ++posInSet })
}

function itemsBelow<T>(node: FolderNode<T>): readonly T[] {
  return [...[...node.folders.values()].flatMap(itemsBelow), ...node.items, ...(node.own ? [node.own] : [])]
}
