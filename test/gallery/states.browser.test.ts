/**
 * Every state of the window: it has no banned phrase, and nothing in it breaks WCAG 2.2 AA, from 400 % zoom to a large screen, in
 * every look. axe checks each third state in one combination of width and look, with `npm run test:long` each one in all of them.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BANNED_IN_TEXTS, BANNED_PHRASES } from '../../scripts/language.ts'
import { violations } from '../support/axe.ts'
import { type Site, startSite } from '../support/pages.ts'
import { LONG } from '../support/scale.ts'
import { SOON } from '../support/ui.ts'
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

  test.each(STATES.map((state, index) => ({ ...state, index })))(
    'in the state "$name"',
    {
      timeout: 120_000
    },
    async ({ index, ...state }) => {
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
      for (const [at, { width, look, media }] of COMBINATIONS.entries()) {
        const chosen = index % 3 === 0 ? ((index / 3) * 5) % COMBINATIONS.length : -1
        if (!LONG && at !== chosen) continue
        await resize(page, state, width, 800)
        await page.emulateMedia(media)
        await drawn(page)
        found.push(...(await violations(page)).map((line) => `${width} px, ${look}: ${line}`))
      }
      expect(found).toEqual([])
    }
  )
})
