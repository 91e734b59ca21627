/** What to look at first in a run, in the window: the list in its header, and the lines in the diff. */
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { violationsInBothThemes } from '../../support/axe.ts'
import { createHookCalls } from '../../support/hook-calls.ts'
import { useProject } from '../../support/project.ts'
import { scenario } from '../../support/scenario.ts'
import { diffPane, entry, fileRow, SOON } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

const LINES = Array.from({ length: 60 }, (_, i) => `line ${i}\n`).join('')
const TESTS = `${LINES}test('a', () => {})\n`

inOneHost('findings in the %s host', (name) => {
  const shop = useProject({ 'a.test.ts': TESTS, 'b.ts': LINES, 'c.lock': 'c\n' })
  const host = useWindow(name)
  let page: Page
  const list = () => page.getByRole('region', { name: 'Findings' })
  const note = (text: string) => diffPane(page).getByRole('note').filter({ hasText: text })
  /** Whether a note is on screen, directly below a line of the text. */
  const isBelow = async (text: string, line: string): Promise<boolean> => {
    const [above, below] = [
      await diffPane(page).locator('.view-line', { hasText: line }).last().boundingBox(),
      await note(text).boundingBox()
    ]
    return above !== null && below !== null && Math.abs(above.y + above.height - below.y) < 24
  }

  beforeAll(async () => {
    shop.driftline('add', shop.root)
    page = await host.open(shop)
    createHookCalls(shop, 'session-1').changedRun('Go faster', {
      'a.test.ts': TESTS.replace("test('a'", "test.skip('a'"),
      'b.ts': LINES.replace('line 50\n', '// @ts-ignore\nline 50\n'),
      'package-lock.json': '{}\n'
    })
    await entry(page, /^Run, .*Go faster/).click()
    await list().waitFor()
  })

  scenario('[UI-42] findings are listed in the header and shown at their lines, by keyboard', {
    'the header names them, the most serious first': async () => {
      expect(await list().innerText()).toMatch(/Test skipped in a\.test\.ts:61 · Check disabled in b\.ts:51/)
      await list().getByRole('button', { name: '3 findings' }).waitFor()
      expect(await violationsInBothThemes(page)).toEqual([])
    },

    'N leads to each in its file and line, and from the last to the first': async () => {
      await page.keyboard.press('n')
      await expect.poll(() => isBelow('Test skipped', 'test.skip'), SOON).toBe(true)
      await expect.poll(() => page.evaluate(() => document.activeElement?.closest('#diff-pane') !== null)).toBe(true)
      await page.keyboard.press('n')
      await expect.poll(() => isBelow('Check disabled', '@ts-ignore'), SOON).toBe(true)
      expect(await violationsInBothThemes(page)).toEqual([])
      await page.keyboard.press('n')
      await note('Dependencies changed').waitFor()
      await page.keyboard.press('n')
      await expect.poll(() => isBelow('Test skipped', 'test.skip'), SOON).toBe(true)
      await page.keyboard.press('Shift+N')
      await note('Dependencies changed').waitFor()
    },

    'the menu leads to a finding, also with all files in one scroll': async () => {
      await page.keyboard.press('Alt+a')
      await diffPane(page).getByRole('feed').waitFor()
      await list().getByRole('button', { name: '3 findings' }).click()
      await page.getByRole('menuitem', { name: /^Check disabled/ }).click()
      await expect.poll(() => isBelow('Check disabled', '@ts-ignore'), SOON).toBe(true)
      await page.keyboard.press('Alt+a')
      await fileRow(page, /^b\.ts/).waitFor()
    },

    'a kind that is switched off is not listed': async () => {
      shop.driftline('settings', 'review.findings-off', 'dependencies')
      await page.reload()
      await list().getByRole('button', { name: '2 findings' }).waitFor()
    }
  })
})
