/** The words of docs/glossary.md: none of the banned ones is on a screen of the gallery. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BANNED_IN_TEXTS, BANNED_PHRASES } from '../../scripts/language.ts'
import { type Site, startSite } from '../support/pages.ts'
import { VARIANTS } from './scene.ts'

/** The texts of the page that are not a user's own: files, prompts, commands and messages of an agent are in other words. */
function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const own = '.monaco-editor, .messages, .mono, code, pre'
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

describe('no banned phrase is in the visible texts and accessible names', { tags: ['browser'] }, () => {
  let site: Site

  beforeAll(async () => {
    site = await startSite('gallery')
  })

  afterAll(async () => {
    await site?.close()
  })

  test.each(VARIANTS)('of the screen "%s"', { timeout: 60_000 }, async (variant) => {
    const { page } = await site.open(`variant=${variant}`)
    if (variant.startsWith('settings-')) await page.getByRole('dialog').waitFor()
    await expect.poll(async () => (await textsOf(page)).length, { timeout: 30_000 }).toBeGreaterThan(10)
    const texts = await textsOf(page)
    expect(texts.filter((text) => text.search(BANNED_PHRASES) >= 0 || text.search(BANNED_IN_TEXTS) >= 0)).toEqual([])
  })
})
