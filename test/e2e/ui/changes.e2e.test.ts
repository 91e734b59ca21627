/** One change of a run is undone from its bar; edits of others stay; the scroll position stays. */
import { beforeAll, expect, test } from 'vitest'
import { useProject } from '../../support/project.ts'
import { fileOf, type Tree } from '../../support/tree.ts'
import { becomes, diffPane, entry, fileRow, MOD, preview, SOON, toast } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

const START = Array.from({ length: 80 }, (_, i) => `line ${i}\n`).join('')
const DONE = START.replace('line 5\n', 'LINE 5\n').replace('line 60\n', 'LINE 60\n')
const MINE = DONE.replace('line 50\n', 'line 50, mine\n')

inOneHost('changes in the %s host', (name) => {
  const shop = useProject({ 'a.txt': START })
  const host = useWindow(name)

  const text = (words: string): Tree => ({ 'a.txt': fileOf(words) })
  const bar = (n: number) => diffPane(host.page).getByRole('button', { name: `Undo this change… Change ${n} of 2` })

  beforeAll(async () => {
    await host.open(shop)
    await shop.run('Shout twice', { 'a.txt': DONE })
    shop.edit({ 'a.txt': MINE })
    await entry(host.page, /^Run, .*Shout twice/).click()
    await fileRow(host.page, /^a\.txt, modified/).click()
    await bar(1).waitFor()
  })

  test('[RS-11] one change is undone beside an outside edit; focus and position stay; keys undo and redo it, from its text, too', async () => {
    await diffPane(host.page).locator('main').focus()
    await host.page.keyboard.press('Alt+ArrowDown')
    await host.page.keyboard.press('Alt+z')
    await preview(host.page).getByText('Undo change 2 of “Shout twice” in a.txt').waitFor()
    await preview(host.page)
      .getByRole('radio', { name: /^Merge .*keep your 1 line/ })
      .waitFor()
    await preview(host.page).locator('.own-tag', { hasText: 'yours, ' }).waitFor()
    await host.page.keyboard.press('Escape')
    await preview(host.page).waitFor({ state: 'detached' })
    await bar(2).focus()
    const top = await bar(2).boundingBox()
    await host.page.keyboard.press('Enter')
    await preview(host.page).locator('footer .btn.primary:not([aria-disabled="true"])').click()
    await toast(host.page, 'Undid 1 change in a.txt').waitFor()
    const undone = text(MINE.replace('LINE 60\n', 'line 60\n'))
    await becomes(shop, undone)
    const taken = diffPane(host.page).getByRole('button', { name: 'Show in timeline Change 2 of 2' })
    await expect.poll(() => taken.evaluate((button) => button === document.activeElement)).toBe(true)
    expect((await taken.boundingBox())?.y).toEqual(top?.y)
    await host.page.keyboard.press(`${MOD}+z`)
    await becomes(shop, text(MINE))
    await bar(2).waitFor()
    // The text only reads: its keys are those of the window.
    await diffPane(host.page).locator('.monaco-editor .view-lines').last().click()
    await host.page.keyboard.press(`${MOD}+Shift+z`)
    await toast(host.page, 'Redid the restore of 1 file').waitFor()
    await becomes(shop, undone)
    // Else the bar below may be the one from before the redo.
    await taken.waitFor()
    await host.page.keyboard.press(`${MOD}+z`)
    await becomes(shop, text(MINE))
    await bar(2).waitFor()
  })

  // Long: the same is shown in versions.
  test('who wrote each line names the run and the person', { tags: ['long'] }, async () => {
    await diffPane(host.page).getByRole('button', { name: 'More', exact: true }).click()
    await host.page.getByRole('menuitem', { name: 'Who wrote each line' }).click()
    const who = (name: string) => diffPane(host.page).locator('.bl[data-index] .w', { hasText: name }).first()
    await who('initial snapshot').waitFor()
    await who('Shout twice').waitFor()
    await diffPane(host.page).locator('.bl[data-index]').first().press('End')
    await who('outside').waitFor()
    await host.page.getByRole('button', { name: 'Timeline', exact: true }).click()
    await bar(1).waitFor()
  })

  test('the facts and files of the run are copied as Markdown', async () => {
    await host.page.evaluate(() => {
      navigator.clipboard.writeText = async (text) => {
        document.title = text
      }
    })
    await entry(host.page, /^Run, .*Shout twice/).click()
    await host.page.getByRole('button', { name: 'More actions' }).click()
    await host.page.getByRole('menuitem', { name: 'Copy as Markdown' }).click()
    await toast(host.page, 'Copied the list of changed files as Markdown.').waitFor()
    const copied = await host.page.title()
    expect(copied).toContain('# Shout twice')
    expect(copied).toContain('| `a.txt` | modified | +2 | -2 |')
  })

  test('the end of the run is compared with the disk from the menu below the files; the editor is kept', async () => {
    const editor = await diffPane(host.page).locator('.text-view').elementHandle()
    const compare = host.page.locator('.pane-foot').getByRole('button')
    await compare.click()
    await host.page.getByRole('menuitemradio', { name: 'end of run → on disk now' }).click()
    await fileRow(host.page, /^a\.txt, modified, 1 line added, 1 deleted/).waitFor()
    await expect.poll(() => bar(1).count(), SOON).toBe(0)
    await compare.click()
    await host.page.getByRole('menuitemradio', { name: 'start → end of run' }).click()
    await bar(1).waitFor()
    expect(await editor?.evaluate((element) => element.isConnected)).toBe(true)
  })
})
