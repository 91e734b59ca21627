/** One browser for all pages of a test process: starting one takes longer than most tests. */
import { type Browser, chromium, type Page } from 'playwright-core'
import { BROWSER_SWITCHES, findBrowser } from './browser.ts'

let running: Promise<Browser> | undefined

/** A page in a profile of its own, which ends with the page; the browser ends with this process. */
export async function newPage(viewport: { width: number; height: number }): Promise<Page> {
  if (!(await running)?.isConnected())
    running = chromium.launch({ executablePath: findBrowser() ?? '', args: [...BROWSER_SWITCHES] })
  return (await (running as Promise<Browser>)).newPage({ viewport })
}
