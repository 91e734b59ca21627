/**
 * A pane renders only if its own content changes. One that fails says so and can be tried again; the other panes still work.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Site, startSite } from '../../support/pages.ts'
import { scenario } from '../../support/scenario.ts'
import type { Panes } from '../diff/page/engine.ts'
import type { Renders } from './page/main.tsx'

declare const panes: Panes
declare const renders: Renders
declare const faults: Set<string>

/** Unoptimised React on a busy machine is slow to start. */
const SLOW_MS = 60_000

describe('the panes of a workspace', { timeout: SLOW_MS, tags: ['browser'] }, () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite('workspace')
    const { page } = await site.open('')
    // Before the scenes: a clock that shows another time once renders its pane.
    await page.clock.setFixedTime(new Date())
  }, 2 * SLOW_MS)
  afterAll(() => site?.close())

  /** Waits until nothing was rendered for half a second. Time stands still in the page. */
  async function rest(page: Page): Promise<void> {
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
  }
  async function open(query = ''): Promise<Page> {
    const { page } = await site.open(query)
    await page.waitForSelector('.diff-bar')
    return page
  }
  /** The renders of each pane while `act` and all its consequences run. */
  async function rendersDuring(page: Page, act: () => Promise<unknown>): Promise<Renders> {
    await rest(page)
    await page.evaluate(() => {
      for (const pane of Object.keys(renders) as (keyof Renders)[]) renders[pane] = 0
    })
    await act()
    await page.waitForTimeout(600)
    return page.evaluate(() => ({ ...renders }))
  }

  let page: Page

  scenario('what is chosen renders the panes that show it', {
    'selecting a file renders neither header, timeline nor entry bar': async () => {
      page = await open()
      const counted = await rendersDuring(page, () => page.locator('.fr', { hasText: 'tax.ts' }).click())
      expect(counted).toMatchObject({ header: 0, timeline: 0, entry: 0 })
    },

    'selecting a run does not render the header': async () => {
      const counted = await rendersDuring(page, () => page.locator('.tl', { hasText: 'round totals' }).click())
      expect(counted.header).toBe(0)
      expect(counted.entry).toBeGreaterThan(0)
    },

    'typing in the filter renders the timeline only': async () => {
      const counted = await rendersDuring(page, () => page.getByLabel('Filter the timeline').pressSequentially('add'))
      expect(counted).toMatchObject({ header: 0, entry: 0, files: 0, diff: 0 })
      expect(counted.timeline).toBeGreaterThan(0)
    }
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

  const alert = () => page.getByRole('alert').filter({ hasText: 'Couldn’t show the changed files.' })
  const file = () => page.locator('.fr', { hasText: 'tax.ts' })
  /** Selects another run while its changed files cannot be drawn. */
  const fail = async () => {
    await file().waitFor()
    await page.evaluate(() => faults.add('files'))
    await page.locator('.tl', { hasText: 'round totals' }).click()
    await alert().waitFor()
  }

  scenario('a pane that fails can be tried again, and the others still work', {
    'it says what failed and what is safe, with the details to copy; the other panes are usable': async () => {
      const scene = await site.open('')
      page = scene.page
      await fail()
      await alert().getByText('Nothing recorded was lost, and no file was changed.').waitFor()
      await alert().getByRole('button', { name: 'Copy details' }).waitFor()
      expect(scene.problems.join('\n')).toContain('files is broken on purpose')
      await page.locator('.diff-bar .bar-path').waitFor()
      await page.locator('.tl', { hasText: 'add tax' }).first().click()
      await page.locator('.tl[aria-selected="true"]', { hasText: 'add tax' }).waitFor()
    },

    'Retry draws it again, and fails again as long as the cause is there': async () => {
      await alert().getByRole('button', { name: 'Retry' }).click()
      await alert().waitFor()
      await page.evaluate(() => faults.clear())
      await alert().getByRole('button', { name: 'Retry' }).click()
      await file().waitFor()
      expect(await alert().count()).toBe(0)
    },

    'another selection tries again by itself': async () => {
      await fail()
      await page.evaluate(() => faults.clear())
      await page.locator('.tl', { hasText: 'add tax' }).first().click()
      await alert().waitFor({ state: 'detached' })
      await file().waitFor()
    }
  })
})
