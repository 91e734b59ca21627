/**
 * Visible panes, their widths, and moving the focus to them.
 * A hidden pane exists only after the next paint. The focus is moved at once and again then: at once, so that the next
 * key reaches a pane that is visible already.
 */
import type { Pane } from '../commands/state.ts'
import type { ActionDeps } from './action-deps.ts'
import { sideOf } from './derived.ts'
import { type Side, type Sizes, saveSizes } from './layout.ts'
import { focusPane } from './panes.ts'

export type PaneActions = ReturnType<typeof createPaneActions>

export function createPaneActions({ id, store, handles }: Pick<ActionDeps, 'id' | 'store' | 'handles'>) {
  const get = store.getState
  const resize = (change: Partial<Sizes>) => {
    const sizes = { ...get().sizes, ...change }
    saveSizes(id, sizes)
    store.setState({ sizes })
  }
  const goTo = (pane: Pane) => {
    const { layout, sizes } = get()
    const focus = () => (pane === 'timeline' ? handles.timeline.current?.focus() : focusPane(pane))
    const switchesSide = (pane === 'files' || pane === 'conversation') && pane !== sizes.side
    if (layout === 'tabs') store.setState({ tab: pane })
    else if (switchesSide) resize({ side: pane })
    if (pane === 'timeline' && layout === 'medium') store.setState({ drawer: true })
    if (pane === 'timeline' && layout === 'wide' && !sizes.timelineShown) resize({ timelineShown: true })
    focus()
    // A hidden pane is drawn with the next paint.
    if (layout !== 'wide' || !sizes.timelineShown || switchesSide) requestAnimationFrame(focus)
  }
  return {
    resize,
    /** Shows a pane in the layout with tabs. */
    setTab: (tab: Pane) => store.setState(tab === 'files' || tab === 'conversation' ? { tab, history: null } : { tab }),
    /** Chooses the content of the side pane. */
    setSide: (side: Side) => resize({ side }),
    closeDrawer: () => store.setState({ drawer: false }),
    toggleTimeline: () => {
      const { layout, sizes, drawer } = get()
      if (layout === 'wide') resize({ timelineShown: !sizes.timelineShown })
      else if (layout === 'medium') store.setState({ drawer: !drawer })
      else store.setState({ tab: 'timeline' })
    },
    /** Shows a pane and moves the focus to it. */
    goTo,
    /** [UI-7] One pane back: from the diff to the files or the conversation, from these to the timeline. */
    goBack: (from: Pane): boolean => {
      if (from === 'timeline' || get().history || get().replay) return false
      goTo(from === 'diff' ? sideOf(get()) : 'timeline')
      return true
    },
    /** Leaves the timeline for the pane that shows the selected row. */
    enterSelection: () => {
      const state = get()
      const node = state.selected?.node
      store.setState({ drawer: false })
      if (node?.kind === 'review') return store.setState({ review: node.run.session })
      goTo(node?.kind === 'plan' ? 'conversation' : sideOf(state))
    },
    focusFilter: () => {
      const { layout, sizes } = get()
      const isDrawn = layout === 'wide' && sizes.timelineShown
      const focus = () => handles.timeline.current?.focusFilter()
      goTo('timeline')
      focus()
      // A second time only where the timeline is drawn with the next paint: the focus may have moved on by then.
      if (!isDrawn) requestAnimationFrame(focus)
    }
  }
}
