/** Texts of comments that are not saved yet: kept in this browser, so that they survive a reload and a closed box. */
import { useCallback, useSyncExternalStore } from 'react'

const KEY = 'driftline.drafts'
/** The oldest ones are dropped. */
const MAX_DRAFTS = 100

type Drafts = readonly (readonly [key: string, text: string])[]

const listeners = new Set<() => void>()
let stored: Drafts | null = null

function read(): Drafts {
  if (stored) return stored
  try {
    const parsed: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    stored = Array.isArray(parsed) ? (parsed as Drafts) : []
  } catch (error) {
    // The stored value is not ours: start with none.
    if (!(error instanceof SyntaxError)) throw error
    stored = []
  }
  return stored
}

function write(key: string, text: string): void {
  const rest = read().filter(([each]) => each !== key)
  stored = (text.trim() === '' ? rest : [[key, text] as const, ...rest]).slice(0, MAX_DRAFTS)
  localStorage.setItem(KEY, JSON.stringify(stored))
  for (const listener of [...listeners]) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The draft under a key, "" for none, and its setter. */
export function useDraft(key: string): readonly [string, (text: string) => void] {
  const drafts = useSyncExternalStore(subscribe, read)
  const set = useCallback((text: string) => write(key, text), [key])
  return [drafts.find(([each]) => each === key)?.[1] ?? '', set]
}

/** Keys of all drafts; the same array until one changes. */
export function useDraftKeys(): Drafts {
  return useSyncExternalStore(subscribe, read)
}
