/** Drops a folder on a page as a file manager does: real drag events with real files. */
import { basename } from 'node:path'
import type { Page } from 'playwright-core'

/** The drag operations that file managers offer for files. */
const [COPY, LINK, MOVE] = [1, 2, 16]

/** Drops the files or folders at a point of the page, by default its middle. */
export async function dropFiles(page: Page, paths: readonly string[], at?: { x: number; y: number }): Promise<void> {
  // The stand-in for Electron cannot ask the browser for a file's path; it looks it up here.
  await page.evaluate(
    (named) => {
      Object.assign(window, { electronShimPaths: named })
    },
    Object.fromEntries(paths.map((path) => [basename(path), path]))
  )
  const size = page.viewportSize() ?? (await page.evaluate(() => ({ width: innerWidth, height: innerHeight })))
  const { x, y } = at ?? { x: size.width / 2, y: size.height / 2 }
  const devTools = await page.context().newCDPSession(page)
  const data = { items: [], files: [...paths], dragOperationsMask: COPY | LINK | MOVE }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devTools.send('Input.dispatchDragEvent', { type, x, y, data })
  }
  await devTools.detach()
}
