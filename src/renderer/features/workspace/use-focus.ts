/** Where the focus is: on something that keys work on, and in the open drawer. */
import { useEffect } from 'react'
import { hasColumn, isDrawerOpen, sideOf, tabOf } from '../../state/derived.ts'
import { useOpenWorkspace, useWorkspaceState } from '../../state/open-workspace.tsx'

/**
 * Keys work as soon as a workspace is shown: the focus is on its selected entry, or on its files without a timeline. So it is
 * once a window of another width has taken away what had the focus.
 */
export function useFocusWhenLost(): void {
  const { store, actions } = useOpenWorkspace()
  const ready = useWorkspaceState(
    (state) => state.selected !== null && !state.reveal && (hasColumn(state) || state.diff !== null)
  )
  const layout = useWorkspaceState((state) => state.layout)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new layout may have removed what had the focus.
  useEffect(() => {
    if (!ready || document.activeElement !== document.body) return
    const frame = requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return
      const state = store.getState()
      actions.goTo(state.layout === 'tabs' ? tabOf(state) : hasColumn(state) ? 'timeline' : sideOf(state))
    })
    return () => cancelAnimationFrame(frame)
  }, [ready, layout, store, actions])
}

/** Focus moves into the open drawer; Escape or a press outside closes it. */
export function useDrawer(): void {
  const { handles, actions } = useOpenWorkspace()
  const open = useWorkspaceState(isDrawerOpen)
  useEffect(() => {
    if (!open) return
    const focused = document.activeElement
    const opener = focused === document.body ? document.querySelector('[data-timeline-toggle]') : focused
    requestAnimationFrame(() => handles.timeline.current?.focus())
    const press = (event: PointerEvent) => {
      if (event.target instanceof Element && !event.target.closest('.drawer, .menu, .head')) actions.closeDrawer()
    }
    const key = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) actions.closeDrawer()
    }
    window.addEventListener('keydown', key)
    window.addEventListener('pointerdown', press)
    return () => {
      window.removeEventListener('keydown', key)
      window.removeEventListener('pointerdown', press)
      if (opener instanceof HTMLElement && opener.isConnected && document.activeElement === document.body)
        opener.focus()
    }
  }, [open, handles, actions])
}
