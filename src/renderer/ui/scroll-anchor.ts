/**
 * Scroll anchoring of a virtual list: the first visible row keeps its place on the screen when the rows above it change.
 * The browser's own anchoring follows elements, and those of a virtual list are replaced. Owns one anchor: the key of
 * that row, saved at each scroll and looked up again in each new list.
 */
import type { Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Closer to the top than this, px, new rows may scroll into view. */
const ANCHOR_FROM_PX = 8

interface AnchoredRows<T> {
  readonly items: readonly T[]
  readonly keyOf: (item: T, index: number) => string
  /** Rows above may be added at any scroll position, because they are loaded when they come near. */
  readonly measured: boolean
}

/** Returns the function that saves the anchor; call it at each scroll. */
export function useScrollAnchor<T>(
  box: RefObject<HTMLElement | null>,
  virtual: Virtualizer<HTMLDivElement, Element>,
  { items, keyOf, measured }: AnchoredRows<T>
): () => void {
  const anchor = useRef<{ readonly key: unknown; readonly into: number; readonly start: number } | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new list can move the anchor.
  useLayoutEffect(() => {
    const element = box.current
    const saved = anchor.current
    if (!element || !saved) return
    const start = virtual.measurementsCache[items.findIndex((item, index) => keyOf(item, index) === saved.key)]?.start
    // Where nothing above it changed, its place is not read: the page would be laid out for it.
    if (start === undefined || (!measured && start === saved.start)) return
    const offset = start + saved.into
    if (Math.abs(offset - element.scrollTop) > 1) virtual.scrollToOffset(offset)
  }, [items])
  return () => {
    const top = box.current?.scrollTop ?? 0
    const row = measured || top >= ANCHOR_FROM_PX ? virtual.getVirtualItemForOffset(top) : undefined
    // A row higher than the list is no place to hold: what is read in it moves as it shrinks.
    const isPlace = row && row.size <= (box.current?.clientHeight ?? 0)
    anchor.current = isPlace ? { key: row.key, into: top - row.start, start: row.start } : null
  }
}
