/** The rows of the changed files: keyboard, selection and row actions. */
import { useMemo, useRef, useState } from 'react'
import type { FileChange } from '../../../contract/diff.ts'
import { allReviewed } from '../../../contract/words/files.ts'
import { useDriftline } from '../../client/context.tsx'
import { isCommandKey } from '../../commands/dispatch.ts'
import { restoreUnavailable } from '../../state/derived.ts'
import {
  useActions,
  useFileActions,
  useOpenWorkspace,
  useReview,
  useWorkspaceState
} from '../../state/open-workspace.tsx'
import { usePreferences } from '../../state/preferences.tsx'
import { NO_FILES } from '../../state/store.ts'
import { announce } from '../../ui/live-region.tsx'
import { useDensity } from '../../ui/use-density.ts'
import { useListKeys } from '../../ui/use-list-keys.ts'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { useToasts } from '../toast/toasts.tsx'
import { type FileListAction, fileListAction, nextToReviewRow, shapeOf } from './file-keys.ts'
import { type FileCommands, type FileMenuAnchor, useFileCommands } from './file-menu.tsx'
import { type FileRowActions, FileRowView } from './file-row.tsx'
import { pathsOf, type Row } from './file-rows.ts'
import type { FileFocus, FileTreeState } from './use-file-tree.ts'
import type { SelectedFiles } from './use-selected-files.ts'

interface FileTreeProps {
  readonly tree: FileTreeState
  readonly focus: FileFocus
  readonly selected: SelectedFiles
  readonly verb: string
  readonly loading: boolean
  readonly onMenu: (menu: FileMenuAnchor) => void
  readonly onFilter: () => void
  readonly onClearFilter: () => void
}

const NO_EDITOR = 'no editor with a window of its own was found. Set VISUAL to one and restart Driftline'
const NO_FOLDERS = 'the browser cannot show folders. Shift+Alt+C copies the full path'

/** Row heights, px; tokens.css: --file-row */
const ROW_PX = { comfortable: 26, compact: 24 } as const

export function FileTree(props: FileTreeProps) {
  const { tree, focus, selected, verb, loading } = props
  const { rows } = tree
  const density = useDensity()
  const files = useWorkspaceState(({ diff }) => diff?.files ?? NO_FILES)
  const path = useWorkspaceState(({ file }) => file?.path ?? null)
  const writing = useWorkspaceState((state) => state.writing)
  const comments = useWorkspaceState((state) => state.commentCounts)
  const undoDisabled = useWorkspaceState(restoreUnavailable)
  const { reviewed } = useReview()
  const allInferred = useMemo(() => files.every((file) => file.attribution === 'inferred'), [files])
  const commands = useFileCommands()
  const { drag } = useFileActions()
  const rowActions = useRowActions(props, commands, drag)
  const onKeyDown = useTreeKeys(props, commands)
  return (
    <VirtualList
      key={density}
      ref={focus.list}
      role="tree"
      label="Changed files"
      multiselectable
      className={loading ? 'tree late-dim' : 'tree'}
      items={rows}
      padding={6}
      keyOf={(row) => row.id}
      heightOf={() => ROW_PX[density]}
      alwaysRendered={[focus.at]}
      onKeyDown={onKeyDown}
      renderRow={(row, index) => (
        <FileRowView
          row={row}
          index={index}
          selected={isSelected(row, selected.paths, path)}
          focusable={index === focus.at}
          allInferred={allInferred}
          verb={verb}
          undoDisabled={undoDisabled}
          reviewed={row.kind === 'file' && reviewed.has(row.file.path)}
          comments={(row.kind === 'file' && comments.get(row.file.path)) || 0}
          writing={row.kind === 'file' && writing.has(row.file.path)}
          draggable={drag !== undefined && row.kind === 'file' && !isDeleted(row.file)}
          actions={rowActions}
        />
      )}
    />
  )
}

function isDeleted({ change }: FileChange): boolean {
  return change === 'deleted'
}

/** A folder is selected with all of its files; without a selection, the file in the diff is. */
function isSelected(row: Row, paths: ReadonlySet<string>, shown: string | null): boolean {
  if (paths.size === 0) return row.id === shown
  return row.kind === 'file' ? paths.has(row.file.path) : row.inside.every((path) => paths.has(path))
}

type Commands = ReturnType<typeof useFileCommands>
type Drag = ReturnType<typeof useFileActions>['drag']

