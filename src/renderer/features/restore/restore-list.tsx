/** The files of a restore as a virtual tree: decisions, files that cannot be restored, changes. */
import { type Ref, useImperativeHandle, useMemo, useRef, useState } from 'react'
import type { Resolution } from '../../../contract/restore.ts'
import { resolutionLabel } from '../../../contract/words/resolutions.ts'
import { paneAction } from '../../commands/pane-keys.ts'
import { Icon } from '../../ui/icon.tsx'
import { announce } from '../../ui/live-region.tsx'
import type { MenuEntry } from '../../ui/menu.tsx'
import { useListKeys } from '../../ui/use-list-keys.ts'
import { VirtualList, type VirtualListHandle } from '../../ui/virtual-list.tsx'
import {
  type DecisionRow,
  offeredResolutions,
  type Parts,
  type PlanFile,
  type PlanRow,
  planRows,
  type Ticked
} from './plan-rows.ts'
import { RestoreRow } from './restore-row.tsx'
import './restore-list.css'

export interface RestoreListHandle {
  focus(): void
}

interface RestoreListProps {
  readonly parts: Parts
  readonly selected: string | null
  readonly onSelect: (path: string) => void
  readonly onResolve: (paths: readonly string[], choice: Resolution | null) => void
  /** Shows another side of a conflict in the preview. */
  readonly onNextSide: () => void
  /** Enter on a file: focus moves to the preview. */
  readonly onEnter: () => void
  readonly ref?: Ref<RestoreListHandle>
}

const HEIGHT = { section: 36, folder: 26, decision: 42, cannot: 42, change: 26 } as const

export function RestoreList({ parts, selected, onSelect, onResolve, onNextSide, onEnter, ref }: RestoreListProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [focusId, setFocusId] = useState<string | null>(null)
  const list = useRef<VirtualListHandle>(null)
  const [filter, setFilter] = useState('')
  const rows = useMemo(() => planRows(parts, closed, filter), [parts, closed, filter])
  const focusedId = focusId ?? selected
  const focusAt = Math.max(
    0,
    rows.findIndex((row) => row.id === focusedId)
  )
  useImperativeHandle(ref, () => ({ focus: () => list.current?.focusRow(focusAt) }), [focusAt])

  const setFolded = (id: string, folded: boolean) =>
    setClosed((before) => new Set(folded ? [...before, id] : [...before].filter((each) => each !== id)))
  const toggle = (row: PlanRow) => toggleRow(row, parts, onResolve)
  const onListKey = useRestoreKeys(rows, focusAt, {
    moveTo: (row, at) => {
      setFocusId(row.id)
      list.current?.focusRow(at)
      const file = fileOf(row)
      if (file) onSelect(file.id)
    },
    setFolded,
    toggle,
    onNextSide,
    onEnter
  })

  const bulkActions = bulkActionsOf(parts.decisions, onResolve)
  return (
    <>
      {parts.decisions.length + parts.cannot.length + parts.changes.length >= MANY_FILES ? (
        <RestoreFilter value={filter} onChange={setFilter} onLeave={() => list.current?.focusRow(focusAt)} />
      ) : null}
      <VirtualList
        ref={list}
        role="tree"
        label="Files in this restore"
        className="restore-list"
        items={rows}
        keyOf={(row) => row.id}
        heightOf={(row) => HEIGHT[row.kind]}
        alwaysRendered={[focusAt]}
        // Buttons in a row keep all of their keys.
        onKeyDown={(event) => event.target instanceof HTMLButtonElement || onListKey(event)}
        renderRow={(row, index) => (
          <RestoreRow
            row={row}
            index={index}
            selected={selected !== null && fileOf(row)?.id === selected}
            focusable={index === focusAt}
            bulkActions={bulkActions}
            onFocus={() => setFocusId(row.id)}
            onSelect={() => {
              setFocusId(row.id)
              const file = fileOf(row)
              if (file) onSelect(file.id)
              if (isFoldable(row)) setFolded(row.id, row.open)
            }}
            onToggle={() => toggle(row)}
          />
        )}
      />
    </>
  )
}

/** From this number of files on, finding one by eye takes too long. */
const MANY_FILES = 12

interface RestoreFilterProps {
  readonly value: string
  readonly onChange: (value: string) => void
  /** Moves the focus to the rows. */
  readonly onLeave: () => void
}

