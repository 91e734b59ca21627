/** Components in chunks of their own. */
import { type ComponentType, useEffect, useState } from 'react'

export type DeferredComponent<P extends object> = ComponentType<P> & {
  /** Loads it before it is shown. */
  readonly preload: () => void
}

/**
 * A component that is loaded when it is first shown, and draws nothing until then. React's `lazy` suspends even for a
 * chunk that is loaded, and `Suspense` waits 300 ms before it replaces what it drew meanwhile. An error of the load is
 * thrown while drawing; the next time the component is shown, it is loaded again.
 */
export function deferred<P extends object>(load: () => Promise<ComponentType<P>>): DeferredComponent<P> {
  let loaded: ComponentType<P> | null = null
  const loadOnce = async () => {
    loaded ??= await load()
  }
  function Deferred(props: P) {
    const [, setLoaded] = useState(loaded !== null)
    const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null)
    useEffect(() => {
      if (loaded) return
      loadOnce().then(
        () => setLoaded(true),
        (error: unknown) => setFailure({ error })
      )
    }, [])
    if (failure) throw failure.error
    const Loaded = loaded
    return Loaded && <Loaded {...props} />
  }
  // A failure is reported when the component is shown.
  return Object.assign(Deferred, { preload: () => void loadOnce().catch(() => {}) })
}
