/** Single lines of a change are selected in the diff and undone or kept, by keyboard. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect } from 'vitest'
import { violationsInBothThemes } from '../../support/axe.ts'
import { useProject } from '../../support/project.ts'
import { scenario } from '../../support/scenario.ts'
import { diffPane, entry, fileRow, MOD, preview, previewRows, SOON, toast } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

const OLD = ['one', 'two', 'three', 'four', 'five', 'six', 'seven']
const NEW = ['one', 'TWO', 'THREE', 'FOUR', 'five', 'more', 'six']
const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

inOneHost('reviewing lines in the %s host', (name) => {
  const shop = useProject({ 'a.txt': textOf(OLD), 'b.txt': 'b\n' })
  const host = useWindow(name)
  const bar = () => diffPane(host.page).locator('.change-bar')
  const button = (text: string) => bar().getByRole('button', { name: text })
  const read = () => readFileSync(join(shop.root, 'a.txt'), 'utf8')
  const press = (keys: string) => host.page.keyboard.press(keys)
  /** Lines of the version after, counted from 1. */
  const select = async (first: number, last: number): Promise<void> => {
    await fileRow(host.page, /^a\.txt/).focus()
    await press('Enter')
    await expect.poll(() => host.page.evaluate(() => document.activeElement?.closest('.text-view') !== null)).toBe(true)
    await press(`${MOD}+Home`)
    for (let line = 1; line < first; line++) await press('ArrowDown')
    for (let line = first; line < last; line++) await press('Shift+ArrowDown')
    await press('Shift+End')
  }

  beforeAll(async () => {
    await shop.add()
    await shop.run('Some lines', { 'a.txt': textOf(NEW), 'b.txt': 'B\n' })
    await host.open(shop)
    await entry(host.page, /^Run, .*Some lines/).click()
    await fileRow(host.page, /^a\.txt, modified/).click()
    await bar().waitFor()
  })

  scenario('[RS-21] selected lines are undone or kept, and the rest of the change stays', {
    'the bar, the menu and the keys name the selected lines; without a selection they name the change': async () => {
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
        .getByRole('heading', { name: /Undo 2 lines of .* in a\.txt/ })
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
      await toast(host.page, 'Undid 2 lines in a.txt').waitFor()
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
        await fileRow(host.page, /^a\.txt, modified, .*reviewed/).waitFor()
        await diffPane(host.page).getByRole('heading', { name: 'b.txt', exact: true }).waitFor()
        expect(shop.tree()).toEqual(before)
      },

    'the undo of these lines is undone like any restore': async () => {
      shop.driftline('undo', '--yes')
      expect(read()).toBe(textOf(NEW))
    },

    'the bar with selected lines breaks nothing of WCAG 2.2 AA, light or dark': async () => {
      await fileRow(host.page, /^a\.txt/).click()
      await select(3, 4)
      await button('Undo 2 lines… Change 1 of 1').waitFor()
      expect(await violationsInBothThemes(host.page)).toEqual([])
    }
  })
})
