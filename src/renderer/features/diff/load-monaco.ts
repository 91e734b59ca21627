/** Loads Monaco once, after the first paint, so that the window does not wait for the editor. */
import type * as Monaco from 'monaco-editor/editor'

let loading: Promise<typeof Monaco> | null = null

/** Loads Monaco at the first call. After a failure the next call tries again. */
export function loadMonaco(): Promise<typeof Monaco> {
  loading ??= import('./monaco.ts').then(
    (module) => module.monaco,
    (error: unknown) => {
      loading = null
      throw error
    }
  )
  return loading
}

/** Starts loading when the browser is idle; `next` is called when it is idle after that. */
export function preloadMonaco(next: () => void = () => {}): void {
  const whenIdle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200))
  const then = () => void whenIdle(() => next())
  whenIdle(() => void loadMonaco().then(then, () => {}))
}
