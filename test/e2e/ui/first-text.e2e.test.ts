import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { holdIdle, releaseIdle } from '../../support/idle.ts'
import { useProject } from '../../support/project.ts'
import { LONG } from '../../support/scale.ts'
import { diffPane, entry, fileRow, SOON } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

const LINES = Array.from({ length: 90 }, (_, n) => `export const part${n} = ${n}`)
const changed = LINES.flatMap((line, n) => {
  if (n === 4) return ['export const part4 = "four"', 'export const more = 4']
  if (n === 10 || n === 40 || n === 86) return []
  return n === 12 ? [`${line} + 1`, '', '\tindented()'] : [line]
})
const before = { 'a.ts': `${LINES.join('\n')}\n`, 'gone.ts': 'const a = 1\nconst b = 2\n', 'first.ts': 'x\ny\nz\n' }
const after = { 'a.ts': `${changed.join('\n')}\n`, 'new.ts': 'const c = 3\n\nconst d = 4\n', 'first.ts': 'X\ny\nz\n' }

/** A file at a width, and the one shown after it at another. */
const TEXTS = [['a.ts', 1900, 'split', 'first.ts', 1280]] as const
const MORE_TEXTS = [
  ['new.ts', 1280, 'inline', 'a.ts', 1280],
  ['a.ts', 1280, 'inline', 'gone.ts', 1280],
  ['first.ts', 1280, 'inline', 'gone.ts', 1280],
  ['gone.ts', 1900, 'inline', 'new.ts', 1900]
] as const
/** A line of each, as it is shown. */
const LINE_OF = {
  'a.ts': 'export const more = 4',
  'first.ts': 'X',
  'gone.ts': 'const a = 1',
  'new.ts': 'const c = 3'
} as const

interface Drawn {
  /** Of a line of the text, from the top left of the pane, px. */
  readonly top: number
  readonly left: number
  readonly text: string
}

/** What is drawn in the pane by elements that `selector` names, from top to bottom and left to right. */
async function drawn(page: Page, selector: string): Promise<Drawn[]> {
  const found = await diffPane(page).evaluate((pane, selector) => {
    const stage = (pane.querySelector('.diff-stage') as HTMLElement).getBoundingClientRect()
    return [...pane.querySelectorAll(selector)].flatMap((element) => {
      const text = (element.textContent ?? '').replaceAll('\u00a0', ' ').replaceAll('\t', '    ').trimEnd()
      const range = document.createRange()
      const first = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()
      if (!first) return []
      range.selectNodeContents(first)
      const box = range.getClientRects()[0]
      const row = element.getBoundingClientRect()
      if (
        !box ||
        text === '' ||
        !element.checkVisibility({ visibilityProperty: true }) ||
        row.top < stage.top ||
        row.bottom > stage.bottom ||
        row.height === 0
      )
        return []
      return [{ top: Math.round(box.top - stage.top), left: Math.round(box.left - stage.left), text }]
    })
  }, selector)
  return found.sort((a, b) => a.top - b.top || a.left - b.left)
}

const PLAIN = '.first-code, .first-number, .first-fold > span'
const EDITOR = [
  '.editor.modified .view-line',
  '.side-by-side .editor.original .view-line',
  '.line-numbers',
  '.diff-hidden-lines .center span[title]'
].join()

inOneHost('the first text in the %s host', (name) => {
  const shop = useProject(before)
  const host = useWindow(name)
  let page: Page
  /** Of the editor's program, when it was requested. */
  let requested = Promise.withResolvers<() => void>()

  beforeAll(async () => {
    page = await host.open(shop)
    await shop.run('Change it', after, 'rm gone.ts')
    await entry(page, /^Run, .*Change it/).click()
    await page.route(/\/monaco-[^/]*\.js$/, async (route) => {
      await new Promise<void>(requested.resolve)
      await route.continue()
    })
  })

  test.for([...TEXTS, ...(LONG ? MORE_TEXTS : [])])(
    '[UI-44] the lines of %s stay where they are at %d px, %s, and have the focus; those of %s after it stay at %d px',
    { tags: ['long'] },
    async ([file, width, layout, next, nextWidth]) => {
      await fileRow(page, new RegExp(`^${file}`)).click()
      await page.setViewportSize({ width, height: 800 })
      requested = Promise.withResolvers()
      await page.reload()
      const text = diffPane(page).locator('.first-text')
      await text.waitFor()
      expect(await text.getAttribute('data-layout')).toBe(layout)
      expect(await diffPane(page).locator('.monaco-editor').count()).toBe(0)
      const plain = await drawn(page, PLAIN)
      await page.keyboard.press('Alt+3')
      const release = await requested.promise
      release()
      await text.waitFor({ state: 'detached' })
      await diffPane(page).locator('.text-view :focus').waitFor({ state: 'attached' })
      // Monaco aligns its columns a moment after it shows its text.
      await expect.poll(() => drawn(page, EDITOR), SOON).toEqual(plain)
      await page.setViewportSize({ width: nextWidth, height: 800 })
      await holdIdle(page)
      await fileRow(page, new RegExp(`^${next}`)).click()
      await text.waitFor()
      const ofNext = await drawn(page, PLAIN)
      expect(ofNext.map((each) => each.text)).toContain(LINE_OF[next])
      await releaseIdle(page)
      await text.waitFor({ state: 'detached' })
      await expect.poll(() => drawn(page, EDITOR), SOON).toEqual(ofNext)
    }
  )
})
