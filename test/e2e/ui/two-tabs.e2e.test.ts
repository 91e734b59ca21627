/** Two tabs of one host, and a host that is stopped for a while: both tabs show the same again, without a reload. */
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { useProject } from '../../support/project.ts'
import { LONG } from '../../support/scale.ts'
import { scenario } from '../../support/scenario.ts'
import type { Tree } from '../../support/tree.ts'
import { becomes, diffPane, entry, fileRow, preview, SOON, timelineOf } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

inOneHost('two tabs in the %s host', (name) => {
  const shop = useProject({ 'a.txt': 'one\n' })
  const host = useWindow(name)
  let other: Page
  let original: Tree
  const both = () => [host.page, other]

  beforeAll(async () => {
    await shop.add()
    original = shop.tree()
    await host.open(shop)
    const opened = host.page.waitForEvent('popup')
    await host.page.evaluate(() => void window.open(location.href))
    other = await opened
    await timelineOf(other).waitFor()
  })

  const openInTab = async (): Promise<void> => {
    const text = Array.from({ length: 90 }, (_, i) => (i % 30 === 0 ? `# Part ${i / 30}` : `line ${i}`)).join('\n')
    await shop.run('Write notes', { 'b.txt': 'b\n', 'notes.md': text })
    await entry(host.page, /^Run, .*Write notes.*ended/).click()
    await fileRow(host.page, /^notes\.md, added/).click()
    const opened = host.page.waitForEvent('popup')
    await diffPane(host.page).getByRole('button', { name: 'More' }).click()
    await host.page.getByRole('menuitem', { name: 'Open in a new tab' }).click()
    const tab = await opened
    await diffPane(tab).getByText('Part 0').first().waitFor()
    await diffPane(tab).locator('.view-line').first().waitFor()
    await tab.getByRole('main', { name: 'Changes of notes.md' }).focus()
    await tab.keyboard.press('Alt+O')
    await tab.getByRole('option', { name: /Part 0/, selected: true }).waitFor()
    await tab.keyboard.type('part 2')
    await tab.getByRole('option', { name: 'Part 2 line 61', selected: true }).waitFor()
    await tab.keyboard.press('Enter')
    await diffPane(tab).getByText('Part 2').first().waitFor()
    await tab.close()
  }

  scenario('[UI-38] what happens in one is shown in the other, also after the host did not answer for a while', {
    'a run appears in both': async () => {
      await shop.run('First run', { 'a.txt': 'two\n' })
      for (const page of both()) await entry(page, /^Run, .*First run.*ended/).waitFor()
    },

    'an undo in one makes the preview in the other stale: it writes nothing and shows a new one': async () => {
      for (const page of both()) {
        await page.getByRole('button', { name: 'Undo this run…' }).click()
        await preview(page).getByRole('button', { name: 'Undo 1 file' }).waitFor()
      }
      await preview(host.page).getByRole('button', { name: 'Undo 1 file' }).click()
      await becomes(shop, original)
      const undone = shop.tree()
      await preview(other)
        .getByText(/changed while you were reading|already|nothing to/i)
        .first()
        .waitFor()
      await other.keyboard.press('Escape')
      await entry(other, /^Run, .*First run.*undone/).waitFor()
      expect(shop.tree()).toEqual(undone)
    },

    'a host that is stopped answers what was asked meanwhile once it continues, in the same pages': async () => {
      for (const page of both()) await page.evaluate(() => Object.assign(window, { sameDocument: true }))
      host.process.kill('SIGSTOP')
      try {
        await other.getByRole('textbox', { name: 'Filter the timeline' }).fill('no such run')
        await other.getByRole('progressbar', { name: 'Loading the timeline' }).waitFor()
        expect(await other.getByText('Nothing matches').count(), 'nothing false is said').toBe(0)
      } finally {
        host.process.kill('SIGCONT')
      }
      await other.getByText('Nothing matches “no such run”.').waitFor()
      await other.getByRole('button', { name: 'Clear filter' }).click()
      await shop.run('Second run', { 'a.txt': 'three\n' })
      for (const page of both()) {
        await entry(page, /^Run, .*Second run.*ended/).waitFor()
        await expect.poll(() => page.evaluate(() => 'sameDocument' in window), SOON).toBe(true)
      }
    },

    // Long: names are found in the outline in the tests of the palette.
    ...(LONG
      ? { '[UI-49] a diff opens in a tab of its own, where a heading of its file is found by its name': openInTab }
      : {})
  })
})
