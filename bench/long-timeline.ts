/**
 * A timeline of 10,000 runs in the browser: from opening it until its rows are painted, from a letter of the filter
 * until its matches are, and from the End key until the oldest run has the focus.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { BROWSER_SWITCHES, findBrowser } from '../test/support/browser.ts'
import { addOldRunsTo } from '../test/support/ui-history.ts'
import type { Figure } from './figure.ts'
import { startHost } from './host-process.ts'
import { openEngine, record, workspaceOf } from './recorded.ts'
import { inSeconds, median } from './statistics.ts'

const RUNS = 10_000

export const LONG_TIMELINE: Figure = {
  name: 'long-timeline',
  measure: async (setting) => {
    const browserPath = findBrowser()
    if (browserPath === undefined) {
      setting.log('  long-timeline skipped: no browser found; set DRIFTLINE_BROWSER')
      return []
    }
    const tree = setting.folder('project')
    writeFileSync(join(tree, 'a.txt'), 'a\n')
    const data = await record(setting, tree)
    const engine = await openEngine(data, false)
    const workspace = await workspaceOf(engine)
    await engine.close()
    addOldRunsTo(data, workspace, RUNS)
    const host = await startHost(data, { args: ['--folder', tree] })
    const browser = await chromium.launch({ executablePath: browserPath, args: [...BROWSER_SWITCHES] })
    try {
      const times = { open: [] as number[], filter: [] as number[], end: [] as number[] }
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
      await page.goto(host.url)
      await row(page, RUNS).waitFor()
      for (let n = 0; n < (setting.quick ? 2 : 6); n++) {
        await page.locator('.switcher').click()
        await page.getByRole('menuitem', { name: /All folders/ }).click()
        await page.getByRole('region', { name: 'Recent' }).waitFor()
        const opened = page.getByRole('region', { name: 'Recent' }).getByRole('button').first()
        times.open.push(await until(page, RUNS, () => opened.click()))
        const field = page.getByRole('textbox', { name: 'Filter the timeline' })
        times.filter.push(await until(page, 1799, () => field.fill('old run 1799')))
        await field.fill('')
        await row(page, RUNS).waitFor()
        await row(page, RUNS).focus()
        times.end.push(await until(page, 1, () => page.keyboard.press('End')))
      }
      const figure = (name: string, seconds: readonly number[], target: number) => ({
        figure: name,
        on: `${RUNS} runs, ${seconds.length} times`,
        ours: inSeconds(median(seconds)),
        theirs: '',
        result: inSeconds(median(seconds)),
        target: `<= ${inSeconds(target)}`,
        reached: median(seconds) <= target,
        note: `longest ${inSeconds(Math.max(...seconds))}; each with about two frames of the browser`,
        numbers: { seconds }
      })
      return [
        figure('timeline of 10,000 runs: opened', times.open, 0.3),
        figure('- filtered', times.filter, 0.1),
        figure('- End', times.end, 0.1)
      ]
    } finally {
      await browser.close()
      await host.stop()
    }
  }
}

function row(page: Page, run: number) {
  return page.getByRole('treeitem', { name: `Old run ${run},` })
}

/** Seconds from an act until a run is in the list, counted in the page. */
async function until(page: Page, run: number, act: () => Promise<void>): Promise<number> {
  await page.evaluate((text) => {
    const started = { at: 0 }
    const start = (): void => {
      started.at ||= performance.now()
    }
    for (const type of ['keydown', 'input', 'click']) addEventListener(type, start, { capture: true, once: true })
    const shown = new Promise<number>((resolve) => {
      const check = (): void => {
        const rows = [...document.querySelectorAll('[role=treeitem] > .sr')]
        if (started.at > 0 && rows.some((found) => found.textContent?.includes(text)))
          resolve((performance.now() - started.at) / 1000)
        else requestAnimationFrame(check)
      }
      requestAnimationFrame(check)
    })
    Object.assign(window, { shown })
  }, `Old run ${run},`)
  await act()
  return page.evaluate(() => (window as unknown as { shown: Promise<number> }).shown)
}
