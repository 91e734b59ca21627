/** A pane renders only if its own content changes. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Site, startSite } from '../../support/pages.ts'
import type { Panes } from '../diff/page/engine.ts'
import type { Renders } from './page/main.tsx'

declare const panes: Panes
declare const renders: Renders

/** Unoptimised React on a busy machine is slow to start. */
const SLOW_MS = 60_000

describe('renders', { timeout: SLOW_MS, tags: ['browser'] }, () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite('workspace')
    const { page } = await site.open('')
    // Before the scenes: a clock that shows another time once renders its pane.
    await page.clock.setFixedTime(new Date())
  }, 2 * SLOW_MS)
  afterAll(() => site?.close())

  /** The page at rest: nothing was rendered for half a second. Its time stands still. */
  async function open(query = ''): Promise<Page> {
    const { page } = await site.open(query)
    await page.waitForSelector('.diff-bar')
    let before = -1
    await expect
      .poll(
        async () => {
          const now = await page.evaluate(() => Object.values(renders).reduce((sum, count) => sum + count, 0))
          const rested = now === before
          before = now
          return rested
        },
        { interval: 500, timeout: SLOW_MS / 2 }
      )
      .toBe(true)
    return page
  }
  /** The renders of each pane while `act` and all its consequences run. */
  async function rendersDuring(page: Page, act: () => Promise<unknown>): Promise<Renders> {
    await page.evaluate(() => {
      for (const pane of Object.keys(renders) as (keyof Renders)[]) renders[pane] = 0
    })
    await act()
    await page.waitForTimeout(600)
    return page.evaluate(() => ({ ...renders }))
  }

  test('typing in the filter renders the timeline only', async () => {
    const page = await open()
    const counted = await rendersDuring(page, () => page.getByLabel('Filter the timeline').pressSequentially('add'))
    expect(counted).toMatchObject({ header: 0, entry: 0, files: 0, diff: 0 })
    expect(counted.timeline).toBeGreaterThan(0)
  })

  test('selecting a run does not render the header', async () => {
    const page = await open()
    const counted = await rendersDuring(page, () => page.locator('.tl', { hasText: 'round totals' }).click())
    expect(counted.header).toBe(0)
    expect(counted.entry).toBeGreaterThan(0)
  })

  test('selecting a file renders neither header, timeline nor entry bar', async () => {
    const page = await open()
    const counted = await rendersDuring(page, () => page.locator('.fr', { hasText: 'tax.ts' }).click())
    expect(counted).toMatchObject({ header: 0, timeline: 0, entry: 0 })
  })

  test('five edits a second of a live run render no pane whose content they do not change', async () => {
    const page = await open('live')
    const counted = await rendersDuring(page, async () => {
      for (let rev = 1; rev <= 5; rev++) {
        await page.evaluate((n) => {
          panes.emit('workspace.changed', { workspace: 'ws', rev: n, kinds: ['edits'], paths: ['src/other.ts'] })
        }, rev)
        await page.waitForTimeout(200)
      }
    })
    expect(counted).toEqual({ header: 0, timeline: 0, entry: 0, files: 0, diff: 0 })
  })
})
