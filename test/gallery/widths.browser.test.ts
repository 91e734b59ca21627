/** Every screen of the gallery, with every kind of banner, from 400 % zoom to a desk: all controls are in the window. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cutOff } from '../support/cut-off.ts'
import { type Site, startSite } from '../support/pages.ts'
import { LONG } from '../support/scale.ts'
import { fileRow, SOON } from '../support/ui.ts'
import type { Variant } from './scene.ts'

/** The narrowest window of each layout; with `npm run test:long` also widths between them. */
const WIDTHS = LONG ? [360, 500, 760, 960, 1100] : [360, 760]

/** One screen of each kind, and the banner with the most buttons; with `npm run test:long` every kind of banner. */
const SCREENS: readonly Variant[] = [
  ...(['shop', 'interrupted', 'welcome', 'first-copy', 'settings-storage'] as const),
  ...(LONG ? (['worktrees', 'uncovered', 'stopped', 'settings-agents', 'drift', 'disconnected'] as const) : []),
  ...(LONG ? (['copying', 'missing', 'halfway', 'fresh-repository', 'disk-low', 'offline-drift'] as const) : [])
]
/** The bars of a run have their words and buttons in a line each, from a phone to a large screen. */
const WIDTHS_OF_BARS = LONG ? [360, 480, 640, 760, 900, 1100, 1280, 1600] : [360, 900]

const layoutOf = (width: number) => (width >= 1100 ? 'wide' : width >= 760 ? 'medium' : 'tabs')

describe('[UI-18] no control is out of the window', { tags: ['browser'] }, () => {
  let site: Site

  beforeAll(async () => {
    site = await startSite('gallery')
  })

  afterAll(() => site?.close())

  test.each(SCREENS)('on the screen "%s"', async (variant) => {
    const { page } = await site.open(`variant=${variant}&host=browser`)
    const screen = page.getByRole('banner').and(page.locator(':visible'))
    await (variant.startsWith('settings-') ? page.getByRole('dialog') : screen).first().waitFor()
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      await page
        .locator(`[data-layout="${layoutOf(width)}"], .welcome`)
        .first()
        .waitFor()
      expect(await cutOff(page), `${width} px`).toEqual([])
    }
  })

  test('[UI-46] the bars of a run have one line each above its first change', async () => {
    const { page } = await site.open('variant=shop&host=browser')
    await page.setViewportSize({ width: 1280, height: 800 })
    await fileRow(page, /total\.ts/).click()
    const bars = page.locator('.entry, .interleaved, .findings, [aria-label="About this run"]')
    await page.locator('.interleaved').waitFor()
    for (const width of WIDTHS_OF_BARS) {
      await page.setViewportSize({ width, height: 800 })
      await page.locator(`[data-layout="${layoutOf(width)}"]`).waitFor()
      if (width < 760) await page.getByRole('tab', { name: 'Diff' }).click()
      await page.locator('.interleaved').waitFor()
      const heights = await bars.evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().height))
      // A title and a line of facts, or a line with buttons.
      expect(Math.max(...heights), `${width} px`).toBeLessThanOrEqual(60)
    }
  })

  test('a banner with many buttons leaves a narrow window to the panes', async () => {
    const { page } = await site.open('variant=interrupted&host=browser')
    await page.setViewportSize({ width: 360, height: 740 })
    await page.locator('[data-layout="tabs"]').waitFor()
    const banner = page.getByRole('region', { name: 'Notice' })
    expect((await banner.boundingBox())?.height).toBeLessThanOrEqual(90)
    await banner.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Undo this run…' }).waitFor()
  })

  test('[UI-51] what to do, and why restores wait, is said at 400 % zoom and beside a drawer', async () => {
    const { page } = await site.open('variant=disk-low&host=browser')
    await page.setViewportSize({ width: 360, height: 740 })
    await page.locator('[data-layout="tabs"]').waitFor()
    await page.getByText(/Free some space/).waitFor()
    const { page: failed } = await site.open('variant=error&host=browser')
    await failed.setViewportSize({ width: 760, height: 740 })
    await failed.getByRole('alert').getByRole('button', { name: 'Retry' }).waitFor()
    await failed.setViewportSize({ width: 360, height: 740 })
    const wait = failed.locator('.waits')
    await expect.poll(() => wait.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), SOON).toBe(0)
  })

  test('[UI-38] what was read stays on screen while the recorder is away, in another layout, too', {
    tags: ['long']
  }, async () => {
    const { page } = await site.open('variant=disconnected&host=browser')
    const line = page.locator('#diff-pane .view-line').first()
    for (const width of [1280, 360, 760]) {
      await page.setViewportSize({ width, height: 800 })
      await page.locator(`[data-layout="${layoutOf(width)}"]`).waitFor()
      if (width === 360) await page.getByRole('tab', { name: 'Diff' }).click()
      await line.waitFor()
    }
    await page.getByText('Reconnecting…').waitFor()
    expect(await page.getByText('Couldn’t show this file').count()).toBe(0)
  })

  test('[UI-22] the texts in the scroll of all files are as wide as a window that grows', {
    tags: ['long']
  }, async () => {
    const { page } = await site.open('variant=shop&host=browser')
    await page.setViewportSize({ width: 360, height: 800 })
    await page.getByRole('tab', { name: 'Diff' }).click()
    await page.getByRole('button', { name: 'All files in one scroll' }).click()
    await page.locator('.file-section .view-line').first().waitFor()
    const missing = () =>
      page.evaluate(() => {
        const of = (part: string) => document.querySelector(part)?.getBoundingClientRect().width ?? 0
        return Math.round(of('.file-section[data-shown]:has(.view-line)') - of('.file-section .monaco-diff-editor'))
      })
    await expect.poll(missing, SOON).toBeLessThanOrEqual(1)
    for (const width of [760, 360, 760]) {
      await page.setViewportSize({ width, height: 800 })
      await page.locator(`[data-layout="${layoutOf(width)}"]`).waitFor()
      if (width === 360) await page.getByRole('tab', { name: 'Diff' }).click()
      await expect.poll(missing, SOON).toBeLessThanOrEqual(1)
    }
  })

  test('the coverage dialog is as high as what it lists', async () => {
    const { page } = await site.open('variant=empty&host=browser')
    await page.setViewportSize({ width: 1100, height: 800 })
    await page
      .getByRole('contentinfo')
      .getByRole('button', { name: /snapshot|covered/ })
      .click()
    const dialog = page.getByRole('dialog', { name: 'Coverage' })
    await dialog.getByRole('listitem').first().waitFor()
    const empty = await dialog.evaluate((box) => {
      const height = (part: string) => box.querySelector(part)?.getBoundingClientRect().height ?? 0
      const rows = box.querySelector('.coverage-list > *')?.scrollHeight ?? 0
      return box.clientHeight - height('header') - height('footer') - rows
    })
    // The line above the list.
    expect(empty).toBe(1)
  })
})
