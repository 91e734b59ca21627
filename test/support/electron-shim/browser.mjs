// Chromium with one profile for all windows, without network access, with popups refused. A start that shows no window has none.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allWindows } from './windows.mjs'

let context
let firstPage
let launched

/**
 * Starts Chromium, once, and returns its DevTools URL. ELECTRON_SHIM_CHROMIUM is the program; its switches are Playwright's and those
 * of ELECTRON_SHIM_SWITCHES.
 */
export function launchBrowser() {
  launched ??= launch()
  return launched
}

async function launch() {
  // Half of what a start costs.
  const { chromium } = await import('playwright-core')
  const profile = mkdtempSync(join(tmpdir(), 'electron-shim-profile-'))
  process.on('exit', () => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }))
  context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.ELECTRON_SHIM_CHROMIUM,
    headless: process.env.ELECTRON_SHIM_HEADED !== '1',
    viewport: null,
    args: [...(process.env.ELECTRON_SHIM_SWITCHES?.split(' ') ?? []), '--remote-debugging-port=0']
  })
  firstPage = context.pages()[0]
  await context.route('**/*', askWindowOpenHandler)
  const [port, path] = readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n')
  return `ws://127.0.0.1:${port}${path}`
}

/** Creates a page for a new window. */
export async function newPage() {
  await launchBrowser()
  const page = firstPage ?? (await context.newPage())
  firstPage = undefined
  return page
}

export async function closeBrowser() {
  await context?.close().catch(() => {})
}

/** The first request of a page that no window created is a popup. The newest window's handler is asked; the popup never opens. */
async function askWindowOpenHandler(route) {
  const request = route.request()
  let page
  try {
    page = request.frame().page()
  } catch {
    // Expected: requests of workers, which have no frame.
    return route.continue()
  }
  if (allWindows().some((window) => window.page === page) || !request.isNavigationRequest()) return route.fallback()
  allWindows().at(-1)?.webContents.askToOpen(request.url())
  await route.abort('aborted')
  await page.close().catch(() => {})
}
