/** The rows of the changed files: keyboard, selection and row actions. */
import { useMemo, useRef, useState } from 'react'
import { plural } from '../../../contract/words/numbers.ts'
import { useOpenWorkspace, useReview, useWorkspaceState } from '../../state/open-workspace.tsx'
import { usePreferences } from '../../state/preferences.tsx'
import { NO_FILES } from '../../state/store.ts'
import { announce } from '../../ui/live-region.tsx'
import { useDensity } from '../../ui/use-density.ts'
import { useListKeys } from '../../ui/use-list-keys.ts'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { type FileListAction, fileListAction, nextToReviewRow, shapeOf } from './file-keys.ts'
import { type FileCommands, type FileMenuAnchor, useFileCommands } from './file-menu.tsx'
import { type FileRowActions, FileRowView } from './file-row.tsx'
import type { FileFocus, FileTreeState } from './use-file-tree.ts'

interface FileTreeProps {
  readonly tree: FileTreeState
  readonly focus: FileFocus
  readonly verb: string
  readonly loading: boolean
  readonly onMenu: (menu: FileMenuAnchor) => void
  readonly onFilter: () => void
  readonly onClearFilter: () => void
}

/** Row heights, px; tokens.css: --file-row */
const ROW_PX = { comfortable: 26, compact: 24 } as const

export function FileTree(props: FileTreeProps) {
  const { tree, focus, verb, loading } = props
  const { rows } = tree
  const density = useDensity()
  const { letterKeys } = usePreferences()
  const files = useWorkspaceState(({ diff }) => diff?.files ?? NO_FILES)
  const path = useWorkspaceState(({ file }) => file?.path ?? null)
  const writing = useWorkspaceState((state) => state.writing)
  const { reviewed } = useReview()
  const allInferred = useMemo(() => files.every((file) => file.attribution === 'inferred'), [files])
  const { rowActions, goTo, perform } = useTreeActions(props)
  const onKeyDown = useListKeys({
    list: shapeOf(rows),
    at: focus.at,
    letters: letterKeys,
    onMove: goTo,
    onExpand: (open) => tree.toggleFolder(rows[focus.at]?.id ?? '', open),
    onKey: (event) => {
      if (event.key === 'Escape' && tree.filter !== '') {
        event.stopPropagation()
        props.onClearFilter()
        return true
      }
      const action = fileListAction(rows[focus.at], event, letterKeys)
      if (action) perform(action)
      return action !== null
    }
  })
  return (
    <VirtualList
      key={density}
      ref={focus.list}
      role="tree"
      label="Changed files"
      className={loading ? 'tree late-dim' : 'tree'}
      items={rows}
      padding={6}
      keyOf={(row) => row.id}
      heightOf={() => ROW_PX[density]}
      alwaysRendered={focus.at}
      onKeyDown={onKeyDown}
      renderRow={(row, index) => (
        <FileRowView
          row={row}
          index={index}
          selected={row.id === path}
          focusable={index === focus.at}
          allInferred={allInferred}
          verb={verb}
          reviewed={row.kind === 'file' && reviewed.has(row.file.path)}
          writing={row.kind === 'file' && writing.has(row.file.path)}
          actions={rowActions}
        />
      )}
    />
  )
}

/** What rows and keys do. `rowActions` stays the same object. */
function useTreeActions({ tree, focus, onMenu, onFilter }: FileTreeProps) {
  const { store, actions } = useOpenWorkspace()
  const commands = useFileCommands()
  const { reviewed } = useReview()
  const { rows } = tree
  const latest = useRef({ tree, focus, commands, onMenu })
  latest.current = { tree, focus, commands, onMenu }
  const [rowActions] = useState<FileRowActions>(() => ({
    focus: (row) => latest.current.focus.setId(row.id),
    select: (row) => {
      latest.current.focus.setId(row.id)
      if (row.kind === 'folder') latest.current.tree.toggleFolder(row.id, !row.open)
      else actions.pickFile(row.file.path)
    },
    openDiff: () => actions.goTo('diff'),
    undo: (path) => latest.current.commands.restore(path),
    toggleReviewed: (path) => latest.current.commands['toggle-reviewed'](path),
    menu: (path, anchor) => latest.current.onMenu({ path, anchor })
  }))

  const goTo = (at: number) => {
    const row = rows[at]
    if (!row) return
    focus.setId(row.id)
    focus.list.current?.focusRow(at)
    if (row.kind === 'file') actions.pickFile(row.file.path)
  }
  /** Marking a file as reviewed moves on to the next one that is not. */
  const toggleReviewed = (path: string) => {
    commands['toggle-reviewed'](path)
    if (reviewed.has(path)) return
    const files = store.getState().diff?.files ?? NO_FILES
    if (files.every((file) => file.path === path || reviewed.has(file.path)))
      announce(`All ${plural(files.length, 'file')} reviewed.`)
    goTo(nextToReviewRow(rows, focus.at, reviewed))
  }
  const onList: Partial<Readonly<Record<FileListAction, () => void>>> = {
    mode: tree.toggleMode,
    filter: onFilter,
    'next-file': () => actions.stepFile(1),
    'prev-file': () => actions.stepFile(-1)
  }
  const onFile: FileCommands = {
    ...commands,
    'toggle-reviewed': toggleReviewed,
    keep: commands.keep ?? toggleReviewed,
    menu: (path) => {
      const element = focus.list.current?.element?.querySelector(`[data-index="${focus.at}"]`)
      if (element) onMenu({ path, anchor: element.getBoundingClientRect() })
    }
  }
  const perform = (action: FileListAction) => {
    const row = rows[focus.at]
    onList[action]?.()
    if (row?.kind === 'file') onFile[action]?.(row.file.path)
    else if (row && (action === 'open-diff' || action === 'toggle-reviewed')) tree.toggleFolder(row.id, !row.open)
  }
  return { rowActions, goTo, perform }
}
