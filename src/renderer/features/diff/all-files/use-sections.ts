/**
 * The virtual list of files in the scroll of all files: only those near the view exist. A file has an estimated height
 * until its text is shown; whatever then changes above the view is compensated, so that nothing moves under the reader.
 */
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useMemo, useRef } from 'react'
import type { FileChange } from '../../../../contract/diff.ts'
import { useReview } from '../../../state/open-workspace.tsx'
import { useScrollAnchor } from '../../../ui/scroll-anchor.ts'
import { estimatedHeight, foldReason } from './fold.ts'
import { withAlways } from './section-range.ts'

export type SectionList = Virtualizer<HTMLDivElement, Element>

/** How far beyond the view files are loaded: views in both directions, and the most files in one. */
const AHEAD_VIEWS = 1.2
const AHEAD_FILES = 6

interface SectionsInput {
  readonly files: readonly FileChange[]
  readonly box: RefObject<HTMLDivElement | null>
  readonly isOpen: (path: string, reason: string | null) => boolean
  /** Indexes that exist at every scroll position: the current file, and the one with the focus. */
  readonly always: readonly number[]
}

export function useSections({ files, box, isOpen, always }: SectionsInput) {
  const { reviewed } = useReview()
  const rows = useMemo(
    () =>
      files.map((file) => {
        const reason = foldReason(file, reviewed.has(file.path))
        return { file, reason, open: isOpen(file.path, reason) }
      }),
    [files, reviewed, isOpen]
  )
  const list = useRef<SectionList | null>(null)
  const virtual: SectionList = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => {
      const row = rows[index]
      return row ? estimatedHeight(row.file, row.open) : 0
    },
    getItemKey: (index) => rows[index]?.file.path ?? index,
    indexAttribute: 'data-row',
    // Files are rendered long before they come into view: not inside the scroll event, which delays the frame.
    useFlushSync: false,
    rangeExtractor: ({ startIndex, endIndex }) =>
      withAlways(nearRange(list.current, startIndex, endIndex, rows.length), always, rows.length)
  })
  list.current = virtual
  // A file at the top edge grows upwards while it comes into view from above, else downwards.
  virtual.shouldAdjustScrollPositionOnItemSizeChange = ({ start, end }, _delta, { scrollOffset, scrollDirection }) => {
    const top = scrollOffset ?? 0
    return end <= top + 1 || (start < top && scrollDirection === 'backward')
  }
  const saveAnchor = useScrollAnchor(box, virtual, { items: files, keyOf: ({ path }) => path, measured: true })
  return { rows, virtual, saveAnchor }
}

/** The files in the viewport, and those near it on both sides. */
function nearRange(list: SectionList | null, start: number, end: number, count: number): number[] {
  const reach = AHEAD_VIEWS * (list?.scrollRect?.height ?? 800)
  const sizeOf = (index: number) => list?.measurementsCache[index]?.size ?? 0
  let first = start
  for (let px = 0; first > 0 && start - first < AHEAD_FILES && px < reach; first--) px += sizeOf(first - 1)
  let last = end
  for (let px = 0; last < count - 1 && last - end < AHEAD_FILES && px < reach; last++) px += sizeOf(last + 1)
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}
