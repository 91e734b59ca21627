/** Tells when the theme changed: the person's choice on <html>, the system's own, or more contrast. */

/** Calls `onChange` after every change until the returned function runs. */
export function watchTheme(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class', 'style'] })
  const queries = ['(prefers-color-scheme: dark)', '(prefers-contrast: more)', '(forced-colors: active)'].map((query) =>
    matchMedia(query)
  )
  for (const query of queries) query.addEventListener('change', onChange)
  return () => {
    observer.disconnect()
    for (const query of queries) query.removeEventListener('change', onChange)
  }
}

/** True when the page is shown dark now. */
export function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme
  if (chosen === 'light' || chosen === 'dark') return chosen === 'dark'
  return matchMedia('(prefers-color-scheme: dark)').matches
}
