/** A page as narrow as a phone's is enough to answer "keep or undo" for a run, and to decide about one that was stopped. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { violationsInBothThemes, violationsInLongForm } from '../../support/axe.ts'
import { createHookCalls } from '../../support/hook-calls.ts'
import { useProject } from '../../support/project.ts'
import { scenario } from '../../support/scenario.ts'
import { fileOf } from '../../support/tree.ts'
import { diffPane, entry, fileRow, preview, previewRows, SOON, toast } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

const OLD = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`old/f${n}.txt`, `${n}\n`]))
const FILES = {
  ...OLD,
  'src/cart/total.ts': 'one\ntwo\nthree\n',
  'src/cart/total.test.ts': "test('a', () => {})\n"
}

inOneHost('a narrow page in the %s host', (name) => {
  const shop = useProject(FILES)
  const host = useWindow(name)
  let page: Page
  const tab = (label: string) => page.getByRole('tab', { name: label })
  const bar = () => page.getByRole('region', { name: 'Selected entry' })
  /** Controls that are out of the window, or too small for a finger (WCAG 2.5.8). */
  const unreachable = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('button, [role="tab"], [role="treeitem"]')]
        .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('[aria-hidden]'))
        .filter((element) => {
          const { left, right, height } = element.getBoundingClientRect()
          return height > 0 && (left < 0 || right > innerWidth || height < 24)
        })
        .map((element) => element.getAttribute('aria-label') ?? element.textContent)
    )
  const fits = async (): Promise<void> => {
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect(await unreachable()).toEqual([])
    expect(await violationsInLongForm(page)).toEqual([])
  }

  beforeAll(async () => {
    await shop.add()
    page = await host.open(shop)
    await page.setViewportSize({ width: 390, height: 780 })
    const agent = createHookCalls(shop, 'session-1')
    await agent.changedRun('Round the totals', { 'src/cart/total.ts': 'one\nTWO\nthree\n' })
    await agent.changedRun('Make the test pass', { 'src/cart/total.test.ts': "test.skip('a', () => {})\n" })
  })

  scenario('[UI-47] a run is kept or undone on a page of 390 px', {
    'the list of runs, and what to look at first in one': async () => {
      await entry(page, /^Run, .*Make the test pass/).click()
      await tab('Files').click()
      await fileRow(page, /^total\.test\.ts/).waitFor()
      await page.getByRole('button', { name: 'Next finding' }).click()
      await diffPane(page).getByRole('note').filter({ hasText: 'Test skipped' }).waitFor()
      await fits()
    },

    'undo, with its preview': async () => {
      await bar()
        .getByRole('button', { name: /^Undo this run/ })
        .click()
      expect(await previewRows(page)).toEqual(['src/cart/total.test.ts, modify.'])
      await fits()
      await preview(page)
        .getByRole('button', { name: /^Undo 1 file/ })
        .click()
      await toast(page, 'Undid').waitFor()
      const edges = await toast(page, 'Undid')
        .locator('> *')
        .evaluateAll((parts) =>
          parts.flatMap((part) => [part.getBoundingClientRect().left, part.getBoundingClientRect().right])
        )
      expect([Math.min(...edges) >= 0, Math.max(...edges) <= 390]).toEqual([true, true])
      await fits()
      const text = (path: string) => shop.tree()[path]
      await expect.poll(() => text('src/cart/total.test.ts'), SOON).toBe(fileOf(FILES['src/cart/total.test.ts']))
      expect(text('src/cart/total.ts')).toBe(fileOf('one\nTWO\nthree\n'))
    },

    'keep, from the review': async () => {
      await tab('Timeline').click()
      await entry(page, /^Run, .*Round the totals/).click()
      await tab('Files').click()
      await bar()
        .getByRole('button', { name: /^Review/ })
        .click()
      const review = page.getByRole('dialog', { name: 'Review for Claude Code' })
      await review.getByRole('article', { name: /^Undone: / }).waitFor()
      await fits()
      await review.getByRole('button', { name: 'Keep all' }).click()
      await review.getByRole('button', { name: 'Send with the next prompt' }).click()
      await review.getByText('Waits for your next prompt').waitFor()
      await fits()
      await page.keyboard.press('Escape')
      await expect.poll(() => fileRow(page, /^total\.ts, .*reviewed/).count(), SOON).toBe(1)
    },

    'a run that deleted many files is restored, continues, and is ended': async () => {
      const { hook, send } = createHookCalls(shop, 'session-2')
      const call = { tool_name: 'Bash', tool_input: { command: 'rm -rf old' } }
      const banner = page
        .getByRole('region', { name: 'Notice' })
        .filter({ hasText: 'Claude Code deleted 12 files in old/' })
      const files = () => Object.keys(shop.tree()).filter((path) => path.startsWith('old/')).length
      const deleteFiles = async (id: string): Promise<void> => {
        await send('PreToolUse', { ...call, tool_use_id: id })
        rmSync(join(shop.root, 'old'), { recursive: true })
        await send('PostToolUse', { ...call, tool_use_id: id })
        await banner.waitFor()
        await fits()
      }
      const decide = async (label: string): Promise<void> => {
        await banner.getByRole('button', { name: label }).click()
        await banner.waitFor({ state: 'detached' })
      }
      await shop.call('settings.set', { key: 'brake.files', value: '10' })
      await send('UserPromptSubmit', { prompt: 'Tidy up' })
      await deleteFiles('a')
      expect(await violationsInBothThemes(page)).toEqual([])
      await decide('Restore and continue')
      await expect.poll(files, SOON).toBe(12)
      await deleteFiles('b')
      await decide('End it')
      expect(hook('PreToolUse', { ...call, tool_use_id: 'c' })).toContain('the user ended it')
      await send('Stop', {})
      shop.edit(OLD)
      await send('UserPromptSubmit', { prompt: 'Tidy up again' })
      await deleteFiles('d')
      await decide('Let it continue')
      expect(hook('PreToolUse', { ...call, tool_use_id: 'e' })).toBe('')
      expect(files()).toBe(0)
    }
  })
})