/** What rows do: always the same object. */
function useRowActions({ tree, focus, selected, onMenu }: FileTreeProps, commands: Commands, drag: Drag) {
  const { store, actions } = useOpenWorkspace()
  const latest = useRef({ tree, focus, selected, commands, onMenu, drag })
  latest.current = { tree, focus, selected, commands, onMenu, drag }
  const [rowActions] = useState<FileRowActions>(() => ({
    focus: (row) => latest.current.focus.setId(row.id),
    press: (row, how) => {
      latest.current.focus.setId(row.id)
      latest.current.selected.select(row, how)
      if (row.kind === 'folder' && how !== 'alone') return
      if (row.kind === 'folder') latest.current.tree.toggleFolder(row.id, !row.open)
      else actions.pickFile(row.file.path)
    },
    openDiff: () => actions.goTo('diff'),
    undo: (row) => latest.current.commands.restore(pathsOf(row)),
    toggleReviewed: (path) => latest.current.commands['toggle-reviewed']([path]),
    menu: (row, anchor) => {
      const paths = latest.current.selected.actedOn(row)
      latest.current.focus.setId(row.id)
      if (row.kind === 'file' && paths.length === 1) {
        latest.current.selected.select(row, 'alone')
        actions.pickFile(row.file.path)
      }
      latest.current.onMenu({ paths, anchor })
    },
    drag: (row, event) => {
      const deleted = new Set(
        store
          .getState()
          .diff?.files.filter(isDeleted)
          .map(({ path }) => path)
      )
      latest.current.drag?.(
        event,
        latest.current.selected.actedOn(row).filter((path) => !deleted.has(path))
      )
    }
  }))
  return rowActions
}

function useTreeKeys(props: FileTreeProps, commands: Commands) {
  const { tree, focus, selected } = props
  const { rows } = tree
  const actions = useActions()
  const { letterKeys } = usePreferences()
  const goTo = (at: number) => {
    const row = rows[at]
    if (!row) return
    focus.setId(row.id)
    focus.list.current?.focusRow(at)
    if (row.kind === 'file') actions.pickFile(row.file.path)
  }
  const perform = usePerform(props, commands, goTo)
  return useListKeys({
    list: shapeOf(rows),
    at: focus.at,
    letters: letterKeys,
    isReserved: (event) => letterKeys && isCommandKey(event, 'files'),
    onMove: (to, extend) => {
      const row = rows[to]
      if (row) selected.select(row, extend ? 'range' : 'alone')
      goTo(to)
    },
    onExpand: (open) => tree.toggleFolder(rows[focus.at]?.id ?? '', open),
    onKey: (event) => {
      if (event.key === 'Escape' && selected.paths.size > 0) {
        event.stopPropagation()
        selected.clear()
        return true
      }
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
}

/** What a key does: something with the list, or with the files at the tab stop. */
function usePerform(
  { tree, focus, selected, onMenu, onFilter }: FileTreeProps,
  commands: Commands,
  goTo: (at: number) => void
) {
  const { store, actions } = useOpenWorkspace()
  const missing = useMissingCommands()
  const { reviewed } = useReview()
  const { rows } = tree
  /** Marking a file as reviewed moves on to the next one that is not. */
  const toggleReviewed = (paths: readonly string[]) => {
    commands['toggle-reviewed'](paths)
    const [path] = paths
    if (path === undefined || paths.length > 1 || reviewed.has(path)) return
    const files = store.getState().diff?.files ?? NO_FILES
    if (files.every((file) => file.path === path || reviewed.has(file.path))) announce(`${allReviewed(files.length)}.`)
    goTo(nextToReviewRow(rows, focus.at, reviewed))
  }
  const onList: Partial<Readonly<Record<FileListAction, () => void>>> = {
    mode: tree.toggleMode,
    filter: onFilter,
    'next-file': () => actions.stepFile(1),
    'prev-file': () => actions.stepFile(-1),
    'select-all': selected.selectAll
  }
  const onFile: FileCommands = {
    ...commands,
    editor: commands.editor ?? missing.editor,
    reveal: commands.reveal ?? missing.reveal,
    'toggle-reviewed': toggleReviewed,
    keep: commands.keep ?? toggleReviewed,
    menu: (paths) => {
      const element = focus.list.current?.element?.querySelector(`[data-index="${focus.at}"]`)
      if (element) onMenu({ paths, anchor: element.getBoundingClientRect() })
    }
  }
  return (action: FileListAction) => {
    const row = rows[focus.at]
    onList[action]?.()
    if (!row) return
    const opens = action === 'open-diff' || action === 'toggle-reviewed'
    const paths = selected.actedOn(row)
    if (row.kind === 'folder' && opens && paths.length === row.files) tree.toggleFolder(row.id, !row.open)
    else onFile[action]?.(action === 'open-diff' ? pathsOf(row) : paths)
  }
}

/** What keys say whose command this window does not have. */
function useMissingCommands(): Pick<FileCommands, 'editor' | 'reveal'> {
  const { host } = useDriftline()
  const toasts = useToasts()
  const explain = (text: string) => () => toasts.show({ id: 'unavailable', icon: 'info', text })
  const isElsewhere = host !== null && 'the files are on another computer'
  return {
    editor: explain(`Open in editor: ${isElsewhere || NO_EDITOR}.`),
    reveal: explain(`Show in folder: ${isElsewhere || NO_FOLDERS}.`)
  }
}
