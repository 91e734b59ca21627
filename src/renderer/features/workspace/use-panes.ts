/** Visible panes, their widths, and moving the focus to them. */
import { type RefObject, useEffect, useState } from 'react'
import type { Pane } from '../../commands/state.ts'
import type { TimelineHandle } from '../timeline/timeline.tsx'
import { type Layout, type Side, type Sizes, useLayout, useSizes } from './layout.ts'
import { focusPane } from './panes.ts'

export interface Panes {
  readonly layout: Layout
  readonly sizes: Sizes
  resize(change: Partial<Sizes>): void
  /** The visible pane in the layout with tabs. */
  readonly tab: Pane
  setTab(tab: Pane): void
  /** Content of the side pane if the selection has a conversation. */
  readonly side: Side
  setSide(side: Side): void
  /** Whether the timeline drawer is open. */
  readonly drawer: boolean
  closeDrawer(): void
  /** Whether the timeline is a column. */
  readonly column: boolean
  goTo(pane: Pane): void
  toggleTimeline(): void
}

export function usePanes(workspace: string, timeline: RefObject<TimelineHandle | null>): Panes {
  const layout = useLayout()
  const [sizes, resize] = useSizes(workspace)
  const [drawer, setDrawer] = useState(false)
  const [tab, setTab] = useState<Pane>('timeline')

  // Focus moves into the drawer; Escape or a press outside closes it.
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
      const switchesSide = (pane === 'files' || pane === 'conversation') && pane !== sizes.side
      if (layout === 'tabs') setTab(pane)
      else if (switchesSide) resize({ side: pane })
      if (pane === 'timeline' && layout === 'medium') setDrawer(true)
      if (pane === 'timeline' && layout === 'wide' && !sizes.timelineShown) resize({ timelineShown: true })
      focus()
      // A hidden pane is drawn with the next paint.
      if (layout !== 'wide' || !sizes.timelineShown || switchesSide) requestAnimationFrame(focus)
    },
    toggleTimeline: () => {
      if (layout === 'wide') resize({ timelineShown: !sizes.timelineShown })
      else if (layout === 'medium') setDrawer(!drawer)
      else setTab('timeline')
    }
  }
}
