/**
 * One live query: old data stays while new data loads, late replies to an earlier request are dropped, and bursts of
 * changes cause one fetch at a time with a pause between them.
 */
import { type ErrorShape, toErrorShape } from '../../contract/errors.ts'

export interface QueryState<T> {
  readonly data: T | null
  /** Whether `data` answers the current request; false for older data that is kept on screen. */
  readonly current: boolean
  /** A fetch has run for 150 ms: dim what is shown. */
  readonly loading: boolean
  readonly error: ErrorShape | null
}

export interface Query<T> {
  state(): QueryState<T>
  subscribe(listener: () => void): () => void
  /**
   * Starts a new request. `keep` keeps the old data until the new data arrives. `fetch` gets the current data of the
   * same request, null before there is any.
   */
  fetchWith(fetch: (data: T | null) => Promise<T>, keep: boolean): void
  /** Repeats the request; at most one fetch runs and one waits. */
  refetch(): void
  close(): void
}

const LOADING_AFTER_MS = 150
/** Least time between two fetches caused by changes. */
const PAUSE_MS = 250
/** Slow requests are repeated less often: the pause is this multiple of the fetch time. */
const PAUSE_TIMES = 4

export function createQuery<T>(): Query<T> {
  let state: QueryState<T> = { data: null, current: false, loading: false, error: null }
  let fetch: ((data: T | null) => Promise<T>) | null = null
  let generation = 0
  let running = false
  let again = false
  let loadingTimer: ReturnType<typeof setTimeout> | undefined
  let pauseTimer: ReturnType<typeof setTimeout> | undefined
  const listeners = new Set<() => void>()

  const set = (next: Partial<QueryState<T>>) => {
    state = { ...state, ...next }
    for (const listener of [...listeners]) listener()
  }
  const run = () => {
    if (!fetch) return
    const mine = ++generation
    const since = performance.now()
    running = true
    again = false
    clearTimeout(pauseTimer)
    pauseTimer = undefined
    clearTimeout(loadingTimer)
    loadingTimer = setTimeout(() => set({ loading: true }), LOADING_AFTER_MS)
    const settle = (next: Partial<QueryState<T>>) => {
      if (mine !== generation) return
      running = false
      clearTimeout(loadingTimer)
      set({ ...next, loading: false })
      pauseTimer = setTimeout(
        () => {
          pauseTimer = undefined
          if (again) run()
        },
        Math.max(PAUSE_MS, PAUSE_TIMES * (performance.now() - since))
      )
    }
    fetch(state.current ? state.data : null).then(
      (data) => settle({ data, current: true, error: null }),
      (error: unknown) => settle({ error: toErrorShape(error) })
    )
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    fetchWith(next, keep) {
      fetch = next
      set({ data: keep ? state.data : null, current: false, error: null, loading: state.loading && keep })
      run()
    },
    refetch() {
      if (running || pauseTimer !== undefined) again = true
      else run()
    },
    close() {
      generation++
      fetch = null
      clearTimeout(loadingTimer)
      clearTimeout(pauseTimer)
    }
  }
}
