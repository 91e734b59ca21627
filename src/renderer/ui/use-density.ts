/** The row density that is set on <html>, for lists that need row heights as numbers. */
import { useSyncExternalStore } from 'react'

export type Density = 'comfortable' | 'compact'

export function useDensity(): Density {
  return useSyncExternalStore(watch, read)
}

function read(): Density {
  return document.documentElement.dataset.density === 'compact' ? 'compact' : 'comfortable'
}

function watch(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-density'] })
  return () => observer.disconnect()
}
