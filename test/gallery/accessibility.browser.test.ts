/**
 * Every state of the window, from 400 % zoom to a large screen, in every look: nothing breaks WCAG 2.2 AA. Each state is
 * checked in one combination of width and look, with `npm run test:long` in all of them.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violations } from '../support/axe.ts'
import { type Site, startSite } from '../support/pages.ts'
import { LONG } from '../support/scale.ts'
import { resize, STATES, WIDTHS } from './states.ts'

const LOOKS = [
  { look: 'light', media: { colorScheme: 'light', forcedColors: 'none', reducedMotion: 'no-preference' } },
  { look: 'dark', media: { colorScheme: 'dark', forcedColors: 'none', reducedMotion: 'reduce' } },
  { look: 'forced colours', media: { colorScheme: 'light', forcedColors: 'active', reducedMotion: 'reduce' } }
] as const
/** The first one is that of the state: a menu closes when the window is resized. */
const COMBINATIONS = [1280, ...WIDTHS.filter((width) => width !== 1280)].flatMap((width) =>
  LOOKS.map((look) => ({ width, ...look }))
)

/** Cut off, the window stays dimmed, and what is dimmed waits to be replaced: axe waits for that, too. */
const CHECKED = STATES.map((state, index) => ({ ...state, index })).filter(({ variant }) => variant !== 'disconnected')

describe('[UI-27] nothing breaks WCAG 2.2 AA', { tags: ['browser'] }, () => {
  let site: Site

  beforeAll(async () => {
    site = await startSite('gallery')
  })

  afterAll(() => site?.close())

  const drawn = (page: Page) =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))

  test.each(CHECKED)('in the state "$name"', { timeout: 120_000 }, async ({ index, ...state }) => {
    const { variant, enter } = state
    const { page } = await site.open(`variant=${variant}&host=browser`)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.emulateMedia(LOOKS[0].media)
    await enter?.(page)
    const found: string[] = []
    for (const [at, { width, look, media }] of COMBINATIONS.entries()) {
      if (!LONG && at !== (index * 5) % COMBINATIONS.length) continue
      await resize(page, state, width, 800)
      await page.emulateMedia(media)
      await drawn(page)
      found.push(...(await violations(page)).map((line) => `${width} px, ${look}: ${line}`))
    }
    expect(found).toEqual([])
  })
})
