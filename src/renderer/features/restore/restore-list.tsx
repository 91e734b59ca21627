/** The files of a restore: what needs a decision, what cannot go back, what will change. Thousands stay smooth. */
import { type KeyboardEvent, type Ref, useImperativeHandle, useMemo, useRef, useState } from 'react'
import type { Choice } from '../../../contract/restore.ts'
import { announce } from '../../ui/live-region.tsx'
import type { MenuEntry } from '../../ui/menu.tsx'
import { VirtualList, type VirtualListHandle } from '../../ui/virtual-list.tsx'
import { CHOICE_WORDS, offeredChoices, type Parts, type PlanRow, planRows, type SectionId } from './plan-rows.ts'
import { RestoreRow } from './restore-row.tsx'

export interface RestoreListHandle {
  focus(): void
  /** The element is part of the list. */
  holds(target: EventTarget): boolean
}

interface RestoreListProps {
  readonly parts: Parts
  readonly selected: string | null
  readonly onSelect: (path: string) => void
  readonly onChoose: (paths: readonly string[], choice: Choice | null) => void
  /** Enter on a row: on to the preview. */
  readonly onEnter: () => void
  readonly ref?: Ref<RestoreListHandle>
}

const HEIGHT = { section: 36, decision: 42, cannot: 42, change: 26 } as const

export function RestoreList({ parts, selected, onSelect, onChoose, onEnter, ref }: RestoreListProps) {
  const [closed, setClosed] = useState<ReadonlySet<SectionId>>(new Set())
  const [focusId, setFocusId] = useState<string | null>(null)
  const list = useRef<VirtualListHandle>(null)
  const rows = useMemo(() => planRows(parts, closed), [parts, closed])
  const idOf = (row: PlanRow) => (row.kind === 'section' ? `section:${row.id}` : row.id)
  const wanted = focusId ?? selected
  const focusAt = Math.max(
    0,
    rows.findIndex((row) => idOf(row) === wanted)
  )
  useImperativeHandle(
    ref,
    () => ({
      focus: () => list.current?.focusRow(focusAt),
      holds: (target) => target instanceof Node && (list.current?.element?.contains(target) ?? false)
    }),
    [focusAt]
  )

  const goTo = (at: number) => {
    const row = rows[at]
    if (!row) return
    setFocusId(idOf(row))
    list.current?.focusRow(at)
    if (row.kind !== 'section') onSelect(row.id)
  }
  const fold = (id: SectionId, shut: boolean) =>
    setClosed((before) => {
      const next = new Set(before)
      if (shut) next.add(id)
      else next.delete(id)
      return next
    })
  const tick = (row: PlanRow) => {
    if (row.kind === 'change') onChoose([row.id], row.ticked ? 'keep' : null)
    else if (row.kind === 'section' && row.id === 'change') {
      onChoose(
        parts.changes.map((change) => change.id),
        row.ticked === 'all' ? 'keep' : null
      )
    } else if (row.kind === 'decision') {
      const offered = offeredChoices(row.conflict)
      const next = offered[(offered.indexOf(row.choice) + 1) % offered.length]
      if (next) {
        onChoose([row.id], next)
        announce(`${CHOICE_WORDS[next]}.`)
      }
    }
  }

  const key = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target instanceof HTMLButtonElement || event.metaKey || event.ctrlKey || event.altKey) return
    const row = rows[focusAt]
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: focusAt + 1,
      ArrowUp: focusAt - 1,
      j: focusAt + 1,
      k: focusAt - 1,
      PageDown: focusAt + 12,
      PageUp: focusAt - 12,
      Home: 0,
      End: rows.length - 1
    }
    const to = moves[event.key]
    if (to !== undefined) goTo(Math.max(0, Math.min(rows.length - 1, to)))
    else if (!row) return
    else if (event.key === ' ') tick(row)
    else if (event.key === 'Enter') {
      if (row.kind === 'section') fold(row.id, row.open)
      else onEnter()
    } else if (event.key === 'ArrowLeft' && row.kind === 'section' && row.open) fold(row.id, true)
    else if (event.key === 'ArrowRight' && row.kind === 'section' && !row.open) fold(row.id, false)
    else return
    event.preventDefault()
  }

  const bulk: readonly MenuEntry[] = [
    {
      id: 'keep',
      label: 'Keep mine',
      run: () =>
        onChoose(
          parts.decisions.map((row) => row.id),
          'keep'
        )
    },
    {
      id: 'merge',
      label: 'Merge where it is clean',
      disabled: parts.decisions.some((row) => row.conflict.mergeable) ? null : 'None of them merges cleanly',
      run: () =>
        onChoose(
          parts.decisions.filter((row) => row.conflict.mergeable).map((row) => row.id),
          'merge'
        )
    },
    {
      id: 'replace',
      label: 'Replace',
      run: () =>
        onChoose(
          parts.decisions.map((row) => row.id),
          'replace'
        )
    }
  ]
  return (
    <VirtualList
      ref={list}
      role="tree"
      label="Files in this restore"
      className="rlist"
      items={rows}
      keyOf={idOf}
      heightOf={(row) => HEIGHT[row.kind]}
      keep={focusAt}
      onKeyDown={key}
      renderRow={(row, index) => (
        <RestoreRow
          row={row}
          index={index}
          selected={row.kind !== 'section' && row.id === selected}
          focusable={index === focusAt}
          bulk={bulk}
          onFocus={() => setFocusId(idOf(row))}
          onPick={() => {
            setFocusId(idOf(row))
            if (row.kind === 'section') fold(row.id, row.open)
            else onSelect(row.id)
          }}
          onTick={() => tick(row)}
        />
      )}
    />
  )
}
