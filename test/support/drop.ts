/** Drops a folder on a page as a file manager does: real drag events with real files. */
import { basename } from 'node:path'
import type { Page } from 'playwright-core'

/** The drag operations that file managers offer for files. */
const [COPY, LINK, MOVE] = [1, 2, 16]

/** A drag over the page. Each step resolves when the page has handled it. */
interface Drag {
  over(): Promise<void>
  drop(): Promise<void>
}

/** Drags the files or folders onto a point of the page. */
export async function dragFiles(
  page: Page,
  paths: readonly string[],
  { x, y }: { x: number; y: number }
): Promise<Drag> {
  // The stand-in for Electron cannot ask the browser for a file's path; it looks it up here.
  await page.evaluate(
    (named) => {
      Object.assign(window, { electronShimPaths: named })
    },
    Object.fromEntries(paths.map((path) => [basename(path), path]))
  )
  const devTools = await page.context().newCDPSession(page)
  const data = { items: [], files: [...paths], dragOperationsMask: COPY | LINK | MOVE }
  const send = async (type: 'dragEnter' | 'dragOver' | 'drop'): Promise<void> => {
    await devTools.send('Input.dispatchDragEvent', { type, x, y, data })
  }
  await send('dragEnter')
  return {
    over: () => send('dragOver'),
    drop: async () => {
      await send('drop')
      await devTools.detach()
    }
  }
}

/** Drops the files or folders at the middle of the page. */
export async function dropFiles(page: Page, paths: readonly string[]): Promise<void> {
  const size = page.viewportSize() ?? (await page.evaluate(() => ({ width: innerWidth, height: innerHeight })))
  const drag = await dragFiles(page, paths, { x: size.width / 2, y: size.height / 2 })
  await drag.over()
  await drag.drop()
}
