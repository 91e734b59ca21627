/** One browser for all pages of a test process: starting one takes longer than most tests. */
import { type Browser, chromium, type Page } from 'playwright-core'
import { findBrowser, TEST_SWITCHES } from './browser.ts'
import { slowDown } from './slow-pages.ts'

interface Size {
  readonly width: number
  readonly height: number
}

let running: Promise<Browser> | undefined

/** A page in a profile of its own, which ends with the page; the browser ends with this process. */
export async function newPage(viewport: Size): Promise<Page> {
  if (!(await running)?.isConnected())
    running = chromium.launch({ executablePath: findBrowser() ?? '', args: [...TEST_SWITCHES] })
  const page = await (await (running as Promise<Browser>)).newPage({ viewport })
  await slowDown(page)
  return page
}

/** Tabs that are not given to another user. */
const unshared = new WeakSet<Page>()

/** What is done to this tab cannot be undone, so it ends with its user. */
export function keepPrivate(page: Page): void {
  unshared.add(page)
}

/** The tab that waits for its next user. Its process has compiled the scripts of the address it showed last. */
let waiting: Page | undefined

/** A page as `newPage` makes it, in the tab that was given back before, if there is one: loading it takes half as long. */
export async function takeTab(viewport: Size): Promise<Page> {
  const page = waiting
  waiting = undefined
  if (!page || page.isClosed()) return newPage(viewport)
  await page.setViewportSize(viewport)
  return page
}

/**
 * Ends what the last user of the tab left: other tabs, what its page stored, the history, listeners and settings. The tab then shows
 * a picture of the same address, because a browser leaves the process and what it compiled for any other page.
 */
export async function giveBackTab(page: Page): Promise<void> {
  const { origin } = new URL(page.url())
  const picture =
    waiting || page.isClosed() || unshared.has(page) ? null : await page.goto(`${origin}/mark.svg`).catch(() => null)
  // The host may be gone.
  if (!picture) return page.close()
  const context = page.context()
  for (const other of context.pages()) if (other !== page) await other.close()
  page.removeAllListeners()
  await page.unrouteAll()
  await context.clearPermissions()
  await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: null, forcedColors: null, contrast: null })
  await page.evaluate(() => sessionStorage.clear())
  const devTools = await context.newCDPSession(page)
  await devTools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await devTools.send('Page.resetNavigationHistory')
  await devTools.detach()
  waiting = page
}
