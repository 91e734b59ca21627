/** [UI-3] A click selects the row that was pressed, also when new rows arrive before the button is released. */
import { beforeAll, expect } from 'vitest'
import { useProject } from '../../support/project.ts'
import { scenario } from '../../support/scenario.ts'
import { diffPane, entry, fileRow } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

inOneHost('a pressed row in the %s host', (name) => {
  const shop = useProject({ 'a.txt': 'a\n' })
  const host = useWindow(name)

  beforeAll(async () => {
    shop.driftline('add', shop.root)
    await shop.run('First run', { 'a.txt': 'b\n' })
    await shop.run('Second run', { 'a.txt': 'c\n' })
    await host.open(shop)
  })

  scenario('[UI-3] rows that arrive while one is pressed, in the timeline and in the versions of a file', {
    '[UI-3] rows that arrive while it is pressed are shown after the release': async () => {
      const { page } = host
      const first = entry(page, /^Run, .*First run/)
      const box = await first.boundingBox()
      if (!box) throw new Error('the row is not visible')
      await page.mouse.move(box.x + 40, box.y + box.height / 2)
      await page.mouse.down()
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
      const box = await second.boundingBox()
      if (!box) throw new Error('the version is not visible')
      const count = page.getByText(/^\d+ versions$/)
      const before = await count.textContent()
      await page.mouse.move(box.x + 40, box.y + box.height / 2)
      await page.mouse.down()
      await shop.run('Fourth run', { 'a.txt': 'e\n' })
      await expect.poll(() => count.textContent()).not.toBe(before)
      await page.mouse.up()
      await page.getByRole('option', { name: /^Fourth run/ }).waitFor()
      await expect.poll(() => second.getAttribute('aria-selected')).toBe('true')
    }
  })
})
