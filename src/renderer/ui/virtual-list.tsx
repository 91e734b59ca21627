/** A virtual list: only visible rows exist. Row heights are known, or measured when rows become visible. */
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef
} from 'react'
import { usePressed } from './use-pressed.ts'

export interface VirtualListHandle {
  /** Scrolls a row into view: as little as possible, or to the start or end of the list. */
  reveal(index: number, align?: 'auto' | 'start' | 'end'): void
  /** Focuses the row with this index, scrolling to it first. Rows carry `data-index`. */
  focusRow(index: number): void
  readonly element: HTMLElement | null
}

interface VirtualListProps<T> {
  readonly items: readonly T[]
  readonly keyOf: (item: T, index: number) => string
  /** Height of a row, px; with `measured` only an estimate. */
  readonly heightOf: (item: T, index: number) => number
  /** Measure row heights. */
  readonly measured?: boolean
  readonly renderRow: (item: T, index: number) => ReactNode
  readonly className?: string
  readonly role?: 'tree' | 'listbox' | 'list'
  readonly label: string
  readonly multiselectable?: boolean
  /** Index of the tab stop. It is rendered at every scroll position, else Tab could not enter the list. */
  readonly alwaysRendered?: number
  /** Inner space above the first and below the last row, px. */
  readonly padding?: number
  /** 0 for a list whose rows are not focusable, so that keys can scroll it. */
  readonly tabIndex?: number
  readonly onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void
  /** Called when the scroll position comes near the first rows. */
  readonly onNearStart?: (() => void) | undefined
  /** Called when the scroll position comes near the last rows. */
  readonly onNearEnd?: (() => void) | undefined
  readonly onScroll?: (top: number) => void
  /** Called when the last row becomes visible or hidden. */
  readonly onEndVisible?: (visible: boolean) => void
  readonly ref?: Ref<VirtualListHandle>
}

const NEAR_ROWS = 30
/** Closer to the top than this, new rows may scroll into view. */
const ANCHOR_FROM_PX = 8

export function VirtualList<T>(given: VirtualListProps<T>) {
  const { pressed, press } = usePressed()
  // A row that moved away before the release would not be clicked, and the one in its place would be. All props are
  // held with the rows, because their functions belong to these rows. The same rows take new functions at once: a key
  // that follows a press must reach the row that the press focused.
  const held = useRef(given)
  if (!pressed || given.items === held.current.items) held.current = given
  const props = held.current
  const {
    items,
    keyOf,
    heightOf,
    renderRow,
    padding = 0,
    alwaysRendered = -1,
    measured = false,
    onNearStart,
    onNearEnd,
    onEndVisible,
    ref
  } = props
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => heightOf(items[index] as T, index),
    getItemKey: (index) => keyOf(items[index] as T, index),
    paddingStart: padding,
    paddingEnd: padding,
    scrollPaddingStart: padding,
    scrollPaddingEnd: padding,
    overscan: 12,
    indexAttribute: 'data-row',
    rangeExtractor: (range) => {
      const visible = defaultRangeExtractor(range)
      return alwaysRendered < 0 || alwaysRendered >= items.length || visible.includes(alwaysRendered)
        ? visible
        : [...visible, alwaysRendered].sort((a, b) => a - b)
    }
  })
  // Heights depend on the rows, so a changed list is measured again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new list changes heights.
  useLayoutEffect(() => {
    if (!measured) virtual.measure()
  }, [items, virtual])

  // Scroll anchoring: the first visible row keeps its position when rows above it change.
  const anchor = useRef<{ readonly key: string; readonly into: number } | null>(null)
  const latest = useRef(props)
  latest.current = props
  const saveAnchor = () => {
    const element = box.current
    if (measured) {
      // Rows above may be added at any scroll position, because they are loaded when they come near.
      const row = element && virtual.getVirtualItems().find(({ end }) => end > element.scrollTop)
      anchor.current = row ? { key: String(row.key), into: element.scrollTop - row.start } : null
      return
    }
    if (!element || element.scrollTop < ANCHOR_FROM_PX) {
      anchor.current = null
      return
    }
    const { items: all, heightOf: height, keyOf: key } = latest.current
    let top = padding
    const index = all.findIndex((item, i) => {
      const end = top + height(item, i)
      if (end > element.scrollTop) return true
      top = end
      return false
    })
    const item = all[index]
    anchor.current = item === undefined ? null : { key: key(item, index), into: element.scrollTop - top }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new list can move the anchor.
  useLayoutEffect(() => {
    const element = box.current
    const saved = anchor.current
    if (!element || !saved) return
    let top = padding
    for (const [index, item] of items.entries()) {
      if (keyOf(item, index) === saved.key) {
        const offset = (measured ? (virtual.measurementsCache[index]?.start ?? top) : top) + saved.into
        if (Math.abs(offset - element.scrollTop) > 1) virtual.scrollToOffset(offset)
        return
      }
      top += heightOf(item, index)
    }
  }, [items])

  useImperativeHandle(
    ref,
    () => ({
      reveal: (index, align = 'auto') => virtual.scrollToIndex(index, { align }),
      focusRow: (index) => {
        // A rendered row takes the focus at once, so that the next key press reaches it. Otherwise the list scrolls
        // first, and the row is found again by its key, because its index may have changed meanwhile.
        const item = latest.current.items[index]
        const key = item === undefined ? null : latest.current.keyOf(item, index)
        const focus = (tries: number) => {
          const at = latest.current.items.findIndex((candidate, i) => latest.current.keyOf(candidate, i) === key)
          const row = box.current?.querySelector<HTMLElement>(`[data-index="${at}"]`)
          if (row) row.focus({ preventScroll: true })
          else if (tries > 0) requestAnimationFrame(() => focus(tries - 1))
        }
        focus(0)
        virtual.scrollToIndex(index, { align: 'auto' })
        focus(10)
      },
      get element() {
        return box.current
      }
    }),
    [virtual]
  )

  const rows = virtual.getVirtualItems()
  const last = virtual.range?.endIndex ?? 0
  useEffect(() => {
    if (items.length > 0 && last >= items.length - NEAR_ROWS) onNearEnd?.()
  }, [last, items.length, onNearEnd])
  const first = virtual.range?.startIndex ?? NEAR_ROWS
  useEffect(() => {
    if (items.length > 0 && first < NEAR_ROWS) onNearStart?.()
  }, [first, items, onNearStart])
  const endVisible = items.length > 0 && last >= items.length - 1
  useEffect(() => onEndVisible?.(endVisible), [endVisible, onEndVisible])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the role is given, a tree or a listbox when it takes keys.
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: multiselectable is given for trees and listboxes only.
    <div
      className={props.className}
      ref={box}
      role={props.role ?? 'list'}
      aria-label={props.label}
      aria-multiselectable={props.multiselectable}
      tabIndex={props.tabIndex}
      // While other rows wait for the release, the handler does not know the focus.
      onKeyDown={props === given ? props.onKeyDown : undefined}
      onPointerDown={(event) => {
        // On the list itself it is the scrollbar.
        if (event.target !== event.currentTarget) press()
      }}
      onScroll={(event) => {
        saveAnchor()
        props.onScroll?.(event.currentTarget.scrollTop)
      }}
    >
      <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {rows.map((row) => (
          <div
            role="presentation"
            key={row.key}
            data-row={row.index}
            ref={measured ? virtual.measureElement : undefined}
            style={{ position: 'absolute', left: 0, right: 0, top: 0, transform: `translateY(${row.start}px)` }}
          >
            {renderRow(items[row.index] as T, row.index)}
          </div>
        ))}
      </div>
    </div>
  )
}
