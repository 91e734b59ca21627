/** A whole run is reviewed by keyboard: every change and every kind of file is kept or undone, and stays decided. */
import { beforeAll, expect } from 'vitest'
import { violations } from '../../support/axe.ts'
import { useProject } from '../../support/project.ts'
import { scenario } from '../../support/scenario.ts'
import { fileOf, type Tree } from '../../support/tree.ts'
import { becomes, diffPane, entry, fileRow, MOD, preview, previewRows, SOON, toast } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

const START = Array.from({ length: 60 }, (_, i) => `line ${i}\n`).join('')
const DONE = START.replace('line 5\n', 'LINE 5\n').replace('line 50\n', 'LINE 50\n')
const BINARY = Buffer.from([0, 1, 2, 3])

inOneHost('reviewing a run in the %s host', (name) => {
  const shop = useProject({
    'a.txt': START,
    'gone.txt': 'gone\n',
    'old.txt': START.replaceAll('line', 'row'),
    'pic.bin': BINARY,
    'tool.sh': 'go\n'
  })
  const host = useWindow(name)
  let done: Tree

  const bar = (n: number) => diffPane(host.page).locator('.change-bar', { hasText: `Change ${n} of 2` })
  const heading = (path: string) => diffPane(host.page).getByRole('heading', { name: path, exact: true })
  const press = (keys: string) => host.page.keyboard.press(keys)
  const apply = async (): Promise<void> => {
    await previewRows(host.page)
    await press(`${MOD}+Enter`)
    await preview(host.page).waitFor({ state: 'detached' })
  }

  beforeAll(async () => {
    await shop.add()
    await shop.run(
      'All kinds',
      { 'a.txt': DONE, 'new.txt': 'new\n', 'pic.bin': Buffer.from([0, 9, 9]) },
      'rm gone.txt && mv old.txt renamed.txt && chmod 755 tool.sh'
    )
    done = shop.tree()
    await host.open(shop)
    await entry(host.page, /^Run, .*All kinds/).click()
    await fileRow(host.page, /^a\.txt, modified/).click()
    await bar(1).waitFor()
    await diffPane(host.page).locator('main').focus()
  })

  // Long: changes are decided in changes and all-files, by keys in drift-review, and other kinds of files in its model.
  scenario(
    '[RS-11] changes are decided by keyboard, stay decided, and are decided anew',
    { tags: ['long'] },
    {
      '[RS-11] a change is kept, the next one undone; then the next file opens, up to the last one': async () => {
        await press('Alt+y')
        await bar(1).locator('.decided', { hasText: 'kept' }).waitFor()
        await expect.poll(() => bar(2).evaluate((one) => one.classList.contains('here'))).toBe(true)
        await press('Alt+z')
        await apply()
        await toast(host.page, 'Undid 1 change in a.txt').waitFor()
        const kept = Buffer.from(DONE.replace('LINE 50\n', 'line 50\n')).toString('base64')
        const after: Tree = { ...done, 'a.txt': `file 644 ${kept}` }
        await becomes(shop, after)

        await heading('gone.txt').waitFor()
        await diffPane(host.page).getByText('Deleted file: keep or undo as a whole').waitFor()
        await press('Alt+z')
        await apply()
        await becomes(shop, { ...after, 'gone.txt': fileOf('gone\n') })

        await heading('new.txt').waitFor()
        await press('Shift+Alt+z')
        await apply()
        const { 'new.txt': _, ...others } = after as Record<string, string>
        const rest: Tree = { ...others, 'gone.txt': fileOf('gone\n') }
        await becomes(shop, rest)

        await heading('pic.bin').waitFor()
        await diffPane(host.page).getByText('Binary file: keep or undo as a whole').waitFor()
        await press('Alt+y')
        await heading('old.txt → renamed.txt').waitFor()
        await press('Shift+Alt+y')
        await heading('tool.sh').waitFor()
        await diffPane(host.page).getByText('Only the permissions changed').waitFor()
        await press('Alt+y')
        await diffPane(host.page).getByText('All 6 files reviewed.').waitFor()
        expect(shop.tree()).toEqual(rest)
        expect(await violations(host.page)).toEqual([])
      },

      'decisions are kept when the file is reopened, and link to the restore in the timeline': async () => {
        await fileRow(host.page, /^new\.txt, added, undone, .*reviewed/).click()
        await diffPane(host.page).locator('.file-decision .decided', { hasText: 'undone' }).waitFor()
        await fileRow(host.page, /^a\.txt, modified/).click()
        await bar(1).locator('.decided', { hasText: 'kept' }).waitFor()
        await bar(2).locator('.decided', { hasText: 'undone' }).waitFor()
        await bar(2).hover()
        await bar(2).getByRole('button', { name: 'Show in timeline Change 2 of 2' }).click()
        await expect
          .poll(
            () =>
              entry(host.page, /^Undid changes in a\.txt/)
                .and(host.page.locator('[aria-selected="true"]'))
                .count(),
            SOON
          )
          .toBe(1)
      },

      'a file row has the same keys; Start over writes nothing': async () => {
        await entry(host.page, /^Run, .*All kinds/).click()
        const before = shop.tree()
        await diffPane(host.page).getByRole('button', { name: 'Start over' }).click()
        await fileRow(host.page, /^pic\.bin/).click()
        await press('Shift+Alt+y')
        await fileRow(host.page, /^pic\.bin, .*reviewed/).waitFor()
        await heading('old.txt → renamed.txt').waitFor()
        await press('Shift+Alt+z')
        await previewRows(host.page)
        await press('Escape')
        expect(shop.tree()).toEqual(before)
      }
    }
  )
})
