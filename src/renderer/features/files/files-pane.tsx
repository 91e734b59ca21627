/** The changed files of a run or a comparison: a tree or a list, with what was viewed and what is special. */
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { Client } from '../../../contract/api.ts'
import type { DiffResult, FileChange } from '../../../contract/diff.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { useHeldFocus } from '../../ui/held-focus.ts'
import { isTextField } from '../../ui/keys.ts'
import { announce } from '../../ui/live-region.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useDensity } from '../../ui/use-density.ts'
import { VirtualList, type VirtualListHandle } from '../../ui/virtual-list.tsx'
import { fileMenu } from './file-menu.ts'
import { stepFile } from './file-order.ts'
import { FileRowView } from './file-row.tsx'
import { type ListMode, parentsOf, type Row, rowsOf } from './file-rows.ts'
import { count } from './file-words.ts'
import { FilesEmpty } from './files-empty.tsx'
import { type CompareChoice, FilesFoot } from './files-foot.tsx'
import { FilesBar, FilesFilter, FilesSummary } from './files-head.tsx'
import { type Move, moveFor, nextToView, typeAhead } from './row-moves.ts'
import type { Selection } from './selection.ts'
import './files.css'

export interface FilesPaneProps {
  /** Instead of the pane's title. */
  readonly head?: ReactNode
  readonly client: Client
  readonly workspace: WorkspaceId
  readonly selection: Selection
  /** What else can be compared; without it the two sides are only named. */
  readonly compare?: CompareChoice
  readonly diff: DiffResult | null
  readonly loading: boolean
  readonly error: { readonly message: string } | null
  readonly selectedPath: string | null
  readonly onSelect: (path: string) => void
  readonly onOpenDiff: () => void
  readonly onRestoreFile: (path: string) => void
  /** Leaves a file as it was changed outside; null where nothing is under review. */
  readonly onAccept?: ((path: string) => void) | null
  /** Opens the history of a file. */
  readonly onVersions: (path: string) => void
  readonly viewed: ReadonlySet<string>
  /** Paths that are being written at this moment. */
  readonly writing: ReadonlySet<string>
  readonly onToggleViewed: (path: string) => void
  readonly onOpenInEditor?: (path: string) => void
  readonly onReveal?: (path: string) => void
  /** False when single letters are switched off in Settings (WCAG 2.1.4). */
  readonly letterKeys?: boolean
}

const MODE_KEY = 'driftline.files.mode'
/** tokens.css: --file-row */
const ROW_PX = { comfortable: 26, compact: 24 } as const
const TYPE_AHEAD_MS = 700
const NONE: readonly FileChange[] = []

