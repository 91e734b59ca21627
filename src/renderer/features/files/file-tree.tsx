/** The rows of the changed files: keyboard, selection and row actions. */
import { type KeyboardEvent, useMemo, useRef } from 'react'
import { plural } from '../../../contract/words/numbers.ts'
import { usePreferences } from '../../app/preferences.tsx'
import { isTextField } from '../../ui/keys.ts'
import { announce } from '../../ui/live-region.tsx'
import { useDensity } from '../../ui/use-density.ts'
import { useTypeAhead } from '../../ui/use-type-ahead.ts'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { useFileActions, useOpenWorkspace, useReview, useWorkspaceState } from '../workspace/state/context.tsx'
import { NO_FILES } from '../workspace/state/store.ts'
import { type FileListAction, type FileListMove, fileListMove, nextToReviewRow, typeAhead } from './file-keys.ts'
import { type FileRowActions, FileRowView } from './file-row.tsx'
import type { Row } from './file-rows.ts'
import type { FileFocus, FileTreeState } from './use-file-tree.ts'

/** The anchor of the open file menu. */
export interface FileMenuAnchor {
  readonly path: string
  readonly anchor: DOMRect
}

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
  const files = useWorkspaceState(({ diff }) => diff?.files ?? NO_FILES)
  const path = useWorkspaceState(({ file }) => file?.path ?? null)
  const writing = useWorkspaceState((state) => state.writing)
  const { reviewed } = useReview()
  const allInferred = useMemo(() => files.every((file) => file.attribution === 'inferred'), [files])
  const { rowActions, perform } = useTreeActions(props)
  const onKeyDown = useTreeKeys(props, perform)
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
  const fileActions = useFileActions()
  const review = useReview()
  const { rows } = tree
  const latest = useRef({ tree, focus, review, fileActions, onMenu })
  latest.current = { tree, focus, review, fileActions, onMenu }
  const rowActions = useMemo<FileRowActions>(
    () => ({
      focus: (row) => latest.current.focus.setId(row.id),
      select: (row) => {
        latest.current.focus.setId(row.id)
        if (row.kind === 'folder') latest.current.tree.toggleFolder(row.id, !row.open)
        else actions.pickFile(row.file.path)
      },
      openDiff: () => actions.goTo('diff'),
      undo: (path) => latest.current.fileActions.undo(path),
      toggleReviewed: (path) => latest.current.review.setReviewed(path, !latest.current.review.reviewed.has(path)),
      menu: (path, anchor) => latest.current.onMenu({ path, anchor })
    }),
    [actions]
  )

  const goTo = (at: number) => {
    const row = rows[at]
    if (!row) return
    focus.setId(row.id)
    focus.list.current?.focusRow(at)
    if (row.kind === 'file') actions.pickFile(row.file.path)
  }
  /** Marking a file as reviewed moves on to the next one that is not. */
  const toggleReviewed = (path: string) => {
    const { reviewed } = review
    rowActions.toggleReviewed(path)
    if (reviewed.has(path)) return
    const files = store.getState().diff?.files ?? NO_FILES
    const remaining = files.filter((file) => file.path !== path && !reviewed.has(file.path)).length
    if (remaining === 0) announce(`All ${plural(files.length, 'file')} reviewed.`)
    goTo(nextToReviewRow(rows, focus.at, reviewed))
  }
  const openMenu = (path: string) => {
    const element = focus.list.current?.element?.querySelector(`[data-index="${focus.at}"]`)
    if (element) onMenu({ path, anchor: element.getBoundingClientRect() })
  }
  const listActions: Partial<Readonly<Record<FileListAction, () => void>>> = {
    mode: tree.toggleMode,
    filter: onFilter,
    'next-file': () => actions.stepFile(1),
    'prev-file': () => actions.stepFile(-1)
  }
  const byPath: Partial<Readonly<Record<FileListAction, (path: string) => void>>> = {
    'toggle-reviewed': toggleReviewed,
    keep: fileActions.accept ?? toggleReviewed,
    restore: fileActions.undo,
    versions: (path) => actions.openHistory(path, 'change'),
    ...(fileActions.openInEditor ? { editor: fileActions.openInEditor } : {}),
    ...(fileActions.reveal ? { reveal: fileActions.reveal } : {}),
    'open-diff': (path) => {
      actions.pickFile(path)
      actions.goTo('diff')
    },
    copy: (path) => void navigator.clipboard?.writeText(path),
    menu: openMenu
  }
  const perform = (move: FileListMove) => {
    if ('to' in move) return goTo(move.to)
    if ('toggle' in move) return tree.toggleFolder(move.toggle, move.open)
    listActions[move.act]?.()
    const row: Row | undefined = rows[focus.at]
    if (row?.kind === 'file') byPath[move.act]?.(row.file.path)
  }
  return { rowActions, perform }
}

function useTreeKeys({ tree, focus, onClearFilter }: FileTreeProps, perform: (move: FileListMove) => void) {
  const { letterKeys } = usePreferences()
  const typed = useTypeAhead()
  return (event: KeyboardEvent<HTMLElement>) => {
    if (isTextField(event.target) || event.defaultPrevented) return
    if (event.key === 'Escape' && tree.filter !== '') {
      event.stopPropagation()
      onClearFilter()
      return
    }
    const onButton = event.target instanceof HTMLButtonElement
    if (onButton && (event.key === ' ' || event.key === 'Enter')) return
    const press = {
      key: event.key.length === 1 ? event.key.toLowerCase() : event.key,
      mod: event.metaKey || event.ctrlKey,
      shift: event.shiftKey,
      alt: event.altKey,
      code: event.code
    }
    const isLetter = event.key.length === 1 && /[\p{L}\p{N}._-]/u.test(event.key) && !press.mod && !press.alt
    const move = typed.pending() && isLetter ? null : fileListMove(tree.rows, focus.at, press, letterKeys)
    if (move) {
      event.preventDefault()
      perform(move)
    } else if (isLetter) {
      const at = typeAhead(tree.rows, focus.at, typed.append(event.key))
      if (at !== null) perform({ to: at })
    }
  }
}
