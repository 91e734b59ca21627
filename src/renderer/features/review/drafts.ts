/** Texts of comments that are not saved yet: kept in this browser, so that they survive a reload and a closed box. */
import { useCallback, useSyncExternalStore } from 'react'

const KEY = 'driftline.drafts'
/** The oldest ones are dropped. */
const MAX_DRAFTS = 100

type Drafts = readonly (readonly [key: string, text: string])[]

const listeners = new Set<() => void>()
let stored: Drafts | null = null

/** The drafts that a browser has stored; none if the value is not ours. */
export function readDrafts(text: string | null): Drafts {
  try {
    const parsed: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(parsed) ? (parsed as Drafts) : []
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return []
  }
}

/** With the newest one first; an empty text is no draft. */
export function withDraft(drafts: Drafts, key: string, text: string): Drafts {
  const rest = drafts.filter(([each]) => each !== key)
  return (text.trim() === '' ? rest : [[key, text] as const, ...rest]).slice(0, MAX_DRAFTS)
}

function read(): Drafts {
  stored ??= readDrafts(localStorage.getItem(KEY))
  return stored
}

function write(key: string, text: string): void {
  stored = withDraft(read(), key, text)
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
