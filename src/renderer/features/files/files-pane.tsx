/** The changed files of a run or a comparison, as a tree or a list, with the review state of each file. */

import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { Client } from '../../../contract/api.ts'
import type { DiffResult, FileChange } from '../../../contract/diff.ts'
import { plural } from '../../../contract/words/numbers.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { isTextField } from '../../ui/keys.ts'
import { announce } from '../../ui/live-region.tsx'
import { Menu } from '../../ui/menu.tsx'
import { usePreservedFocus } from '../../ui/preserved-focus.ts'
import { useDensity } from '../../ui/use-density.ts'
import { useTypeAhead } from '../../ui/use-type-ahead.ts'
import { VirtualList, type VirtualListHandle } from '../../ui/virtual-list.tsx'
import { type FileListAction, type FileListMove, fileListMove, nextToReviewRow, typeAhead } from './file-keys.ts'
import { fileMenu } from './file-menu.ts'
import { stepFile } from './file-order.ts'
import { FileRowView } from './file-row.tsx'
import type { Row } from './file-rows.ts'
import { FilesEmpty } from './files-empty.tsx'
import { type ComparisonPicker, FilesFoot } from './files-foot.tsx'
import { FilesBar, FilesFilter, FilesSummary } from './files-head.tsx'
import type { Selection } from './selection.ts'
import { useFileTree } from './use-file-tree.ts'
import './files.css'

export interface FilesPaneProps {
  /** Replaces the title of the pane. */
  readonly head?: ReactNode
  readonly client: Client
  readonly workspace: WorkspaceId
  readonly selection: Selection
  /** The menu of other comparisons; without it the two sides are only named. */
  readonly compare?: ComparisonPicker
  readonly diff: DiffResult | null
  readonly loading: boolean
  readonly error: { readonly message: string } | null
  readonly selectedPath: string | null
  readonly onSelect: (path: string) => void
  readonly onOpenDiff: () => void
  readonly onRestoreFile: (path: string) => void
  /** Accepts the outside changes of a file; null if none are under review. */
  readonly onAccept?: ((path: string) => void) | null
  /** Opens the history of a file. */
  readonly onVersions: (path: string) => void
  readonly reviewed: ReadonlySet<string>
  /** Paths that tools are writing now. */
  readonly writing: ReadonlySet<string>
  readonly onToggleReviewed: (path: string) => void
  readonly onOpenInEditor?: (path: string) => void
  readonly onReveal?: (path: string) => void
  /** False if single-letter shortcuts are turned off in Settings (WCAG 2.1.4). */
  readonly letterKeys?: boolean
}

/** Row heights, px; tokens.css: --file-row */
const ROW_PX = { comfortable: 26, compact: 24 } as const
const NONE: readonly FileChange[] = []

