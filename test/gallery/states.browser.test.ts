/**
 * Every state of the window: it has no banned phrase, and nothing in it breaks WCAG 2.2 AA, from 400 % zoom to a large screen, in
 * every look. `npm test` has a state of each kind of screen, dialog and bar, in one combination of width and look, and each
 * width and each look at least twice; `npm run test:long` has all states in all combinations.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BANNED_IN_TEXTS, BANNED_PHRASES } from '../../scripts/language.ts'
import { violations } from '../support/axe.ts'
import { type Site, startSite } from '../support/pages.ts'
import { SOON } from '../support/ui.ts'
import { resize, STATES, WIDTHS, type WindowState } from './states.ts'

const LOOKS = [
  { look: 'light', media: { colorScheme: 'light', forcedColors: 'none', reducedMotion: 'no-preference' } },
  { look: 'dark', media: { colorScheme: 'dark', forcedColors: 'none', reducedMotion: 'reduce' } },
  { look: 'forced colours', media: { colorScheme: 'light', forcedColors: 'active', reducedMotion: 'reduce' } }
] as const
type Combination = (typeof LOOKS)[number] & { readonly width: number }
/** The first one is that of the state: a menu closes when the window is resized. */
const COMBINATIONS: readonly Combination[] = [1280, ...WIDTHS.filter((width) => width !== 1280)].flatMap((width) =>
  LOOKS.map((look) => ({ width, ...look }))
)

/** One of each kind: the others are variations of them. The order gives code to light and dark. */
const OF_EACH_KIND: readonly string[] = [
  ...['replay', 'interrupted', 'welcome', 'the filters of the timeline', 'the preview of a restore'],
  ...['conversation', 'settings-storage', 'today']
]

/** The texts of the page that are not a user's own: files, prompts, commands and messages of an agent are in other words. */
function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const own = '.monaco-editor, .messages, .mono, code, pre, textarea'
    const texts = new Set<string>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (!node.parentElement?.closest(own)) texts.add(node.textContent?.trim() ?? '')
    for (const element of document.querySelectorAll('*'))
      for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'data-tip', 'alt'])
        if (!element.closest(own)) texts.add(element.getAttribute(name)?.trim() ?? '')
    return [...texts].filter((text) => text !== '')
  })
}

describe('[UI-27] nothing breaks WCAG 2.2 AA, and no banned phrase is in the texts and accessible names', {
  tags: ['browser']
}, () => {
  let site: Site

  beforeAll(async () => {
    site = await startSite('gallery')
  })

  afterAll(() => site?.close())

  const drawn = (page: Page) =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))

  const check = async (state: WindowState, combinations: readonly Combination[]): Promise<void> => {
    const { variant, enter } = state
    const { page } = await site.open(`variant=${variant}&host=browser`)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.emulateMedia(LOOKS[0].media)
    await enter?.(page)
    await expect.poll(async () => (await textsOf(page)).length, SOON).toBeGreaterThan(10)
    const texts = await textsOf(page)
    expect(texts.filter((text) => text.search(BANNED_PHRASES) >= 0 || text.search(BANNED_IN_TEXTS) >= 0)).toEqual([])
    // Cut off, the window stays dimmed, and what is dimmed waits to be replaced: axe waits for that, too.
    if (variant === 'disconnected') return
    const found: string[] = []
    for (const { width, look, media } of combinations) {
      await resize(page, state, width, 800)
      await page.emulateMedia(media)
      await drawn(page)
      found.push(...(await violations(page)).map((line) => `${width} px, ${look}: ${line}`))
    }
    expect(found).toEqual([])
  }

  test.each(OF_EACH_KIND.map((name, n) => ({ name, n })))('in the state "$name"', async ({ name, n }) => {
    const state = STATES.find((each) => each.name === name)
    const combination = COMBINATIONS[(n * 5) % COMBINATIONS.length]
    if (!state || !combination) throw new Error(`there is no state "${name}"`)
    await check(state, [combination])
  })

  test.each(STATES)(
    'in the state "$name", at each width and in every look',
    {
      tags: ['long'],
      timeout: 120_000
    },
    (state) => check(state, COMBINATIONS)
  )
})
