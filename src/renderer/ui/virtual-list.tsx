/**
 * A virtual list: only visible rows exist. Row heights are known, or measured when rows become visible.
 *
 * Three things hold for every list: what is pressed stays in its place until the click (useHeldWhilePressed), the first
 * visible row stays where it is when rows above it change (scroll-anchor.ts), and the row that is the tab stop exists at
 * every scroll position.
 */
import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef
} from 'react'
import { useScrollAnchor } from './scroll-anchor.ts'
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
  /** Indexes that are rendered at every scroll position: the tab stop, else Tab could not enter the list; -1 for none. */
  readonly alwaysRendered?: readonly number[]
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

const NONE: readonly number[] = []

type ListVirtualizer = Virtualizer<HTMLDivElement, Element>

export function VirtualList<T>(given: VirtualListProps<T>) {
  const { props, press } = useHeldWhilePressed(given)
  const { items, keyOf, heightOf, padding = 0, alwaysRendered = NONE, measured = false } = props
  const box = useRef<HTMLDivElement>(null)
  const virtual: ListVirtualizer = useVirtualizer({
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
      const others = alwaysRendered.filter((at) => at >= 0 && at < items.length && !visible.includes(at))
      return others.length === 0 ? visible : [...new Set([...visible, ...others])].sort((a, b) => a - b)
    }
  })
  // Heights depend on the rows, so a changed list is measured again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new list changes heights.
  useLayoutEffect(() => {
    if (!measured) virtual.measure()
  }, [items, virtual])
  const saveAnchor = useScrollAnchor(box, virtual, { items, keyOf, measured })
  useHandle(props, box, virtual)
  // Computes the range, which the edges are read from.
  const rows = virtual.getVirtualItems()
  useEdges(props, virtual)

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
            {props.renderRow(items[row.index] as T, row.index)}
          </div>
        ))}
      </div>
    </div>
  )
}

/**
 * A row that moved away before the release would not be clicked, and the one in its place would be. All props are held
 * with the rows, because their functions belong to these rows. The same rows take new functions at once: a key that
 * follows a press must reach the row that the press focused.
 */
function useHeldWhilePressed<T>(given: VirtualListProps<T>) {
  const { pressed, press } = usePressed()
  const held = useRef(given)
  if (!pressed || given.items === held.current.items) held.current = given
  return { props: held.current, press }
}

/** What the list's owner may do: scroll to a row, and focus one. */
function useHandle<T>(props: VirtualListProps<T>, box: RefObject<HTMLDivElement | null>, virtual: ListVirtualizer) {
  const latest = useRef(props)
  latest.current = props
  /** Where the list was when a scroll began, which it hears of later. */
  const leftOffset = useRef<number | null>(null)
  useImperativeHandle(
    props.ref,
    () => ({
      reveal: (index, align = 'auto') => {
        // To scroll, it reads sizes, for which the page is laid out.
        const rests = leftOffset.current !== virtual.scrollOffset
        if (align === 'auto' && rests && !latest.current.measured && isInView(virtual, index)) return
        leftOffset.current = virtual.scrollOffset
        virtual.scrollToIndex(index, { align })
      },
      focusRow: (index) => {
        // A rendered row takes the focus at once, so that the next key press reaches it. Otherwise the list scrolls
        // first, and the row is found again by its key, because its index may have changed meanwhile.
        const item = latest.current.items[index]
        const key = item === undefined ? null : latest.current.keyOf(item, index)
        const focus = (tries: number) => {
          const at = latest.current.items.findIndex((candidate, i) => latest.current.keyOf(candidate, i) === key)
          const row = box.current?.querySelector<HTMLElement>(`[data-index="${at}"]`)
          if (row) row.focus({ preventScroll: true })
          else if (tries > 0) requestAnimationFrame(() => isFree() && focus(tries - 1))
        }
        focus(0)
        virtual.scrollToIndex(index, { align: 'auto' })
        // What gets the focus while the row is not drawn yet keeps it.
        const before = document.activeElement
        const isFree = () => document.activeElement === before || document.activeElement === document.body
        focus(10)
      },
      get element() {
        return box.current
      }
    }),
    [virtual, box]
  )
}

const NEAR_ROWS = 30

/** Reports when the first or last rows come near, and when the last one is on screen. */
function useEdges<T>({ items, onNearStart, onNearEnd, onEndVisible }: VirtualListProps<T>, { range }: ListVirtualizer) {
  const last = range?.endIndex ?? 0
  useEffect(() => {
    if (items.length > 0 && last >= items.length - NEAR_ROWS) onNearEnd?.()
  }, [last, items.length, onNearEnd])
  const first = range?.startIndex ?? NEAR_ROWS
  useEffect(() => {
    if (items.length > 0 && first < NEAR_ROWS) onNearStart?.()
  }, [first, items, onNearStart])
  const endVisible = items.length > 0 && last >= items.length - 1
  useEffect(() => onEndVisible?.(endVisible), [endVisible, onEndVisible])
}

function isInView(virtual: Virtualizer<HTMLDivElement, Element>, index: number): boolean {
  const { scrollPaddingStart: before, scrollPaddingEnd: after } = virtual.options
  const row = virtual.measurementsCache[index]
  const top = virtual.scrollOffset ?? 0
  const bottom = top + (virtual.scrollRect?.height ?? 0)
  return row !== undefined && row.start - before >= top && row.end + after <= bottom
}
