/** Every version of a file is listed with who made it, compared with the disk, and restored through the preview. */
import { beforeAll, expect, test } from 'vitest'
import { violations } from '../../support/axe.ts'
import { useProject } from '../../support/project.ts'
import { fileOf } from '../../support/tree.ts'
import { becomes, diffPane, entry, fileRow, MOD, preview, previewRows, toast } from '../../support/ui.ts'
import { inEachHost, useWindow } from '../../support/window.ts'

inEachHost('versions of a file in the %s host', (name) => {
  const shop = useProject({ 'a.txt': 'one\n', 'b.txt': 'b\n' })
  const host = useWindow(name)
  const press = (keys: string) => host.page.keyboard.press(keys)
  const versions = () => host.page.getByRole('menu', { name: 'Versions of a.txt' })
  const listed = () =>
    versions()
      .getByRole('menuitemradio')
      .evaluateAll((all) => all.map((one) => one.textContent?.split(' · ')[1]))

  beforeAll(async () => {
    shop.driftline('add', shop.root)
    await shop.run('Second version', { 'a.txt': 'one\ntwo\n' })
    shop.edit({ 'a.txt': 'one\ntwo\nmine\n' })
    shop.driftline('status')
    await shop.run('Fourth version', { 'a.txt': 'one\ntwo\nmine\nfour\n', 'b.txt': 'B\n' })
    await host.open(shop)
    await entry(host.page, /^Run, .*Fourth version/).click()
    await fileRow(host.page, /^a\.txt, modified/).click()
    await diffPane(host.page).locator('.change-bar').first().waitFor()
  })

  test('by keys: the list, one version against the disk, its restore, and Undo', async () => {
    const before = shop.tree()
    await diffPane(host.page).locator('main').focus()
    await press('Alt+h')
    await versions().waitFor()
    expect(await listed()).toEqual(['Fourth version', 'changed outside', 'Second version', 'from the first copy'])
    expect(await violations(host.page)).toEqual([])
    await press('End')
    await press('ArrowUp')
    await press('Enter')
    await diffPane(host.page)
      .getByText(/Second version → on disk now/)
      .waitFor()
    await diffPane(host.page).getByText('four', { exact: true }).waitFor()
    await expect.poll(() => diffPane(host.page).locator('.change-bar').count()).toBe(0)
    expect(await violations(host.page)).toEqual([])
    await diffPane(host.page).getByRole('button', { name: 'Restore this version…' }).focus()
    await press('Enter')
    await preview(host.page)
      .getByText(/^Restore a\.txt to the version of [\d:]+$/)
      .waitFor()
    await previewRows(host.page)
    await preview(host.page)
      .getByRole('treeitem', { name: /^a\.txt, .*Keep mine/ })
      .focus()
    for (let i = 0; i < 2 && !(await preview(host.page).getByText('Restores 1').isVisible()); i++) await press(' ')
    await press(`${MOD}+Enter`)
    await becomes(shop, { ...before, 'a.txt': fileOf('one\ntwo\n') })
    await toast(host.page, 'Restored 1 file').getByRole('button', { name: /^Undo/ }).click()
    await becomes(shop, before)
  })

  test('from the row of the file; and back to the change', async () => {
    await diffPane(host.page).getByRole('button', { name: 'Back to the change' }).click()
    await diffPane(host.page).locator('.change-bar').first().waitFor()
    await fileRow(host.page, /^b\.txt/).click()
    await fileRow(host.page, /^a\.txt/).click()
    await press('h')
    await versions().waitFor()
    expect((await listed()).slice(-1)).toEqual(['from the first copy'])
    await press('Escape')
    await versions().waitFor({ state: 'detached' })
  })
})
