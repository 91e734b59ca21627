/** A long list of rows of which only the visible ones exist; their heights are known, or measured as they come into sight. */
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

export interface VirtualListHandle {
  /** Scrolls as little as possible so that this row is seen, or so that it begins or ends what is seen. */
  reveal(index: number, align?: 'auto' | 'start' | 'end'): void
  /** Focuses the row with this index, scrolling to it first. Rows carry `data-index`. */
  focusRow(index: number): void
  readonly element: HTMLElement | null
}

interface VirtualListProps<T> {
  readonly items: readonly T[]
  readonly keyOf: (item: T, index: number) => string
  /** Height of a row, px; with `measured` only a first guess. */
  readonly heightOf: (item: T, index: number) => number
  /** Rows are as high as what is in them. Rows may then only come at the end. */
  readonly measured?: boolean
  readonly renderRow: (item: T, index: number) => ReactNode
  readonly className?: string
  readonly role?: 'tree' | 'listbox' | 'list'
  readonly label: string
  readonly multiselectable?: boolean
  /** A row that exists wherever the list is scrolled to: its tab stop, or keys would not find into the list. */
  readonly alwaysRendered?: number
  /** Inner space above the first and below the last row, px. */
  readonly padding?: number
  /** 0 for a list whose rows take no focus, so that keys can scroll it. */
  readonly tabIndex?: number
  readonly onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void
  /** Called when the last rows come near. */
  readonly onNearEnd?: () => void
  readonly onScroll?: (top: number) => void
  /** The last row came into sight, or went out of it. */
  readonly onEndVisible?: (seen: boolean) => void
  readonly ref?: Ref<VirtualListHandle>
}

const NEAR_END_ROWS = 30
/** Closer to the top than this, new rows are meant to come into sight. */
const ANCHOR_FROM_PX = 8

export function VirtualList<T>(props: VirtualListProps<T>) {
  const {
    items,
    keyOf,
    heightOf,
    renderRow,
    padding = 0,
    alwaysRendered = -1,
    measured = false,
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
      const seen = defaultRangeExtractor(range)
      return alwaysRendered < 0 || alwaysRendered >= items.length || seen.includes(alwaysRendered)
        ? seen
        : [...seen, alwaysRendered].sort((a, b) => a - b)
    }
  })
  // Heights follow from the rows, so a changed list is measured anew.
  // biome-ignore lint/correctness/useExhaustiveDependencies: items is what makes it necessary.
  useLayoutEffect(() => {
    if (!measured) virtual.measure()
  }, [items, virtual])

  // What the reader looks at stays where it is when rows come or go above it.
  const anchor = useRef<{ readonly key: string; readonly into: number } | null>(null)
  const latest = useRef(props)
  latest.current = props
  const remember = () => {
    const element = box.current
    if (measured || !element || element.scrollTop < ANCHOR_FROM_PX) {
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another list can move what is read.
  useLayoutEffect(() => {
    const element = box.current
    const held = anchor.current
    if (!element || !held) return
    let top = padding
    for (const [index, item] of items.entries()) {
      if (keyOf(item, index) === held.key) {
        const wanted = top + held.into
        if (Math.abs(wanted - element.scrollTop) > 1) virtual.scrollToOffset(wanted)
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
        // A row that exists takes focus at once, so that the next key already finds it there. One that has to be
        // scrolled to may stand elsewhere by then, when rows above it came or went: it is known by its key.
        const item = latest.current.items[index]
        const wanted = item === undefined ? null : latest.current.keyOf(item, index)
        const focus = (tries: number) => {
          const at = latest.current.items.findIndex((one, i) => latest.current.keyOf(one, i) === wanted)
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
    if (items.length > 0 && last >= items.length - NEAR_END_ROWS) onNearEnd?.()
  }, [last, items.length, onNearEnd])
  const endSeen = items.length > 0 && last >= items.length - 1
  useEffect(() => onEndVisible?.(endSeen), [endSeen, onEndVisible])

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
      onKeyDown={props.onKeyDown}
      onScroll={(event) => {
        remember()
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
