/**
 * State of the list of changed files: its mode, its filter, and which folders are open. Holds only what differs from
 * the default, so that a folder which appears later is open. The tab stop follows the file in the diff.
 */
import { useEffect, useMemo, useRef, useState } from 'react'
import type { FileChange } from '../../../contract/diff.ts'
import { useWorkspaceState } from '../../state/open-workspace.tsx'
import type { VirtualListHandle } from '../../ui/virtual-list.tsx'
import { fileRows, type ListMode, parentsOf } from './file-rows.ts'

export type FileTreeState = ReturnType<typeof useFileTree>
export type FileFocus = ReturnType<typeof useFileFocus>

const MODE_KEY = 'driftline.files.mode'

export function useFileTree(files: readonly FileChange[]) {
  const [mode, setMode] = useState<ListMode>(() => (localStorage.getItem(MODE_KEY) === 'list' ? 'list' : 'tree'))
  const [filter, setFilter] = useState('')
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map())
  const rows = useMemo(() => fileRows({ files, mode, filter, toggled }), [files, mode, filter, toggled])
  return {
    rows,
    mode,
    filter,
    /** Switches between tree and list; the choice is remembered. */
    toggleMode: () => {
      const next = mode === 'tree' ? 'list' : 'tree'
      localStorage.setItem(MODE_KEY, next)
      setMode(next)
    },
    setFilter,
    toggleFolder: (id: string, open: boolean) => setToggled((before) => new Map(before).set(id, open)),
    /** Opens the folders that hide a path. */
    openParents: (path: string) => {
      const parents = new Set(parentsOf(path))
      const closed = rows.filter((row) => row.kind === 'folder' && parents.has(row.id) && !row.open)
      if (closed.length > 0)
        setToggled((before) => new Map([...before, ...closed.map(({ id }) => [id, true] as const)]))
    }
  }
}

/** The tab stop of the list of files. It follows the file in the diff; `at`: its index. */
export function useFileFocus({ rows, openParents }: FileTreeState) {
  const list = useRef<VirtualListHandle>(null)
  const path = useWorkspaceState(({ file }) => file?.path ?? null)
  const [id, setId] = useState<string | null>(null)
  // A file selected elsewhere is revealed: its folders are opened, and its row becomes the tab stop.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new selection moves the list.
  useEffect(() => {
    if (!path) return
    setId(path)
    openParents(path)
    const at = rows.findIndex((row) => row.id === path)
    if (at < 0) return
    // While the list has focus, focus moves to the selected row, so that keys continue from there.
    if (list.current?.element?.contains(document.activeElement)) list.current.focusRow(at)
    else list.current?.reveal(at)
  }, [path])
  const at = Math.max(
    0,
    rows.findIndex((row) => row.id === id)
  )
  const latest = useRef(at)
  latest.current = at
  return { list, at, setId, focusCurrent: () => list.current?.focusRow(latest.current) }
}