function RestoreFilter({ value, onChange, onLeave }: RestoreFilterProps) {
  return (
    <div className="restore-filter">
      <div className="field quiet">
        <Icon name="search" size="s" />
        <input
          aria-label="Filter the files of this restore"
          placeholder="Filter files"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => {
            // The first Escape clears the filter, the next one closes the dialog.
            if (event.key === 'Escape' && value !== '') onChange('')
            else if (event.key === 'ArrowDown' || (event.key === 'Enter' && !event.ctrlKey && !event.metaKey)) onLeave()
            else return
            event.preventDefault()
            event.stopPropagation()
          }}
        />
      </div>
    </div>
  )
}

function isFoldable(row: PlanRow | undefined): row is Extract<PlanRow, { open: boolean }> {
  return row?.kind === 'section' || row?.kind === 'folder'
}

/** What the preview shows for a row; for a folder, what is planned for the folder itself. */
function fileOf(row: PlanRow): PlanFile | null {
  if (row.kind === 'section') return null
  return row.kind === 'folder' ? row.own : row
}

interface RestoreKeyActions extends Pick<RestoreListProps, 'onNextSide' | 'onEnter'> {
  readonly moveTo: (row: PlanRow, at: number) => void
  readonly setFolded: (id: string, folded: boolean) => void
  readonly toggle: (row: PlanRow) => void
}

/** The keys of the list, for the row at `focusAt`. */
function useRestoreKeys(rows: readonly PlanRow[], focusAt: number, actions: RestoreKeyActions) {
  const row = rows[focusAt]
  return useListKeys({
    list: {
      length: rows.length,
      levelOf: (index) => rows[index]?.level ?? 1,
      isExpanded: (index) => (isFoldable(rows[index]) ? rows[index].open : null)
    },
    at: focusAt,
    letters: true,
    onMove: (at) => {
      const next = rows[at]
      if (next) actions.moveTo(next, at)
    },
    onExpand: (expand) => {
      if (isFoldable(row)) actions.setFolded(row.id, !expand)
    },
    onKey: (event) => {
      if (paneAction('dialogs', event, true) === 'next-side') {
        actions.onNextSide()
        return true
      }
      if (!row || event.metaKey || event.ctrlKey || event.altKey) return false
      if (event.key === ' ') actions.toggle(row)
      else if (event.key !== 'Enter') return false
      else if (isFoldable(row)) actions.setFolded(row.id, row.open)
      else actions.onEnter()
      return true
    }
  })
}

/** Space: a change, or all of a folder or section, is left out or taken in; a decision takes its next resolution. */
function toggleRow(row: PlanRow, parts: Parts, onResolve: RestoreListProps['onResolve']): void {
  if (row.kind === 'change') onResolve([row.id], row.ticked ? 'keep' : null)
  else if (row.kind === 'decision') {
    const offered = offeredResolutions(row.conflict)
    const next = offered[(offered.indexOf(row.resolution) + 1) % offered.length]
    if (next) {
      onResolve([row.id], next)
      announce(`${resolutionLabel(next, row.conflict)}.`)
    }
  } else if (row.kind === 'folder') {
    if (row.ticked !== null) toggleAll(row.inside, row.ticked)
  } else if (row.kind === 'section' && row.section === 'change') toggleAll(parts.changes, row.ticked)

  function toggleAll(files: readonly PlanFile[], ticked: Ticked): void {
    onResolve(
      files.map(({ id }) => id),
      ticked === 'all' ? 'keep' : null
    )
  }
}

/** The menu of all decisions at once. */
function bulkActionsOf(decisions: readonly DecisionRow[], onResolve: RestoreListProps['onResolve']): MenuEntry[] {
  const action = (id: Resolution, label: string, rows: readonly DecisionRow[]): MenuEntry => ({
    id,
    label,
    disabled: rows.length > 0 ? null : 'No file merges cleanly',
    run: () =>
      onResolve(
        rows.map((row) => row.id),
        id
      )
  })
  return [
    action('keep', 'Keep mine', decisions),
    action(
      'merge',
      'Merge where possible',
      decisions.filter((row) => row.conflict.mergeable)
    ),
    action('replace', 'Replace', decisions)
  ]
}
