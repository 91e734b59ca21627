/** Outside changes is reviewed file by file, change by change: accepted or undone, and both versions stay stored. */
import { beforeAll, expect } from 'vitest'
import { violationsInLongForm } from '../../support/axe.ts'
import { useProject } from '../../support/project.ts'
import { scenario } from '../../support/scenario.ts'
import { fileOf, type Tree } from '../../support/tree.ts'
import { becomes, diffPane, entry, fileRow, MOD, preview, previewRows, toast } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

const START = Array.from({ length: 40 }, (_, i) => `line ${i}\n`).join('')
const MINE = START.replace('line 5\n', 'mine 5\n').replace('line 30\n', 'mine 30\n')

inOneHost('reviewing outside changes in the %s host', (name) => {
  const shop = useProject({ 'a.txt': START, 'b.txt': 'b\n', 'c.txt': 'c\n' })
  const host = useWindow(name)
  let mine: Tree
  const press = (keys: string) => host.page.keyboard.press(keys)
  const heading = (path: string) => diffPane(host.page).getByRole('heading', { name: path, exact: true })

  beforeAll(async () => {
    await shop.add()
    shop.edit({ 'a.txt': MINE, 'b.txt': 'mine\n', 'c.txt': 'mine\n' })
    mine = shop.tree()
    await host.open(shop)
    await host.page.getByRole('button', { name: 'Review', exact: true }).click()
    await fileRow(host.page, /^a\.txt, modified/).click()
  })

  scenario('file by file and change by change, then all at once', {
    '[DR-4] a change is undone, a file accepted and a file undone, by keyboard': async () => {
      const { page } = host
      await page.getByText('Both versions are stored. Accept leaves the files on disk as they are').waitFor()
      await page.getByRole('button', { name: 'Accept 3 files' }).waitFor()
      await diffPane(page).getByRole('button', { name: 'Undo this change… Change 2 of 2' }).waitFor()
      expect(await violationsInLongForm(page)).toEqual([])
      await diffPane(page).locator('main').focus()
      await press('Alt+ArrowDown')
      await press('Alt+z')
      await previewRows(page)
      await press(`${MOD}+Enter`)
      await toast(page, 'Undid 1 change in a.txt').waitFor()
      await becomes(shop, { ...mine, 'a.txt': fileOf(START.replace('line 5\n', 'mine 5\n')) })
      await fileRow(page, /^b\.txt/).click()
      await heading('b.txt').waitFor()
      await diffPane(page).locator('main').focus()
      await press('Shift+Alt+y')
      await toast(page, 'Accepted b.txt').waitFor()
      await fileRow(page, /^b\.txt/).waitFor({ state: 'detached' })
      await heading('c.txt').waitFor()
      await fileRow(page, /^c\.txt/).click()
      await press('r')
      await preview(page)
        .getByText(/^Undo outside changes/)
        .first()
        .waitFor()
      expect(await previewRows(page)).toEqual(['c.txt, modify.'])
      await press(`${MOD}+Enter`)
      await toast(page, 'Undid outside changes in 1 file').waitFor()
      await becomes(shop, { ...mine, 'a.txt': fileOf(START.replace('line 5\n', 'mine 5\n')), 'c.txt': fileOf('c\n') })
    },

    'the remaining files are accepted at once; an accepted file can still be undone from the timeline': async () => {
      const { page } = host
      await page.getByRole('button', { name: 'Accept 1 file' }).click()
      await entry(page, /changed outside, a\.txt.*accepted/).waitFor()
      await entry(page, /changed outside, b\.txt.*accepted/).click()
      await fileRow(page, /^b\.txt, modified/).waitFor()
      await page.getByRole('button', { name: 'Undo these changes…' }).first().click()
      await previewRows(page)
      await press(`${MOD}+Enter`)
      await becomes(shop, {
        'a.txt': fileOf(START.replace('line 5\n', 'mine 5\n')),
        'b.txt': fileOf('b\n'),
        'c.txt': fileOf('c\n')
      })
    }
  })
})
