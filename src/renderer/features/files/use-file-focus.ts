/** The tab stop of the list of files. It follows the file in the diff. */
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { VirtualListHandle } from '../../ui/virtual-list.tsx'
import { useWorkspaceState } from '../workspace/state/context.tsx'
import type { FileTreeState } from './use-file-tree.ts'

export interface FileFocus {
  readonly list: RefObject<VirtualListHandle | null>
  /** Index of the tab stop. */
  readonly at: number
  readonly setId: (id: string) => void
}

export function useFileFocus({ rows, openParents }: FileTreeState): FileFocus {
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
  return { list, at, setId }
}
