/** The history of a file: every version with who made it, what it changed, who wrote each line; and back to any of them. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { violations, violationsInLongForm } from '../../support/axe.ts'
import { useProject } from '../../support/project.ts'
import { fileOf } from '../../support/tree.ts'
import {
  becomes,
  diffPane,
  entry,
  fileRow,
  MOD,
  preview,
  previewRows,
  SOON,
  shownText,
  toast
} from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

inOneHost('history of a file in the %s host', (name) => {
  const shop = useProject({ 'a.txt': 'one\n', 'b.txt': 'b\n' })
  const host = useWindow(name)
  const press = (keys: string) => host.page.keyboard.press(keys)
  const versions = () => host.page.getByRole('listbox', { name: 'Versions of a.txt' })
  const version = (name: string | RegExp) => versions().getByRole('option', { name })
  const focused = (of: { and(other: unknown): { waitFor(): Promise<void> } }) =>
    of.and(host.page.locator(':focus')).waitFor()
  const titles = () => versions().locator('.ttl').allInnerTexts()
  const view = (name: string) => host.page.getByRole('group', { name: 'View' }).getByRole('button', { name })

  beforeAll(async () => {
    await shop.add()
    await shop.run('Second version', { 'a.txt': 'one\ntwo\n' })
    shop.edit({ 'a.txt': 'one\ntwo\nmine\n' })
    await shop.check()
    await shop.run('Fourth version', { 'a.txt': 'one\ntwo\nmine\nfour\n', 'b.txt': 'B\n' })
    await host.open(shop)
  })
  beforeEach(async () => {
    await host.clear()
    if (await versions().isVisible()) await host.page.getByRole('button', { name: 'Timeline', exact: true }).click()
    await entry(host.page, /^Run, .*Fourth version/).click()
    await fileRow(host.page, /^a\.txt, modified/).click()
    await diffPane(host.page).locator('.change-bar').first().waitFor()
    await diffPane(host.page).locator('main').focus()
    await press('Alt+h')
    await focused(versions().getByRole('option'))
  })

  test('by keys: the versions, what one changed, its restore, and Undo', async () => {
    const before = shop.tree()
    await expect.poll(titles, SOON).toEqual(['Fourth version', 'Changed outside', 'Second version', 'Initial snapshot'])
    await diffPane(host.page).getByText('four', { exact: true }).waitFor()
    await press('End')
    await press('ArrowUp')
    await focused(version(/^Second version, .*1 line added/))
    await diffPane(host.page).getByText('four', { exact: true }).waitFor({ state: 'detached' })
    await diffPane(host.page).getByText('two', { exact: true }).waitFor()
    expect(await violationsInLongForm(host.page)).toEqual([])
    await press('r')
    await preview(host.page)
      .getByText(/^Restore a\.txt to the version of [\d:]+$/)
      .waitFor()
    await previewRows(host.page)
    await preview(host.page)
      .getByRole('treeitem', { name: /^a\.txt, .*Keep mine/ })
      .focus()
    await press(' ')
    await preview(host.page).getByText('Restores 1 file', { exact: true }).waitFor()
    await press(`${MOD}+Enter`)
    await becomes(shop, { ...before, 'a.txt': fileOf('one\ntwo\n') })
    await version(/^Restored/).waitFor()
    await version(/^Fourth version, .*undone/).waitFor()
    await toast(host.page, 'Restored 1 file').getByRole('button', { name: /^Undo/ }).click()
    await becomes(shop, before)
  })

  test('a version, and its difference to the disk', async () => {
    await version(/^Second version/).click()
    await view('Since then').click()
    await diffPane(host.page).locator('.line-insert').first().waitFor()
    await view('Text').click()
    await diffPane(host.page).locator('.line-insert').first().waitFor({ state: 'detached' })
    await expect.poll(() => shownText(diffPane(host.page)), SOON).toBe('one\ntwo')
  })

  test('who wrote each line, links to the run, and find in the file', async () => {
    await view('Who wrote each line').click()
    const lines = diffPane(host.page).getByRole('list', { name: 'a.txt, who wrote each line' })
    await lines.getByRole('listitem').filter({ hasText: 'initial snapshot' }).focus()
    await press('End')
    await focused(lines.getByRole('listitem').filter({ hasText: 'Fourth version' }))
    expect(await violationsInLongForm(host.page)).toEqual([])
    await press('Enter')
    const tip = host.page.getByRole('dialog', { name: 'line 4, Fourth version' })
    await focused(tip.getByRole('button', { name: 'Open run' }))
    expect(await violations(host.page)).toEqual([])
    await press('Escape')
    await focused(lines.getByRole('listitem').filter({ hasText: 'Fourth version' }))
    await host.page.getByRole('textbox', { name: 'Find in this file' }).fill('o')
    await diffPane(host.page).getByText('1/3').waitFor()
    await press('Enter')
    await diffPane(host.page).getByText('2/3').waitFor()
    await lines.getByRole('listitem').filter({ hasText: 'Fourth version' }).locator('.w').click()
    await tip.getByRole('button', { name: 'Undo in this file…' }).click()
    await preview(host.page).waitFor()
    await press('Escape')
    await preview(host.page).waitFor({ state: 'detached' })
  })

  test('Escape returns to the change; the row of the file also opens the history', async () => {
    await press('Escape')
    await diffPane(host.page).locator('.change-bar').first().waitFor()
    await fileRow(host.page, /^a\.txt/).click()
    await press('h')
    await focused(version(/^Fourth version|^Restored/).first())
    await host.page.getByRole('button', { name: 'Timeline', exact: true }).click()
    await entry(host.page, /^Run, .*Fourth version/).waitFor()
    await versions().waitFor({ state: 'detached' })
  })
})