export function FilesPane(props: FilesPaneProps) {
  const { selection, diff, loading, error, selectedPath, viewed, onSelect, onToggleViewed } = props
  const density = useDensity()
  const files = diff?.files ?? NONE
  const [mode, setMode] = useState<ListMode>(() => (localStorage.getItem(MODE_KEY) === 'list' ? 'list' : 'tree'))
  const [filter, setFilter] = useState('')
  const [filtering, setFiltering] = useState(false)
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [focusId, setFocusId] = useState<string | null>(null)
  const [menu, setMenu] = useState<{ path: string; anchor: DOMRect } | null>(null)
  const list = useRef<VirtualListHandle>(null)
  const filterField = useRef<HTMLInputElement>(null)
  const typed = useRef({ text: '', at: 0 })

  const rows = useMemo(() => rowsOf({ files, mode, filter, toggled }), [files, mode, filter, toggled])
  const quiet = useMemo(() => files.every((file) => file.attribution === 'inferred'), [files])
  const focusAt = Math.max(
    0,
    rows.findIndex((row) => row.id === focusId)
  )

  // A file selected from elsewhere is brought into sight: its folders open, its row takes the tab stop.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new selection moves the list.
  useEffect(() => {
    if (!selectedPath) return
    setFocusId(selectedPath)
    const shut = parentsOf(selectedPath).filter((id) => rows.some((r) => r.kind === 'folder' && r.id === id && !r.open))
    if (shut.length) setToggled((before) => new Map([...before, ...shut.map((id) => [id, true] as const)]))
    const at = rows.findIndex((row) => row.id === selectedPath)
    if (at < 0) return
    // Keys go on from the row that was selected, also where another row had focus that went with the last list.
    if (list.current?.element?.contains(document.activeElement)) list.current.focusRow(at)
    else list.current?.reveal(at)
  }, [selectedPath])

  const held = useHeldFocus(list, focusAt, rows)

  const setListMode = (next: ListMode) => {
    localStorage.setItem(MODE_KEY, next)
    setMode(next)
  }
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
  const toggle = (id: string, open: boolean) => setToggled((before) => new Map(before).set(id, open))

  const act = (move: Move, row: Row | undefined) => {
    if ('to' in move) return goTo(move.to)
    if ('toggle' in move) return toggle(move.toggle, move.open)
    if (move.act === 'mode') return setListMode(mode === 'tree' ? 'list' : 'tree')
    if (move.act === 'filter') {
      setFiltering(true)
      return requestAnimationFrame(() => filterField.current?.focus())
    }
    if (move.act === 'prev-file' || move.act === 'next-file') {
      const path = stepFile(files, selectedPath, move.act === 'next-file' ? 1 : -1)
      if (path) onSelect(path)
      return
    }
    if (row?.kind !== 'file') return
    const path = row.file.path
    if (move.act === 'view' || (move.act === 'keep' && !props.onAccept)) {
      onToggleViewed(path)
      if (viewed.has(path)) return
      const left = files.filter((file) => file.path !== path && !viewed.has(file.path)).length
      if (left === 0) announce(`All ${count(files.length, 'file')} reviewed.`)
      goTo(nextToView(rows, focusAt, viewed))
    } else if (move.act === 'restore') props.onRestoreFile(path)
    else if (move.act === 'versions') props.onVersions(path)
    else if (move.act === 'keep' && props.onAccept) props.onAccept(path)
    else if (move.act === 'editor') props.onOpenInEditor?.(path)
    else if (move.act === 'reveal') props.onReveal?.(path)
    else if (move.act === 'open-diff') {
      onSelect(path)
      props.onOpenDiff()
    } else if (move.act === 'copy') void navigator.clipboard?.writeText(path)
    else if (move.act === 'menu') {
      const element = list.current?.element?.querySelector(`[data-index="${focusAt}"]`)
      if (element) setMenu({ path, anchor: element.getBoundingClientRect() })
    }
  }

  const key = (event: KeyboardEvent<HTMLElement>) => {
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
    const now = Date.now()
    const going = now - typed.current.at < TYPE_AHEAD_MS ? typed.current.text : ''
    const isLetter = event.key.length === 1 && /[\p{L}\p{N}._-]/u.test(event.key) && !press.mod && !press.alt
    const move = going && isLetter ? null : moveFor(rows, focusAt, press, props.letterKeys ?? true)
    if (move) {
      event.preventDefault()
      act(move, rows[focusAt])
    } else if (isLetter) {
      typed.current = { text: going + event.key, at: now }
      const at = typeAhead(rows, focusAt, typed.current.text)
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
        onFilter={() => act({ act: 'filter' }, undefined)}
        onMode={() => act({ act: 'mode' }, undefined)}
      />
      {filtering ? (
        <FilesFilter
          value={filter}
          field={filterField}
          onChange={setFilter}
          onLeave={(stays) => {
            if (!stays) clearFilter()
            list.current?.focusRow(focusAt)
          }}
        />
      ) : (
        <FilesSummary files={files} viewed={viewed} />
      )}
      {loading ? <div className="loadbar late" role="progressbar" aria-label="Loading the list of files" /> : null}
      {error && diff ? (
        <div className="notice warn" role="status">
          <span>The list could not be brought up to date. {error.message}</span>
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
          keep={focusAt}
          onKeyDown={key}
          renderRow={(row, index) => (
            <FileRowView
              row={row}
              index={index}
              selected={row.id === selectedPath}
              focusable={index === focusAt}
              quiet={quiet}
              viewed={row.kind === 'file' && viewed.has(row.file.path)}
              writing={row.kind === 'file' && props.writing.has(row.file.path)}
              onFocus={() => setFocusId(row.id)}
              onPick={() => {
                setFocusId(row.id)
                if (row.kind === 'folder') toggle(row.id, !row.open)
                else onSelect(row.file.path)
              }}
              onOpen={() => row.kind === 'file' && props.onOpenDiff()}
              onRestore={() => row.kind === 'file' && props.onRestoreFile(row.file.path)}
              onToggleViewed={() => row.kind === 'file' && onToggleViewed(row.file.path)}
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
          items={fileMenu(menuFile, viewed.has(menuFile.path), {
            open: () => {
              onSelect(menuFile.path)
              props.onOpenDiff()
            },
            restore: () => props.onRestoreFile(menuFile.path),
            versions: () => props.onVersions(menuFile.path),
            ...(props.onAccept ? { accept: () => props.onAccept?.(menuFile.path) } : {}),
            view: () => onToggleViewed(menuFile.path),
            ...(props.onOpenInEditor ? { editor: () => props.onOpenInEditor?.(menuFile.path) } : {}),
            ...(props.onReveal ? { reveal: () => props.onReveal?.(menuFile.path) } : {}),
            copy: () => void navigator.clipboard?.writeText(menuFile.path)
          })}
        />
      ) : null}
    </aside>
  )
}
