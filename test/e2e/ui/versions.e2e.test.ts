/** Every version of a file is listed with who made it, compared with the disk, and restored through the preview. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violations } from '../../support/axe.ts'
import { BROWSER, type RunningHost } from '../../support/host.ts'
import {
  becomes,
  diffPane,
  entry,
  fileRow,
  HOSTS,
  MOD,
  type Project,
  preview,
  previewRows,
  project,
  shootFailures,
  toast,
  windowOn
} from '../../support/ui.ts'

describe.skipIf(!BROWSER).each(HOSTS)('versions of a file in the %s host', (name) => {
  let shop: Project
  let host: RunningHost
  shootFailures(() => host)
  const press = (keys: string) => host.page.keyboard.press(keys)
  const versions = () => host.page.getByRole('menu', { name: 'Versions of a.txt' })
  const listed = () =>
    versions()
      .getByRole('menuitemradio')
      .evaluateAll((all) => all.map((one) => one.textContent?.split(' · ')[1]))

  beforeAll(async () => {
    shop = project({ 'a.txt': 'one\n', 'b.txt': 'b\n' })
    shop.driftline('add', shop.root)
    await shop.run('Second version', { 'a.txt': 'one\ntwo\n' })
    shop.edit({ 'a.txt': 'one\ntwo\nmine\n' })
    shop.driftline('status')
    await shop.run('Fourth version', { 'a.txt': 'one\ntwo\nmine\nfour\n', 'b.txt': 'B\n' })
    host = await windowOn(name, shop)
    await entry(host.page, /^Run, .*Fourth version/).click()
    await fileRow(host.page, /^a\.txt, modified/).click()
    await diffPane(host.page).locator('.change-bar').first().waitFor()
  })
  afterAll(async () => {
    await host?.close()
    shop?.[Symbol.dispose]()
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
    await becomes(shop, { ...before, 'a.txt': `file 644 ${Buffer.from('one\ntwo\n').toString('base64')}` })
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
