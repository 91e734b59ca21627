/** Several changed files, a folder of them, or single lines of a change are selected, and undone or kept together. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { violationsInLongForm } from '../../support/axe.ts'
import { useProject } from '../../support/project.ts'
import { scenario } from '../../support/scenario.ts'
import { fileOf, type Tree } from '../../support/tree.ts'
import { becomes, diffPane, entry, fileRow, MOD, preview, previewRows, SOON, toast } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

const OLD = ['one', 'two', 'three', 'four', 'five', 'six', 'seven']
const NEW = ['one', 'TWO', 'THREE', 'FOUR', 'five', 'more', 'six']
const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

const BEFORE = { 'lib/a.txt': 'a\n', 'lib/b.txt': 'b\n', 'src/c.txt': 'c\n', 'src/d.txt': 'd\n', 'e.txt': 'e\n' }

inOneHost('selecting parts of a run in the %s host', (name) => {
  const shop = useProject({ ...BEFORE, 'lines.txt': textOf(OLD), 'next.txt': 'next\n' })
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

  const bar = () => diffPane(host.page).locator('.change-bar')
  const button = (text: string) => bar().getByRole('button', { name: text })
  const read = () => readFileSync(join(shop.root, 'lines.txt'), 'utf8')
  const press = (keys: string) => host.page.keyboard.press(keys)
  /** Lines of the version after, counted from 1. */
  const select = async (first: number, last: number, file = /^lines\.txt/): Promise<void> => {
    await fileRow(host.page, file).focus()
    await press('Enter')
    await expect.poll(() => host.page.evaluate(() => document.activeElement?.closest('.text-view') !== null)).toBe(true)
    await press(`${MOD}+Home`)
    for (let line = 1; line < first; line++) await press('ArrowDown')
    for (let line = first; line < last; line++) await press('Shift+ArrowDown')
    await press('Shift+End')
  }

  beforeAll(async () => {
    await shop.add()
    await shop.run('Some lines', { 'lines.txt': textOf(NEW), 'next.txt': 'NEXT\n' })
    await shop.run('New file', { 'made.txt': textOf(OLD) })
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

  test('[UI-25] the menu of a folder offers to undo its files', async () => {
    const folder = fileRow(page, /^src, 2 changed files/)
    await folder.focus()
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Undo 2 files…' }).click()
    expect(await previewRows(page)).toEqual(['src/c.txt, modify.', 'src/d.txt, modify.'])
  })

  scenario('[RS-21] selected lines are undone or kept, and the rest of the change stays', {
    'the bar, the menu and the keys name the selected lines; without a selection they name the change': async () => {
      await entry(host.page, /^Run, .*Some lines/).click()
      await fileRow(host.page, /^lines\.txt, modified/).click()
      await button('Undo this change… Change 1 of 1').waitFor()
      await select(5, 5)
      await button('Undo this change… Change 1 of 1').waitFor()
      await select(3, 5)
      await button('Undo 2 lines… Change 1 of 1').waitFor()
      await button('Keep 2 lines Change 1 of 1').waitFor()
      await diffPane(host.page).getByRole('button', { name: 'More' }).click()
      await host.page.getByRole('menuitem', { name: 'Keep 2 lines' }).waitFor()
      await host.page.getByRole('menuitem', { name: 'Undo 2 lines…' }).click()
      await previewRows(host.page)
      await press('Escape')
      await preview(host.page).waitFor({ state: 'detached' })
    },

    'the preview shows the result, and exactly that is on disk': async () => {
      await select(3, 4)
      await press('Alt+z')
      await previewRows(host.page)
      const result = textOf(['one', 'TWO', 'three', 'four', 'five', 'more', 'six'])
      await preview(host.page)
        .getByRole('heading', { name: /Undo 2 lines of .* in lines\.txt/ })
        .waitFor()
      const shown = () =>
        preview(host.page)
          .locator('.editor.modified .view-lines[role="presentation"] .view-line')
          .evaluateAll((lines: HTMLElement[]) =>
            lines.toSorted((a, b) => a.offsetTop - b.offsetTop).map((line) => line.textContent)
          )
      await expect.poll(async () => textOf((await shown()).map(String)).trimEnd(), SOON).toBe(result.trimEnd())
      await press(`${MOD}+Enter`)
      await preview(host.page).waitFor({ state: 'detached' })
      await toast(host.page, 'Undid 2 lines in lines.txt').waitFor()
      expect(read()).toBe(result)
      await bar().locator('.decided', { hasText: 'partly undone' }).waitFor()
      await button('Undo this change… Change 1 of 1').waitFor()
    },

    'once the other lines are kept, the file is reviewed and the next one opens; nothing is written for that':
      async () => {
        const before = shop.tree()
        await select(1, 6)
        await button('Keep 2 lines Change 1 of 1').waitFor()
        await press('Alt+y')
        await bar().locator('.decided', { hasText: 'partly undone' }).waitFor()
        await select(7, 7)
        await button('Keep 1 line Change 1 of 1').click()
        await fileRow(host.page, /^lines\.txt, modified, .*reviewed/).waitFor()
        await diffPane(host.page).getByRole('heading', { name: 'next.txt', exact: true }).waitFor()
        expect(shop.tree()).toEqual(before)
      },

    'the undo of these lines is undone like any restore, and the file is to be reviewed again': async () => {
      await press(`${MOD}+z`)
      await expect.poll(read, SOON).toBe(textOf(NEW))
      await fileRow(host.page, /^lines\.txt, modified, (?!.*reviewed)/).waitFor()
    }
  })
  const decision = () => diffPane(host.page).locator('.file-decision')
  const readMade = () => readFileSync(join(shop.root, 'made.txt'), 'utf8')
  scenario('[RS-21] lines of a file that the run made', {
    'are what the bar above it keeps or undoes while they are selected': async () => {
      await entry(host.page, /^Run, .*New file/).click()
      await decision().getByRole('button', { name: 'Undo this file…' }).waitFor()
      await select(2, 3, /^made\.txt/)
      await decision().getByRole('button', { name: 'Undo 2 lines…' }).waitFor()
      await press('Alt+y')
      await decision().locator('.decided', { hasText: 'partly kept' }).waitFor()
      await press(`${MOD}+Home`)
      await decision().getByRole('button', { name: 'Undo this file…' }).waitFor()
    },

    'are undone by key, and the others stay': async () => {
      await select(5, 6, /^made\.txt/)
      await press('Alt+z')
      await preview(host.page)
        .getByRole('heading', { name: /Undo 2 lines of .* in made\.txt/ })
        .waitFor()
      await apply()
      expect(readMade()).toBe(textOf(OLD.toSpliced(4, 2)))
      await decision().locator('.decided', { hasText: 'partly undone' }).waitFor()
      await press(`${MOD}+z`)
      await expect.poll(readMade, SOON).toBe(textOf(OLD))
    }
  })
})
