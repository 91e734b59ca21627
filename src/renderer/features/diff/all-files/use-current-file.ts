/**
 * The current file of the scroll of all files: what is chosen in the list of files scrolls to it, and scrolling chooses
 * the file at the top. A file that a person chose, or whose text has the focus, stays the current one while it is visible.
 */
import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react'
import type { FileChange } from '../../../../contract/diff.ts'
import { useActions } from '../../../state/open-workspace.tsx'
import { whenIdle } from '../../../ui/free-time.ts'
import { SECTION_BAR_PX } from './fold.ts'
import type { SectionList } from './use-sections.ts'

interface ScrolledFiles {
  readonly files: readonly FileChange[]
  readonly path: string | null
  readonly virtual: SectionList
}

interface CurrentFileInput extends ScrolledFiles {
  readonly box: RefObject<HTMLDivElement | null>
}

export function useCurrentFile({ files, path, box, virtual }: CurrentFileInput) {
  const actions = useActions()
  /** Chosen, not found by scrolling. */
  const held = useRef<string | null>(null)
  const scrolledTo = useRef<string | null>(null)
  const lastTop = useRef(0)
  /** Each frame scrolls by more than half the viewport: files that are only passed are not loaded. */
  const flying = useRef(false)
  /** The file at the top is about to be chosen: not in the frame of the scroll, which it would delay. */
  const choosing = useRef(false)
  const latest = useRef<ScrolledFiles>({ files, path, virtual })
  latest.current = { files, path, virtual }

  const { pinned, toPinned } = usePinned(box, latest)
  const scrollToFile = useCallback(
    (target: string) => {
      held.current = target
      scrolledTo.current = null
      pinned.current = target
      toPinned()
    },
    [pinned, toPinned]
  )

  useLayoutEffect(() => {
    if (path === null || path === scrolledTo.current || path === held.current) return
    scrollToFile(path)
  }, [path, scrollToFile])

  const chooseTop = () => {
    choosing.current = false
    if (!box.current || pinned.current !== null || held.current !== null) return
    const { files: all, path: chosen, virtual: list } = latest.current
    const index = list.getVirtualItemForOffset(box.current.scrollTop + 1)?.index
    const atTop = index === undefined ? undefined : all[index]?.path
    if (atTop === undefined || atTop === chosen) return
    scrolledTo.current = atTop
    actions.pickFile(atTop)
  }
  const isVisible = (target: string, top: number, bottom: number): boolean => {
    const index = files.findIndex((file) => file.path === target)
    const item = virtual.measurementsCache[index]
    return item !== undefined && item.start < bottom && item.end > top + SECTION_BAR_PX
  }
  return {
    flying,
    /** Makes a file the current one without scrolling to it. */
    hold: (target: string) => {
      held.current = target
      pinned.current = null
      scrolledTo.current = null
      if (latest.current.path !== target) actions.pickFile(target)
    },
    /** A person scrolls by hand: what is at the top becomes current, unless the focus is in the current file. */
    release: () => {
      pinned.current = null
      const focused = document.activeElement?.closest<HTMLElement>('[data-path]')?.dataset.path
      if (held.current !== focused) held.current = null
    },
    scrolled: () => {
      const element = box.current
      if (!element) return
      const top = element.scrollTop
      flying.current = held.current === null && Math.abs(top - lastTop.current) > element.clientHeight / 2
      lastTop.current = top
      if (pinned.current !== null) return
      if (held.current !== null && isVisible(held.current, top, top + element.clientHeight)) return
      held.current = null
      if (choosing.current) return
      choosing.current = true
      whenIdle(chooseTop)
    },
    scrollToFile,
    /** To be called when a file is on screen. */
    shown: () => requestAnimationFrame(toPinned)
  }
}

/** The file that stays at the top of the view until the files near it are shown, whatever they turn out to measure. */
function usePinned(box: RefObject<HTMLDivElement | null>, latest: RefObject<ScrolledFiles>) {
  const pinned = useRef<string | null>(null)
  const toPinned = useCallback(() => {
    const { files: all, virtual: list } = latest.current
    const index = pinned.current === null ? -1 : all.findIndex((file) => file.path === pinned.current)
    const offset = index < 0 ? undefined : list.getOffsetForIndex(index, 'start')
    if (!box.current || !offset) return
    if (Math.abs(box.current.scrollTop - offset[0]) > 1) box.current.scrollTop = offset[0]
    const waiting = box.current.querySelector('.file-section:not([data-shown]):has([aria-expanded="true"])')
    if (!waiting) pinned.current = null
  }, [box, latest])
  // A measured file is rendered anew.
  useLayoutEffect(toPinned)
  return { pinned, toPinned }
}
