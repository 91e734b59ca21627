/** Promises of an open workspace: its rows say what they are, and messages are no hindrance. */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Site, startSite } from '../support/pages.ts'
import { LONG } from '../support/scale.ts'
import { scenario } from '../support/scenario.ts'
import { entry, fileRow, SOON } from '../support/ui.ts'
import type { Variant } from './scene.ts'

async function boxOf(element: Locator) {
  const box = await element.boundingBox()
  if (!box) throw new Error('the element is not on screen')
  return box
}

describe('an open workspace', { tags: ['browser'] }, () => {
  let site: Site

  beforeAll(async () => {
    site = await startSite('gallery')
  })

  afterAll(() => site?.close())

  const open = async (variant: Variant, width = 1280) => {
    const { page } = await site.open(`variant=${variant}&host=browser`)
    await page.setViewportSize({ width, height: 800 })
    await fileRow(page, /total\.ts/).waitFor()
    return page
  }

  test('[UI-19] a message covers no button, and is gone once something else is chosen', async () => {
    const page = await open('drift')
    const message = page.locator('.toast')
    await page.getByRole('region', { name: 'Notice' }).getByRole('button', { name: 'Accept' }).click()
    await message.waitFor()
    const covered = await message.evaluate((toast) => {
      const box = toast.getBoundingClientRect()
      return [...document.querySelectorAll('button')]
        .filter((button) => !toast.contains(button) && button.checkVisibility())
        .filter((button) => {
          const at = button.getBoundingClientRect()
          return at.right > box.left && at.left < box.right && at.bottom > box.top && at.top < box.bottom
        })
        .map((button) => button.ariaLabel ?? button.textContent)
    })
    expect(covered).toEqual([])
    await entry(page, /^Run/).first().click()
    await message.waitFor({ state: 'detached' })
  })

  test('[UI-7] a workspace that opens has the focus on its selected entry, or on its files without a timeline', async () => {
    const page = await open('shop')
    await entry(page, /./).and(page.locator(':focus')).waitFor()
    if (!LONG) return
    await page.setViewportSize({ width: 960, height: 800 })
    await site.open('variant=shop&host=browser')
    await fileRow(page, /./).and(page.locator(':focus')).waitFor()
  })

  let page: Page

  scenario('a run is found in the timeline, and a file in the run', {
    'the actions of an entry cover neither its title nor its time': async () => {
      page = await open('shop')
      const row = entry(page, /^Run, .*Add tax/)
      await row.hover()
      const actions = await boxOf(row.locator('.acts'))
      for (const part of ['.ttl', '.when']) {
        const { y, height } = await boxOf(row.locator(part))
        // A line is higher than its letters.
        expect(actions.y, part).toBeGreaterThanOrEqual(y + height - 4)
      }
      expect(await row.locator('.ttl').getAttribute('title')).toContain('Add tax to the cart totals, one line per rate')
    },

    'runs of agents and of commands show how many files they changed': async () => {
      await expect
        .poll(
          () =>
            entry(page, /^Run, Claude Code.*Add tax/)
              .locator('.t2')
              .innerText(),
          SOON
        )
        .toMatch(/Claude Code · \d+ files/)
    },

    '[UI-20] a right click on a row opens its menu, which stays until a choice or Escape': async () => {
      for (const [row, menu] of [
        [entry(page, /^Run, .*Add tax/), 'Row actions'],
        [fileRow(page, /total\.ts/), 'Actions for src/cart/total.ts']
      ] as const) {
        await row.first().click({ button: 'right' })
        await page.getByRole('menu', { name: menu }).waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('menu').waitFor({ state: 'detached' })
      }
    },

    '[C4] the timeline is filtered by agent and by time; chips show what is chosen and remove it': async () => {
      await entry(page, /^Run, Codex/)
        .first()
        .waitFor()
      const all = await entry(page, /^Run/).count()
      const choose = async (item: string) => {
        await page.getByRole('button', { name: 'Choose what is shown' }).click()
        await page.getByRole('menuitemradio', { name: item }).click()
      }
      await choose('Runs of Codex')
      await expect.poll(() => entry(page, /^Run, (?!Codex)/).count(), SOON).toBe(0)
      await entry(page, /^Run, Codex/)
        .first()
        .waitFor()
      await choose('Last 7 days')
      const chips = page.getByRole('list', { name: 'Chosen filters' }).getByRole('button')
      await expect.poll(() => chips.allInnerTexts(), SOON).toEqual(['Runs of Codex', 'Last 7 days'])
      await page.getByRole('button', { name: 'Remove the filter: Runs of Codex' }).click()
      await page.getByRole('button', { name: 'Remove the filter: Last 7 days' }).click()
      await expect.poll(() => entry(page, /^Run/).count(), SOON).toBe(all)
      await expect.poll(() => chips.count(), SOON).toBe(0)
    },

    'the timeline is wider in a large window, until a person sets its width': async () => {
      await page.setViewportSize({ width: 1700, height: 800 })
      const width = async () =>
        Number(await page.getByRole('separator', { name: 'Timeline width' }).getAttribute('aria-valuenow'))
      await expect.poll(width, SOON).toBe(356)
      // Nothing else changes: the width of the window alone decides.
      await page.setViewportSize({ width: 1280, height: 800 })
      await expect.poll(width, SOON).toBe(284)
      await page.setViewportSize({ width: 1700, height: 800 })
      await expect.poll(width, SOON).toBe(356)
      await page.getByRole('separator', { name: 'Timeline width' }).press('ArrowLeft')
      await expect.poll(width, SOON).toBe(340)
    },

    'the filter of the files has the focus as soon as it is asked for: a letter that follows is no command':
      async () => {
        const focused = await page
          .getByRole('button', { name: 'Filter files' })
          .evaluate((button: HTMLButtonElement) => {
            button.click()
            return [document.activeElement?.tagName, document.activeElement?.ariaLabel]
          })
        expect(focused).toEqual(['INPUT', 'Filter files'])
        await page.keyboard.type('no')
        await expect.poll(() => page.getByRole('textbox', { name: 'Filter files' }).inputValue(), SOON).toBe('no')
      }
  })
})
