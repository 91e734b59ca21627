/** Comments in the diff: at their lines on both sides, kept as drafts, answered, resolved; sent in a bundle, which is read and applied. */
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { violationsInBothThemes, violationsInLongForm } from '../../support/axe.ts'
import { dropFiles } from '../../support/drop.ts'
import { createHookCalls } from '../../support/hook-calls.ts'
import { useProject } from '../../support/project.ts'
import { LONG } from '../../support/scale.ts'
import { scenario } from '../../support/scenario.ts'
import { fileOf } from '../../support/tree.ts'
import { diffPane, entry, fileRow, SOON } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

const START = Array.from({ length: 30 }, (_, i) => `line ${i + 1}\n`).join('')
const DONE = START.replace('line 5\n', 'LINE 5\n').replace('line 20\nline 21\n', '')

inOneHost('comments in the %s host', (name) => {
  const shop = useProject({ 'a.txt': START, 'b.txt': 'b\n' })
  const host = useWindow(name)
  let page: Page

  const thread = (text: string): Locator => diffPane(page).getByRole('article').filter({ hasText: text })
  const box = (label: string): Locator => diffPane(page).getByRole('textbox', { name: label })
  const show = async (): Promise<void> => {
    await entry(page, /^Run, .*Capitals/).click()
    await fileRow(page, /^a\.txt, modified/).click()
    await diffPane(page).locator('.change-bar').first().waitFor()
  }
  const paneBox = async () => {
    const box = await diffPane(page).boundingBox()
    if (!box) throw new Error('no diff is shown')
    return box
  }
  /** Whether an element is directly below a line that has a text, in the same editor. */
  const isBelow = async (element: Locator, text: string): Promise<boolean> => {
    const line = diffPane(page).locator('.view-line', { hasText: text }).last()
    const [above, below] = [await line.boundingBox(), await element.boundingBox()]
    return above !== null && below !== null && Math.abs(above.y + above.height - below.y) < 24
  }
  const goToChange = async (n: number): Promise<void> => {
    await diffPane(page).locator('main').focus()
    for (let i = 1; i < n; i++) await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(() => diffPane(page).locator('.diff-place').innerText(), SOON).toBe(`${n}/2`)
  }

  beforeAll(async () => {
    page = await host.open(shop)
    await createHookCalls(shop, 'session-1').changedRun('Capitals', { 'a.txt': DONE, 'b.txt': 'B\n' })
    await show()
  })

  scenario(
    '[RV-2] [UI-40] [SH-4] [SH-6] a comment is written, answered and resolved at its lines, by keyboard, and sent',
    {
      'C opens a box at the line of the cursor; what is typed there is a draft, also after a reload': async () => {
        await goToChange(1)
        await page.keyboard.press('c')
        await expect
          .poll(() => box('Comment on line 5').evaluate((field) => field === document.activeElement))
          .toBe(true)
        await page.keyboard.type('Why [5] capitals')
        await expect.poll(() => isBelow(box('Comment on line 5'), 'LINE 5')).toBe(true)
        expect(await violationsInLongForm(page)).toEqual([])
        await page.keyboard.press('Escape')
        await diffPane(page).getByText('Draft Why [5] capitals').waitFor()
        await (LONG ? page.reload() : host.reopen())
        await show()
        await diffPane(page).getByText('Draft Why [5] capitals').waitFor()
        await goToChange(1)
        await page.keyboard.press('c')
        await expect.poll(() => box('Comment on line 5').inputValue(), SOON).toBe('Why [5] capitals')
      },

      'Ctrl+Enter saves it, and it is at its line when its file is chosen again': async () => {
        await box('Comment on line 5').press('Control+Enter')
        await thread('Why [5] capitals').waitFor()
        await expect.poll(() => diffPane(page).locator('.comment-box').count()).toBe(0)
        await fileRow(page, /^b\.txt/).click()
        await diffPane(page).getByRole('heading', { name: 'b.txt' }).waitFor()
        await fileRow(page, /^a\.txt/).click()
        await expect.poll(() => isBelow(thread('Why [5] capitals'), 'LINE 5'), SOON).toBe(true)
        await expect.poll(() => thread('Why [5] capitals').innerText(), SOON).toContain('Open')
        expect(await violationsInBothThemes(page)).toEqual([])
      },

      '[UI-43] the rows of its file and its run count it while it is not resolved': async () => {
        await fileRow(page, /^a\.txt, .*1 unresolved comment/).waitFor()
        await entry(page, /^Run, .*Capitals.*1 unresolved comment/).waitFor()
      },

      'it is edited and answered': async () => {
        await thread('Why [5] capitals').getByRole('button', { name: 'Edit' }).click()
        await box('Edit comment').fill('Why **capitals**?')
        await box('Edit comment').press('Control+Enter')
        await thread('Why capitals?').locator('b', { hasText: 'capitals' }).waitFor()
        await thread('Why capitals?').getByRole('button', { name: 'Reply' }).click()
        await box('Reply').fill('And tests.')
        await box('Reply').press('Control+Enter')
        await thread('Why capitals?').getByText('And tests.').waitFor()
      },

      'a resolved thread is one line, and can be reopened': async () => {
        await thread('Why capitals?').getByRole('button', { name: 'Resolve' }).click()
        const resolved = diffPane(page).locator('.thread[data-state="resolved"]')
        await resolved.waitFor()
        expect(await resolved.innerText()).not.toContain('Why')
        await expect.poll(() => fileRow(page, /unresolved comment/).count(), SOON).toBe(0)
        await expect.poll(() => entry(page, /unresolved comment/).count(), SOON).toBe(0)
        expect(await violationsInLongForm(page)).toEqual([])
        await resolved.getByRole('button', { name: 'Reopen' }).click()
        await thread('Why capitals?').getByText('Open', { exact: true }).waitFor()
      },

      'a comment on deleted lines is below them, in two columns and in one': async () => {
        const deleted = diffPane(page).locator('.editor.original .view-line', { hasText: 'line 21' })
        await diffPane(page).getByRole('button', { name: 'Split' }).click()
        await diffPane(page).locator('.side-by-side').waitFor()
        await deleted.click({ button: 'right' })
        await page.getByRole('menuitem', { name: /^Comment on this line/ }).click()
        await box('Comment on line 21 before the change').fill('Keep this.')
        await page.keyboard.press('Control+Enter')
        await expect.poll(() => isBelow(thread('Keep this.'), 'line 21'), SOON).toBe(true)
        await diffPane(page).locator('main').focus()
        await page.keyboard.press('Alt+s')
        await expect.poll(() => diffPane(page).locator('.side-by-side').count()).toBe(0)
        await expect.poll(() => isBelow(thread('Keep this.'), 'line 21'), SOON).toBe(true)
        expect(await violationsInLongForm(page)).toEqual([])
      },

      'a comment on the whole file is above it, and is deleted': async () => {
        await diffPane(page).getByRole('button', { name: 'More', exact: true }).click()
        await page.getByRole('menuitem', { name: 'Comment on this file' }).click()
        await box('Comment on a.txt').fill('Too long.')
        await page.keyboard.press('Control+Enter')
        const above = diffPane(page).getByRole('region', { name: '1 comment on this file' })
        await above.getByRole('button', { name: 'Delete' }).click()
        await above.waitFor({ state: 'detached' })
      },

      'a box below the last line in view is scrolled into view, in one file and in all': async () => {
        await page.setViewportSize({ width: 1280, height: 520 })
        const isInView = async (): Promise<boolean> => {
          const [opened, pane] = [await diffPane(page).locator('.comment-box').boundingBox(), await paneBox()]
          return opened !== null && opened.y > pane.y && opened.y + opened.height <= pane.y + pane.height
        }
        const openAtEdge = async (): Promise<void> => {
          const { y, height } = await paneBox()
          const lines = await diffPane(page).locator('.editor.modified .view-line:visible').all()
          const places = await Promise.all(lines.map((line) => line.boundingBox()))
          const inPane = places.filter((line) => line !== null && line.y + line.height < y + height)
          const last = Math.max(...inPane.map((line) => line?.y ?? 0))
          await page.mouse.click(inPane[0]!.x + 40, last + 10, { button: 'right' })
          await page.getByRole('menuitem', { name: /^Comment on/ }).click()
          await diffPane(page).locator('.comment-box').waitFor()
          await expect.poll(isInView, SOON).toBe(true)
          await page.keyboard.press('Escape')
        }
        await openAtEdge()
        await page.keyboard.press('Alt+a')
        await diffPane(page).locator('.all-files .change-bar').first().waitFor()
        await openAtEdge()
        await page.keyboard.press('Alt+a')
        await diffPane(page).locator('.all-files').waitFor({ state: 'detached' })
        await host.clear()
      },

      'a bundle that is dropped on the window opens a review, with its diff and its comments and nothing to undo':
        async () => {
          const bundle = join(shop.beside, 'sent.driftline')
          shop.driftline('export', 'latest', '--bundle', bundle)
          shop.edit({ 'a.txt': `${START}mine\n`, 'b.txt': 'b\n' })
          await dropFiles(page, [bundle])
          await page.getByRole('region', { name: 'Review of a bundle' }).waitFor()
          await page.getByText('Why capitals?').waitFor()
          const actions = page.getByRole('button', { name: /^Undo|^Restore/, disabled: false })
          await expect.poll(() => actions.count(), SOON).toBe(0)
          expect(await page.getByRole('button', { name: /^(Reply|Resolve|Edit|Delete)$/ }).count()).toBe(0)
          await page
            .locator('.files')
            .getByRole('treeitem', { name: /a\.txt/ })
            .first()
            .hover()
          expect(
            await page
              .locator('.files')
              .getByRole('button', { name: /^Undo|^Restore/ })
              .count()
          ).toBe(0)
        },

      'a merge of it is previewed and written into the folder': async () => {
        await page.getByRole('button', { name: 'Apply to…' }).click()
        await page.getByRole('menuitem', { name: /^shop/ }).click()
        await page.getByRole('radio', { name: /Merge/ }).waitFor()
        await page.getByRole('button', { name: /^Apply to 2 files/ }).click()
        await page.getByText(/Applied the changes to 2 files/).waitFor()
        expect(shop.tree()).toEqual({ 'a.txt': fileOf(`${DONE}mine\n`), 'b.txt': fileOf('B\n') })
      },

      'closing the review leads to the first screen': async () => {
        await page.getByRole('button', { name: 'Close review' }).click()
        await page.getByRole('region', { name: 'Recent' }).waitFor()
      }
    }
  )
})
