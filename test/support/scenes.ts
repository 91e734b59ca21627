/** Shows scenes in a page under test one after another: loading the page and Monaco for each takes longer than the tests. */
import type { ReactNode } from 'react'
import type { createRoot, Root } from 'react-dom/client'
import { loadMonaco } from '../../src/renderer/features/diff/load-monaco.ts'

export interface Scene {
  readonly content: ReactNode
  /** Ends what the scene started outside React. */
  readonly end?: () => void
}

/** What a scene may take to end. */
const END_MS = 10_000

/**
 * Shows the scene of the page's address, and makes `showScene(query)` replace it, as if the page were loaded anew. `makeRoot`:
 * React's, from its package as it ships or from the one that counts renders.
 */
export function showScenes(makeRoot: typeof createRoot, sceneOf: (query: URLSearchParams) => Scene): void {
  const host = document.getElementById('root')
  if (!host) throw new Error('the page has no #root')
  const { title } = document
  const own = new Set(document.body.children)
  let shown: { readonly scene: Scene; readonly root: Root }

  const show = () => {
    const scene = sceneOf(new URLSearchParams(location.search))
    const root = makeRoot(host)
    root.render(scene.content)
    shown = { scene, root }
  }
  const showScene = async (query: string) => {
    const monaco = host.querySelector('.monaco-editor') ? await loadMonaco() : null
    shown.root.unmount()
    shown.scene.end?.()
    const leftOvers = () =>
      [
        ...(monaco?.editor.getModels().map(({ uri }) => `the text ${uri}`) ?? []),
        ...(monaco?.editor.getEditors().map((editor) => `the editor ${editor.getId()}`) ?? []),
        // Monaco keeps the regions of its announcements and menus.
        ...[...document.body.querySelectorAll(':scope > :not(.monaco-aria-container, .context-view)')]
          .filter((element) => !own.has(element))
          .map((element) => element.outerHTML.slice(0, 200))
      ].join('\n')
    const until = performance.now() + END_MS
    while (leftOvers() !== '') {
      if (performance.now() > until) throw new Error(`The scene "${location.search}" left behind:\n${leftOvers()}`)
      await new Promise(requestAnimationFrame)
    }
    for (const { name } of [...document.documentElement.attributes])
      if (name !== 'lang') document.documentElement.removeAttribute(name)
    document.title = title
    localStorage.clear()
    sessionStorage.clear()
    history.replaceState(null, '', `?${query}`)
    show()
  }
  Object.assign(window, { showScene })
  show()
}
