/** Several changed files, or a folder of them, are selected with the mouse or by key, and undone or kept together. */
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { violationsInLongForm } from '../../support/axe.ts'
import { useProject } from '../../support/project.ts'
import { fileOf, type Tree } from '../../support/tree.ts'
import { becomes, entry, fileRow, MOD, preview, previewRows, SOON } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

const BEFORE = { 'lib/a.txt': 'a\n', 'lib/b.txt': 'b\n', 'src/c.txt': 'c\n', 'src/d.txt': 'd\n', 'e.txt': 'e\n' }

inOneHost('selecting files in the %s host', (name) => {
  const shop = useProject(BEFORE)
  const host = useWindow(name)
  let page: Page
  let after: Tree

  const foot = (text: string) => page.getByRole('complementary', { name: 'Changed files' }).getByText(text)
  const selectedRows = () =>
    page
      .getByRole('tree', { name: 'Changed files' })
      .locator('[role="treeitem"][aria-selected="true"] .sr')
      .allInnerTexts()
      .then((names) => names.map((row) => row.split(',')[0]))
  const apply = async (): Promise<void> => {
    await previewRows(page)
    await page.keyboard.press(`${MOD}+Enter`)
    await preview(page).waitFor({ state: 'detached' })
  }
  /** The tree with some files as before the run. */
  const undone = (...paths: (keyof typeof BEFORE)[]): Tree => ({
    ...after,
    ...Object.fromEntries(paths.map((path) => [path, fileOf(BEFORE[path])]))
  })

  beforeAll(async () => {
    await shop.add()
    await shop.run(
      'Change all',
      Object.fromEntries(Object.entries(BEFORE).map(([path, text]) => [path, `${text}more\n`]))
    )
    after = shop.tree()
    page = await host.open(shop)
  })

  beforeEach(async () => {
    await host.clear()
    await page.evaluate(() => localStorage.removeItem('driftline.viewed'))
    await host.reopen()
    await entry(page, /^Run, .*Change all/).click()
    await fileRow(page, /^a\.txt/).click()
  })

  test('[UI-25] a Shift-click selects files from one to another and no text; all of them are undone together', async () => {
    await fileRow(page, /^c\.txt/).click({ modifiers: ['Shift'] })
    await foot('3 files selected').waitFor()
    await expect.poll(selectedRows, SOON).toEqual(['lib', 'a.txt', 'b.txt', 'c.txt'])
    expect(await page.evaluate(() => getSelection()?.toString())).toBe('')
    expect(await violationsInLongForm(page)).toEqual([])
    await page.getByRole('button', { name: 'Undo…', exact: true }).click()
    await apply()
    await becomes(shop, undone('lib/a.txt', 'lib/b.txt', 'src/c.txt'))
    await page.keyboard.press(`${MOD}+z`)
    await becomes(shop, after)
  })

  test('[UI-25] keys select, keep and undo several files; Escape ends the selection', async () => {
    await fileRow(page, /^a\.txt/).focus()
    await page.keyboard.press('Shift+ArrowDown')
    await foot('2 files selected').waitFor()
    await page.keyboard.press(' ')
    await fileRow(page, /^a\.txt, .*reviewed/).waitFor()
    await fileRow(page, /^b\.txt, .*reviewed/).waitFor()
    await page.keyboard.press('Escape')
    await foot('2 files selected').waitFor({ state: 'detached' })
    await page.keyboard.press(`${MOD}+a`)
    await foot('5 files selected').waitFor()
    await page.keyboard.press('r')
    await apply()
    await becomes(shop, undone(...(Object.keys(BEFORE) as (keyof typeof BEFORE)[])))
    await page.keyboard.press(`${MOD}+z`)
    await becomes(shop, after)
  })

  test('[UI-25] a Ctrl-click adds a file and takes it out again', { tags: ['long'] }, async () => {
    await fileRow(page, /^d\.txt/).click({ modifiers: ['ControlOrMeta'] })
    await fileRow(page, /^e\.txt/).click({ modifiers: ['ControlOrMeta'] })
    await foot('3 files selected').waitFor()
    await fileRow(page, /^d\.txt/).click({ modifiers: ['ControlOrMeta'] })
    await foot('2 files selected').waitFor()
    await expect.poll(selectedRows, SOON).toEqual(['a.txt', 'e.txt'])
    await fileRow(page, /^c\.txt/).click()
    await foot('2 files selected').waitFor({ state: 'detached' })
  })

  test('[UI-25] the menu of a folder undoes its files', async () => {
    const folder = fileRow(page, /^src, 2 changed files/)
    await folder.focus()
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Undo 2 files…' }).click()
    await apply()
    await becomes(shop, undone('src/c.txt', 'src/d.txt'))
    await page.keyboard.press(`${MOD}+z`)
    await becomes(shop, after)
  })
})
