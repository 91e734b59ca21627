/**
 * The layout for the window width, and the pane widths. They fit one screen, so this browser stores them, per workspace.
 */
import { useSyncExternalStore } from 'react'

/** `wide`: three panes. `medium`: the timeline is a drawer. `tabs`: one pane at a time. */
export type Layout = 'wide' | 'medium' | 'tabs'

const WIDE = '(min-width: 1100px)'
const LARGE = '(min-width: 1600px)'
const MEDIUM = '(min-width: 760px)'

export function layoutNow(): Layout {
  return matchMedia(WIDE).matches ? 'wide' : matchMedia(MEDIUM).matches ? 'medium' : 'tabs'
}

export function watchLayout(changed: (layout: Layout) => void): () => void {
  const listening = new AbortController()
  for (const query of [matchMedia(WIDE), matchMedia(MEDIUM)])
    query.addEventListener('change', () => changed(layoutNow()), { signal: listening.signal })
  return () => listening.abort()
}

export const TIMELINE = { initial: 284, initialLarge: 356, min: 220, max: 480 } as const
/** Width of the timeline until a person changes it, px: titles are sentences, and a large window has room for them. */
export function useTimelineDefault(): number {
  return useSyncExternalStore(watchLarge, isLarge) ? TIMELINE.initialLarge : TIMELINE.initial
}

const isLarge = (): boolean => matchMedia(LARGE).matches

function watchLarge(changed: () => void): () => void {
  const query = matchMedia(LARGE)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

export const FILES = { initial: 264, initialNarrow: 236, min: 200, max: 420 } as const
export const CONVERSATION = { initial: 348, initialNarrow: 320, min: 260, max: 600 } as const

/** Content of the pane between timeline and diff. */
export type Side = 'files' | 'conversation'

export interface Sizes {
  /** null: the default of the window. */
  readonly timeline: number | null
  /** null: the default of the layout. */
  readonly files: number | null
  readonly conversation: number | null
  readonly side: Side
  readonly timelineShown: boolean
}

const DEFAULT: Sizes = {
  timeline: null,
  files: null,
  conversation: null,
  side: 'files',
  timelineShown: true
}

const keyOf = (workspace: string) => `driftline.panes.${workspace}`

export function loadSizes(workspace: string): Sizes {
  try {
    return { ...DEFAULT, ...(JSON.parse(localStorage.getItem(keyOf(workspace)) ?? '{}') as Partial<Sizes>) }
  } catch (error) {
    // The stored value is not ours: use the defaults.
    if (error instanceof SyntaxError) return DEFAULT
    throw error
  }
}

export function saveSizes(workspace: string, sizes: Sizes): void {
  localStorage.setItem(keyOf(workspace), JSON.stringify(sizes))
}
