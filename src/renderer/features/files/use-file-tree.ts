/** State of the list of changed files: its mode, its filter, and which folders are open. */
import { useMemo, useState } from 'react'
import type { FileChange } from '../../../contract/diff.ts'
import { fileRows, type ListMode, parentsOf, type Row } from './file-rows.ts'

export interface FileTreeState {
  readonly rows: readonly Row[]
  readonly mode: ListMode
  readonly filter: string
  /** Switches between tree and list; the choice is remembered. */
  toggleMode(): void
  setFilter(filter: string): void
  toggleFolder(id: string, open: boolean): void
  /** Opens the folders that hide a path. */
  openParents(path: string): void
}

const MODE_KEY = 'driftline.files.mode'

export function useFileTree(files: readonly FileChange[]): FileTreeState {
  const [mode, setMode] = useState<ListMode>(() => (localStorage.getItem(MODE_KEY) === 'list' ? 'list' : 'tree'))
  const [filter, setFilter] = useState('')
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map())
  const rows = useMemo(() => fileRows({ files, mode, filter, toggled }), [files, mode, filter, toggled])
  return {
    rows,
    mode,
    filter,
    toggleMode: () => {
      const next = mode === 'tree' ? 'list' : 'tree'
      localStorage.setItem(MODE_KEY, next)
      setMode(next)
    },
    setFilter,
    toggleFolder: (id, open) => setToggled((before) => new Map(before).set(id, open)),
    openParents: (path) => {
      const parents = new Set(parentsOf(path))
      const closed = rows.filter((row) => row.kind === 'folder' && parents.has(row.id) && !row.open)
      if (closed.length > 0)
        setToggled((before) => new Map([...before, ...closed.map(({ id }) => [id, true] as const)]))
    }
  }
}
