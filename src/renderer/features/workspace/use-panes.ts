/** Which panes are shown, how wide they are, and how focus gets to them. */
import { type RefObject, useEffect, useState } from 'react'
import type { Pane } from '../../commands/state.ts'
import type { TimelineHandle } from '../timeline/timeline.tsx'
import { type Layout, type Side, type Sizes, useLayout, useSizes } from './layout.ts'
import { focusPane } from './panes.ts'

export interface Panes {
  readonly layout: Layout
  readonly sizes: Sizes
  resize(change: Partial<Sizes>): void
  /** The pane shown when there are tabs. */
  readonly tab: Pane
  setTab(tab: Pane): void
  /** What the middle shows where there is a choice. */
  readonly side: Side
  setSide(side: Side): void
  /** The timeline is open as a drawer. */
  readonly drawer: boolean
  closeDrawer(): void
  /** The timeline has a column of its own. */
  readonly column: boolean
  goTo(pane: Pane): void
  toggleTimeline(): void
}

export function usePanes(workspace: string, timeline: RefObject<TimelineHandle | null>): Panes {
  const layout = useLayout()
  const [sizes, resize] = useSizes(workspace)
  const [drawer, setDrawer] = useState(false)
  const [tab, setTab] = useState<Pane>('timeline')

  // Focus moves into the drawer; Escape and a press beside it leave it.
  useEffect(() => {
    if (!drawer) return
    const opener = document.activeElement
    requestAnimationFrame(() => timeline.current?.focus())
    const press = (event: PointerEvent) => {
      if (event.target instanceof Element && !event.target.closest('.drawer, .menu, .head')) setDrawer(false)
    }
    const key = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) setDrawer(false)
    }
    window.addEventListener('keydown', key)
    window.addEventListener('pointerdown', press)
    return () => {
      window.removeEventListener('keydown', key)
      window.removeEventListener('pointerdown', press)
      if (opener instanceof HTMLElement && opener.isConnected && document.activeElement === document.body)
        opener.focus()
    }
  }, [drawer, timeline])

  return {
    layout,
    sizes,
    resize,
    tab,
    setTab,
    side: layout === 'tabs' ? (tab === 'conversation' ? 'conversation' : 'files') : sizes.side,
    setSide: (side) => resize({ side }),
    drawer: drawer && layout === 'medium',
    closeDrawer: () => setDrawer(false),
    column: layout === 'wide' && sizes.timelineShown,
    goTo: (pane) => {
      const focus = () => (pane === 'timeline' ? timeline.current?.focus() : focusPane(pane))
      const other = (pane === 'files' || pane === 'conversation') && pane !== sizes.side
      if (layout === 'tabs') setTab(pane)
      else if (other) resize({ side: pane })
      if (pane === 'timeline' && layout === 'medium') setDrawer(true)
      if (pane === 'timeline' && layout === 'wide' && !sizes.timelineShown) resize({ timelineShown: true })
      focus()
      // A pane that was not shown is there after the next paint.
      if (layout !== 'wide' || !sizes.timelineShown || other) requestAnimationFrame(focus)
    },
    toggleTimeline: () => {
      if (layout === 'wide') resize({ timelineShown: !sizes.timelineShown })
      else if (layout === 'medium') setDrawer(!drawer)
      else setTab('timeline')
    }
  }
}