export function FilesPane(props: FilesPaneProps) {
  const { selection, diff, loading, error, selectedPath, reviewed, onSelect, onToggleReviewed, onAccept } = props
  const density = useDensity()
  const files = diff?.files ?? NONE
  const { rows, mode, toggleMode, filter, setFilter, toggleFolder, openParents } = useFileTree(files)
  const [filtering, setFiltering] = useState(false)
  const [focusId, setFocusId] = useState<string | null>(null)
  const [menu, setMenu] = useState<{ path: string; anchor: DOMRect } | null>(null)
  const list = useRef<VirtualListHandle>(null)
  const filterField = useRef<HTMLInputElement>(null)
  const typed = useTypeAhead()
  const verb = selection.run === undefined ? 'Restore' : 'Undo'

  const allInferred = useMemo(() => files.every((file) => file.attribution === 'inferred'), [files])
  const focusAt = Math.max(
    0,
    rows.findIndex((row) => row.id === focusId)
  )

  // A file selected elsewhere is revealed: its folders are opened, and its row becomes the tab stop.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new selection moves the list.
  useEffect(() => {
    if (!selectedPath) return
    setFocusId(selectedPath)
    openParents(selectedPath)
    const at = rows.findIndex((row) => row.id === selectedPath)
    if (at < 0) return
    // While the list has focus, focus moves to the selected row, so that keys continue from there.
    if (list.current?.element?.contains(document.activeElement)) list.current.focusRow(at)
    else list.current?.reveal(at)
  }, [selectedPath])

  const held = usePreservedFocus(list, focusAt, rows)

  const goTo = (at: number) => {
    const row = rows[at]
    if (!row) return
    setFocusId(row.id)
    list.current?.focusRow(at)
    if (row.kind === 'file') onSelect(row.file.path)
  }
  const clearFilter = () => {
    setFilter('')
    setFiltering(false)
  }
  const openFilter = () => {
    setFiltering(true)
    requestAnimationFrame(() => filterField.current?.focus())
  }
  const openDiff = (path: string) => {
    onSelect(path)
    props.onOpenDiff()
  }
  /** Marking a file as reviewed moves on to the next one that is not. */
  const toggleReviewed = (path: string) => {
    onToggleReviewed(path)
    if (reviewed.has(path)) return
    const remaining = files.filter((file) => file.path !== path && !reviewed.has(file.path)).length
    if (remaining === 0) announce(`All ${plural(files.length, 'file')} reviewed.`)
    goTo(nextToReviewRow(rows, focusAt, reviewed))
  }
  const step = (delta: 1 | -1) => {
    const path = stepFile(files, selectedPath, delta)
    if (path) onSelect(path)
  }
  const copyPath = (path: string) => void navigator.clipboard?.writeText(path)
  const openMenu = (path: string) => {
    const element = list.current?.element?.querySelector(`[data-index="${focusAt}"]`)
    if (element) setMenu({ path, anchor: element.getBoundingClientRect() })
  }
  const listActions: Partial<Readonly<Record<FileListAction, () => void>>> = {
    mode: toggleMode,
    filter: openFilter,
    'next-file': () => step(1),
    'prev-file': () => step(-1)
  }
  const fileActions: Partial<Readonly<Record<FileListAction, (path: string) => void>>> = {
    'toggle-reviewed': toggleReviewed,
    keep: onAccept ?? toggleReviewed,
    restore: props.onRestoreFile,
    versions: props.onVersions,
    editor: props.onOpenInEditor ?? doNothing,
    reveal: props.onReveal ?? doNothing,
    'open-diff': openDiff,
    copy: copyPath,
    menu: openMenu
  }
  const perform = (move: FileListMove, row: Row | undefined) => {
    if ('to' in move) return goTo(move.to)
    if ('toggle' in move) return toggleFolder(move.toggle, move.open)
    listActions[move.act]?.()
    if (row?.kind === 'file') fileActions[move.act]?.(row.file.path)
  }

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (isTextField(event.target) || event.defaultPrevented) return
    if (event.key === 'Escape' && filter !== '') {
      event.stopPropagation()
      clearFilter()
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
    const move = typed.pending() && isLetter ? null : fileListMove(rows, focusAt, press, props.letterKeys ?? true)
    if (move) {
      event.preventDefault()
      perform(move, rows[focusAt])
    } else if (isLetter) {
      const at = typeAhead(rows, focusAt, typed.append(event.key))
      if (at !== null) goTo(at)
    }
  }

  const menuFile = menu ? files.find((file) => file.path === menu.path) : undefined
  return (
    <aside className="files" aria-label="Changed files" {...held}>
      <FilesBar
        head={props.head}
        title={selection.drift ? 'Recorded → on disk' : 'Files'}
        files={diff ? files.length : null}
        mode={mode}
        filtering={filtering}
        onFilter={openFilter}
        onMode={toggleMode}
      />
      {filtering ? (
        <FilesFilter
          value={filter}
          field={filterField}
          onChange={setFilter}
          onLeave={(keep) => {
            if (!keep) clearFilter()
            list.current?.focusRow(focusAt)
          }}
        />
      ) : (
        <FilesSummary files={files} reviewed={reviewed} />
      )}
      {loading ? <div className="loadbar late" role="progressbar" aria-label="Loading the changed files" /> : null}
      {error && diff ? (
        <div className="notice warn" role="status">
          <span>Couldn’t refresh the list. {error.message}</span>
        </div>
      ) : null}
      {diff?.warning ? (
        <div className="notice warn">
          <span>{diff.warning}</span>
        </div>
      ) : null}
      {rows.length === 0 ? (
        <FilesEmpty
          error={error}
          loading={loading || !diff}
          filter={filter}
          isRun={selection.run !== undefined}
          onClear={clearFilter}
        />
      ) : (
        <VirtualList
          key={density}
          ref={list}
          role="tree"
          label="Changed files"
          className={loading ? 'tree late-dim' : 'tree'}
          items={rows}
          padding={6}
          keyOf={(row) => row.id}
          heightOf={() => ROW_PX[density]}
          alwaysRendered={focusAt}
          onKeyDown={onKeyDown}
          renderRow={(row, index) => (
            <FileRowView
              row={row}
              index={index}
              selected={row.id === selectedPath}
              focusable={index === focusAt}
              allInferred={allInferred}
              verb={verb}
              reviewed={row.kind === 'file' && reviewed.has(row.file.path)}
              writing={row.kind === 'file' && props.writing.has(row.file.path)}
              onFocus={() => setFocusId(row.id)}
              onSelect={() => {
                setFocusId(row.id)
                if (row.kind === 'folder') toggleFolder(row.id, !row.open)
                else onSelect(row.file.path)
              }}
              onOpen={() => row.kind === 'file' && props.onOpenDiff()}
              onRestore={() => row.kind === 'file' && props.onRestoreFile(row.file.path)}
              onToggleReviewed={() => row.kind === 'file' && onToggleReviewed(row.file.path)}
              onMenu={(anchor) => row.kind === 'file' && setMenu({ path: row.file.path, anchor })}
            />
          )}
        />
      )}
      <FilesFoot selection={selection} compare={props.compare} />
      {menu && menuFile ? (
        <Menu
          label={`Actions for ${menuFile.path}`}
          anchor={menu.anchor}
          onClose={() => setMenu(null)}
          items={fileMenu(menuFile, reviewed.has(menuFile.path), verb, {
            open: () => openDiff(menuFile.path),
            restore: () => props.onRestoreFile(menuFile.path),
            versions: () => props.onVersions(menuFile.path),
            ...(onAccept ? { accept: () => onAccept(menuFile.path) } : {}),
            toggleReviewed: () => onToggleReviewed(menuFile.path),
            ...(props.onOpenInEditor ? { editor: () => props.onOpenInEditor?.(menuFile.path) } : {}),
            ...(props.onReveal ? { reveal: () => props.onReveal?.(menuFile.path) } : {}),
            copy: () => copyPath(menuFile.path)
          })}
        />
      ) : null}
    </aside>
  )
}

const doNothing = () => {}
