// Photographs every state of the gallery at four widths, light and dark, so that a person can look at all of them.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { createServer } from 'vite'
import { resize, STATES, WIDTHS } from '../test/gallery/states.ts'
import { root } from './node-choice.mjs'

const WIDE = { width: 1280, height: 800 }
const HEIGHT_PX = { 360: 740, 760: 800, 1280: 800, 2560: 1440 }

/**
 * Writes `NAME-WIDTH-THEME.png` for each state whose name contains `only`, at `widths` of WIDTHS.
 * Returns what could not be photographed.
 */
export async function photographStates(browser, out, only = '', widths = WIDTHS) {
  const states = STATES.filter(({ name }) => name.includes(only))
  if (states.length === 0)
    return [`no state has “${only}” in its name. There are: ${STATES.map(({ name }) => name).join(', ')}.`]
  mkdirSync(out, { recursive: true })
  const server = await createServer({
    configFile: false,
    root: join(root, 'test/gallery'),
    publicDir: join(root, 'src/renderer/public'),
    plugins: [react()],
    logLevel: 'error',
    worker: { format: 'es' },
    server: { fs: { allow: [root] }, host: '127.0.0.1', port: 0, watch: null }
  })
  await server.listen()
  const failures = []
  try {
    const page = await browser.newPage({ viewport: WIDE })
    page.setDefaultTimeout(60_000)
    await page.goto(`${server.resolvedUrls.local[0]}?${queryOf(states[0])}`, { timeout: 180_000 })
    for (const state of states) {
      try {
        await page.setViewportSize(WIDE)
        await show(page, state, server.resolvedUrls.local[0])
        await photograph(page, state, out, widths)
      } catch (error) {
        failures.push(`${state.name}: ${error.message.split('\n')[0]}`)
      }
    }
  } finally {
    await server.close()
  }
  return failures
}

/** As the browser tests do, the page and Monaco are loaded once; anew after a failure that left no page behind. */
async function show(page, state, url) {
  const isThere = await page.evaluate(() => 'showScene' in window).catch(() => false)
  if (isThere) await page.evaluate((query) => window.showScene(query), queryOf(state))
  else await page.goto(`${url}?${queryOf(state)}`, { timeout: 180_000 })
}

const queryOf = ({ variant }) => `variant=${variant}&host=browser`

/**
 * In the page: nothing loads, moves or changes any more, but clocks, and nothing is left to do when the page is idle: that is
 * when Monaco colours code.
 */
const untilSettled = () =>
  new Promise((settled) => {
    const QUIET_MS = 250
    let quietSince = performance.now()
    const isClock = ({ target }) => target.nodeType === Node.TEXT_NODE
    const observer = new MutationObserver((changes) => {
      if (!changes.every(isClock)) quietSince = performance.now()
    })
    observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
    const isBusy = () =>
      document.querySelector('.diff-body[aria-busy="true"]') !== null ||
      document.getAnimations().length > 0 ||
      performance.now() - quietSince < QUIET_MS
    const look = () => {
      if (isBusy()) return requestAnimationFrame(look)
      const since = quietSince
      const ifStillQuiet = () => {
        if (quietSince !== since || isBusy()) return look()
        observer.disconnect()
        settled()
      }
      // Chromium without a window may stop to call back when it is idle, for good.
      requestIdleCallback(ifStillQuiet, { timeout: 1000 })
    }
    look()
  })

async function photograph(page, state, out, widths) {
  const { name, variant, enter } = state
  await enter?.(page)
  // It says so after a while.
  if (variant === 'disconnected') await page.getByRole('region', { name: 'Notice' }).waitFor()
  // No tooltip lies over what is to be seen.
  await page.mouse.move(0, 0)
  // The bar of a pane that loads is shown after a moment.
  await page.waitForTimeout(300)
  // The state was entered at this width, so it comes first.
  for (const width of widths.toSorted((a, b) => (b === WIDE.width) - (a === WIDE.width))) {
    await resize(page, state, width, HEIGHT_PX[width])
    if (!state.isDrag) await page.mouse.move(0, 0)
    for (const theme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      // Cut off, the window goes on waiting.
      if (variant !== 'disconnected') await page.evaluate(untilSettled)
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      // Vite loads the page anew when it finds another package to prepare.
      if ((await page.locator('#root > *').count()) === 0) throw new Error('the page was loaded anew; run this again')
      await page.screenshot({ path: join(out, `${name.replaceAll(/[^\w-]+/g, '-')}-${width}-${theme}.png`) })
    }
  }
}
