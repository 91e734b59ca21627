/**
 * Scrolls a conversation to a place, also to one that is not loaded yet.
 * A goal is held until a row for it exists: every new list of rows tries again, and loads the part around the goal if
 * need be. The newest goal wins, and a message that was deleted ends its goal.
 */
import { type RefObject, useCallback, useEffect, useRef } from 'react'
import type { MessagePage } from '../../../contract/conversation.ts'
import type { MessageListHandle } from './message-list.tsx'
import type { MessageRow } from './message-rows.ts'
import { isLoaded } from './message-window.ts'
import type { Place } from './use-messages.ts'

/** A message, a row that is loaded or `near` a message, or the end of the conversation. */
type Goal =
  | { readonly seq: number; readonly focus?: boolean }
  | { readonly key: string; readonly near?: number; readonly focus?: boolean }
  | 'end'

/** Returns a function that goes to a goal; the newest one wins. */
export function useGoal(
  list: RefObject<MessageListHandle | null>,
  rows: readonly MessageRow[],
  page: MessagePage | null,
  jump: (place: Place) => void
): (goal: Goal) => void {
  const goal = useRef<Goal | null>(null)
  const latest = useRef({ rows, page, jump })
  latest.current = { rows, page, jump }
  const approach = useCallback(() => {
    const { rows: all, page: loaded, jump: load } = latest.current
    const to = goal.current
    if (to === null || !loaded) return
    const key = to === 'end' ? null : 'key' in to ? to.key : `m${to.seq}`
    const at = key === null ? (loaded.more.after ? -1 : all.length - 1) : all.findIndex((row) => row.key === key)
    if (at < 0) {
      const place = to === 'end' ? to : 'seq' in to ? to.seq : (to.near ?? null)
      // A message that is loaded and has no row was deleted.
      if (place === null || (place !== 'end' && isLoaded(loaded, place))) goal.current = null
      else load(place)
      return
    }
    goal.current = null
    if (to !== 'end' && 'focus' in to) list.current?.focus(at)
    else list.current?.show(at, to === 'end' ? 'end' : 'start')
  }, [list])
  // biome-ignore lint/correctness/useExhaustiveDependencies: new rows may hold the goal.
  useEffect(approach, [rows, approach])
  return useCallback(
    (next) => {
      goal.current = next
      approach()
    },
    [approach]
  )
}

/**
 * Goes to the selected row of the timeline when the selection changes. Returns a function that excepts the next
 * selection of a run, for one that is made in this pane.
 */
export function useSelectedPlace(
  goTo: (goal: Goal) => void,
  rows: readonly MessageRow[],
  page: MessagePage | null,
  selectionKey: string,
  placeOf: () => Goal
): (run: string) => void {
  const ignored = useRef<string | null>(null)
  const latest = useRef(placeOf)
  latest.current = placeOf
  const ready = page !== null && rows.length > 0
  useEffect(() => {
    if (!ready) return
    if (ignored.current !== null && selectionKey.includes(ignored.current)) {
      ignored.current = null
      return
    }
    goTo(latest.current())
  }, [goTo, selectionKey, ready])
  return (run) => {
    ignored.current = run
  }
}
