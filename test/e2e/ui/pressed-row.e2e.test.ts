/** [UI-3] A click reaches what was pressed, also when rows or a banner arrive before the button is released. */
import type { Locator } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { useProject } from '../../support/project.ts'
import { scenario } from '../../support/scenario.ts'
import { diffPane, entry, fileRow, preview, previewRows } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

inOneHost('a pressed row in the %s host', (name) => {
  const shop = useProject({ 'a.txt': 'a\n' })
  const host = useWindow(name)

  beforeAll(async () => {
    await shop.add()
    await shop.run('First run', { 'a.txt': 'b\n' })
    await shop.run('Second run', { 'a.txt': 'c\n' })
    await host.open(shop)
    // It is drawn after the rows of the runs, and moves those below it.
    await entry(host.page, /^Start of run/).waitFor()
  })

  /** Moves the pointer to the middle of an element and presses it. */
  const press = async (target: Locator): Promise<void> => {
    const box = await target.boundingBox()
    if (!box) throw new Error('the element is not visible')
    await host.page.mouse.move(box.x + Math.min(40, box.width / 2), box.y + box.height / 2)
    await host.page.mouse.down()
  }

  scenario('[UI-3] rows that arrive while one is pressed, in the timeline and in the versions of a file', {
    '[UI-3] rows that arrive while it is pressed are shown after the release': async () => {
      const { page } = host
      const first = entry(page, /^Run, .*First run/)
      await press(first)
      await shop.run('Third run', { 'a.txt': 'd\n' })
      // The page has it: the newest run is shown as long as none is chosen.
      await page.getByText('Third run').first().waitFor()
      expect(await entry(page, /^Run, .*Third run/).count()).toBe(0)
      await page.mouse.up()
      await entry(page, /^Run, .*Third run/).waitFor()
      await expect.poll(() => first.getAttribute('aria-selected')).toBe('true')
    },

    '[UI-3] so it is in the versions of a file': async () => {
      const { page } = host
      await fileRow(page, /^a\.txt/).click()
      await diffPane(page).locator('main').focus()
      await page.keyboard.press('Alt+h')
      const second = page.getByRole('option', { name: /^Second run/ })
      const count = page.getByText(/^\d+ versions$/)
      const before = await count.textContent()
      await press(second)
      await shop.run('Fourth run', { 'a.txt': 'e\n' })
      await expect.poll(() => count.textContent()).not.toBe(before)
      await page.mouse.up()
      await page.getByRole('option', { name: /^Fourth run/ }).waitFor()
      await expect.poll(() => second.getAttribute('aria-selected')).toBe('true')
      await page.keyboard.press('Escape')
    },

    '[UI-3] a banner that arrives while a button is pressed does not move the button away': async () => {
      const { page } = host
      await press(page.getByRole('button', { name: /^Restore to start/ }).first())
      shop.edit({ 'a.txt': 'mine\n', 'b.txt': 'new\n' })
      await entry(page, /^2 files changed outside/).waitFor()
      expect(await page.getByRole('region', { name: 'Notice' }).count()).toBe(0)
      await page.mouse.up()
      await previewRows(page)
      await page.getByRole('region', { name: 'Notice', includeHidden: true }).waitFor()
    },

    '[UI-3] a key reaches the row that was just pressed, before the button is released': async () => {
      const { page } = host
      const conflict = preview(page).getByRole('treeitem', { name: /^a\.txt, .*Keep mine\./ })
      await conflict.focus()
      await press(preview(page).getByRole('treeitem', { name: /^b\.txt/ }))
      await page.keyboard.press(' ')
      await page.mouse.up()
      await preview(page)
        .getByRole('treeitem', { name: /^b\.txt, .*Delete\./ })
        .waitFor()
      await conflict.waitFor()
      await page.keyboard.press('Escape')
    }
  })
})
