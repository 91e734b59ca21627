/** Loads Monaco once, after the first paint, so that the window is there before the editor is. */
import type * as Monaco from 'monaco-editor/editor'

let loading: Promise<typeof Monaco> | null = null

/** Monaco, loaded at the first call. A failed load is tried anew by the next call. */
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

/** Starts loading when the browser has nothing better to do. */
export function warmMonaco(): void {
  const later = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200))
  later(() => void loadMonaco().catch(() => {}))
}
