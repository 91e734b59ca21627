/**
 * One question to the engine that stays answered: old data stays while new data loads, late replies of an earlier
 * question are dropped, and bursts of changes cause one fetch at a time with a pause between them.
 */
import { type ErrorShape, toErrorShape } from '../../contract/errors.ts'

export interface QueryState<T> {
  readonly data: T | null
  /** True when `data` answers the present question, false when it is an older answer kept on screen. */
  readonly current: boolean
  /** A fetch has run for 150 ms: dim what is shown. */
  readonly loading: boolean
  readonly error: ErrorShape | null
}

export interface Query<T> {
  state(): QueryState<T>
  subscribe(listener: () => void): () => void
  /**
   * Asks a new question. `keep`: its answer replaces the shown one of the same kind, so keep that until then.
   * `fetch` is given the present answer to the same question, null before there is one.
   */
  fetchWith(fetch: (answer: T | null) => Promise<T>, keep: boolean): void
  /** Asks the same question again; at most one fetch is under way and one waits. */
  refetch(): void
  close(): void
}

const LOADING_AFTER_MS = 150
/** Least time between two fetches caused by changes. */
const PAUSE_MS = 250
/** A long answer is asked for less often: the pause is this many times what the fetch took. */
const PAUSE_TIMES = 4

export function createQuery<T>(): Query<T> {
  let state: QueryState<T> = { data: null, current: false, loading: false, error: null }
  let fetch: ((answer: T | null) => Promise<T>) | null = null
  let turn = 0
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
    const mine = ++turn
    const since = performance.now()
    running = true
    again = false
    clearTimeout(pauseTimer)
    pauseTimer = undefined
    clearTimeout(loadingTimer)
    loadingTimer = setTimeout(() => set({ loading: true }), LOADING_AFTER_MS)
    const settle = (next: Partial<QueryState<T>>) => {
      if (mine !== turn) return
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
      turn++
      fetch = null
      clearTimeout(loadingTimer)
      clearTimeout(pauseTimer)
    }
  }
}
