/** A conflict is reviewed from three sides and resolved by keyboard; the files are written as announced. */
import { beforeAll, expect } from 'vitest'
import { violationsInLongForm } from '../../support/axe.ts'
import { useProject } from '../../support/project.ts'
import { scenario } from '../../support/scenario.ts'
import { fileOf, type Tree } from '../../support/tree.ts'
import {
  becomes,
  entry,
  fileRow,
  MOD,
  preview,
  previewRows,
  SOON,
  shownText,
  timelineOf,
  toast
} from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

const START = Array.from({ length: 20 }, (_, i) => `line ${i}\n`).join('')
const RUN = START.replace('line 3\n', 'RUN 3\nRUN 3b\n')
const MINE = (text: string) => text.replace('line 15\n', 'mine 15\n')

inOneHost('a conflict in the %s host', (name) => {
  const shop = useProject({ 'a.txt': START, 'b.txt': 'b\n', 'c.txt': 'c\n' })
  const host = useWindow(name)

  const shown = (): Promise<string> => shownText(preview(host.page))

  beforeAll(async () => {
    await host.open(shop)
    await shop.run('Change all', { 'a.txt': RUN, 'b.txt': 'B\n', 'c.txt': 'C\n' })
    shop.edit({ 'a.txt': MINE(RUN), 'b.txt': 'mine\n' })
    await entry(host.page, /^Run, .*Change all/).click()
    await fileRow(host.page, /^a\.txt, modified/).waitFor()
  })

  // Long: decisions has the sides of a preview and applies what is decided; rules.test.ts undoes that.
  scenario(
    '[RS-11] the changes are shown, both files resolved, and the undo of that asks again',
    { tags: ['long'] },
    {
      '[RS-11] shows the result, the run’s changes and others’ changes, and which lines are lost': async () => {
        const { page } = host
        await timelineOf(page).getByRole('treeitem', { selected: true }).focus()
        await page.keyboard.press('u')
        const rows = await previewRows(page)
        expect(rows.map((row) => row.split(',')[0])).toEqual(['a.txt', 'b.txt', 'c.txt'])
        await preview(page).getByText('Removes 2 lines and restores 1 line; your 1 line stays.').waitFor()
        await page.keyboard.press('v')
        await preview(page).getByRole('button', { name: 'The run’s changes', pressed: true }).waitFor()
        await expect.poll(shown, SOON).toContain('RUN 3b')
        expect(await violationsInLongForm(page)).toEqual([])
        await page.keyboard.press('v')
        await preview(page).getByRole('button', { name: 'Others since', pressed: true }).waitFor()
        await expect.poll(shown, SOON).not.toContain('RUN 3b')
        await expect.poll(shown, SOON).toContain('mine 15')
        await page.keyboard.press('v')
        await page.keyboard.press(' ')
        await preview(page).getByText('Replace removes your 1 line (line 17).').waitFor()
        await page.keyboard.press(' ')
        await preview(page).getByText('Nothing changes on disk; nothing is lost.').waitFor()
        expect(await violationsInLongForm(page)).toEqual([])
        await page.keyboard.press('Shift+Tab')
        await page.keyboard.press('Escape')
        await preview(page).waitFor({ state: 'detached' })
        expect(shop.tree()).toMatchObject({ 'a.txt': fileOf(MINE(RUN)), 'b.txt': fileOf('mine\n') })
      },

      'resolves both files at once, then one differently; the files are written as chosen': async () => {
        const { page } = host
        await timelineOf(page).getByRole('treeitem', { selected: true }).focus()
        await page.keyboard.press('u')
        await previewRows(page)
        await preview(page).getByRole('button', { name: 'For both' }).focus()
        await page.keyboard.press('Enter')
        await page.getByRole('menuitem', { name: 'Replace' }).focus()
        await page.keyboard.press('Enter')
        await preview(page)
          .getByRole('treeitem', { name: /^b\.txt, .*Replace\./ })
          .waitFor()
        await preview(page)
          .getByRole('treeitem', { name: /^a\.txt/ })
          .focus()
        await page.keyboard.press(' ')
        await page.keyboard.press(' ')
        await preview(page)
          .getByRole('treeitem', { name: /^a\.txt, .*Merge\./ })
          .waitFor()
        await page.keyboard.press(`${MOD}+Enter`)
        await toast(page, 'Undid changes in 3 files').waitFor()
        const after: Tree = { 'a.txt': fileOf(MINE(START)), 'b.txt': fileOf('b\n'), 'c.txt': fileOf('c\n') }
        await becomes(shop, after)
      },

      '[RS-13] undo after a later edit needs a decision and loses nothing without it': async () => {
        const { page } = host
        shop.edit({ 'b.txt': 'again mine\n' })
        await page.keyboard.press(`${MOD}+z`)
        await previewRows(page)
        await preview(page)
          .getByRole('treeitem', { name: /^b\.txt, .*Keep mine\./ })
          .focus()
        expect(await preview(page).getByRole('radio').locator('b').allInnerTexts()).toEqual(['Keep mine', 'Replace'])
        await page.keyboard.press('v')
        await preview(page).getByRole('button', { name: 'The restore’s changes', pressed: true }).waitFor()
        await page.keyboard.press('v')
        await expect.poll(shown, SOON).toContain('again mine')
        await page.keyboard.press(`${MOD}+Enter`)
        await toast(page, /^Undid the restore of 2 files/).waitFor()
        await becomes(shop, { 'a.txt': fileOf(MINE(RUN)), 'b.txt': fileOf('again mine\n'), 'c.txt': fileOf('C\n') })
      }
    }
  )
})
