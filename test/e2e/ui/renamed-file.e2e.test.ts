/** A file that a run renamed and changed: its changes are decided one by one, and it keeps its new name. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useProject } from '../../support/project.ts'
import { diffPane, entry, fileRow, MOD, preview, previewRows, SOON } from '../../support/ui.ts'
import { useWindow } from '../../support/window.ts'

const text = (first: string, last: string): string =>
  [first, ...Array.from({ length: 30 }, (_, n) => `line ${n}`), last].map((line) => `${line}\n`).join('')

describe('a file that a run renamed and changed', { tags: ['browser'] }, () => {
  const shop = useProject({ 'old.txt': text('first', 'last') })
  const host = useWindow('server')

  // Long: renamed-hunks has the same without a browser.
  test('[RS-20] [RS-21] one change of a renamed file is undone, the other kept, and the file has its new name', {
    tags: ['long']
  }, async () => {
    const page = await host.open(shop)
    await shop.run('Rename it', { 'new.txt': text('FIRST', 'LAST') }, 'rm old.txt')
    await entry(page, /^Run, .*Rename it.* ended/).click()
    await fileRow(page, /^new\.txt, renamed, from old\.txt/).click()
    const bar = (n: number) => diffPane(page).locator('.change-bar', { hasText: `Change ${n} of 2` })
    await bar(1)
      .getByRole('button', { name: /^Undo this change/ })
      .click()
    expect(await previewRows(page)).toEqual(['new.txt, modify.'])
    await page.keyboard.press(`${MOD}+Enter`)
    await preview(page).waitFor({ state: 'detached' })
    await bar(1).locator('.decided', { hasText: 'undone' }).waitFor()
    await bar(2).getByRole('button', { name: /^Keep/ }).click()
    await fileRow(page, /^new\.txt, renamed, .*reviewed/).waitFor()
    await expect.poll(() => readFileSync(join(shop.root, 'new.txt'), 'utf8'), SOON).toBe(text('first', 'LAST'))
  })
})
