/** Decisions in the preview are applied on disk: keep, replace, deselect, single file, stale plan, live run. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { violationsInBothThemes } from '../../support/axe.ts'
import { beginRun, type LiveRun } from '../../support/host-runs.ts'
import { useProject } from '../../support/project.ts'
import { fileOf, type Tree } from '../../support/tree.ts'
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

const before = { 'a.txt': 'a1\na2\na3\n', 'b.txt': 'b1\n', 'c.txt': 'c1\n' } as const

inOneHost('decisions in the %s host', (name) => {
  const shop = useProject(before)
  const host = useWindow(name)
  let original: Tree
  let live: LiveRun | undefined
  let n = 0

  const title = (): string => `Change all, ${n}`
  const openPreview = async (button: RegExp): Promise<void> => {
    await host.page.getByRole('button', { name: button }).first().click()
    await previewRows(host.page)
  }
  const apply = (): Promise<void> => preview(host.page).locator('footer .btn.primary').click()
  const closed = (): Promise<void> => preview(host.page).waitFor({ state: 'detached' })

  /** A run of another command at work in the folder. */
  const slow = async (writes: Readonly<Record<string, string>> = { 'slow.txt': `slow ${n}\n` }): Promise<LiveRun> => {
    live = await beginRun(shop, `Slow ${n}`, writes)
    await entry(host.page, new RegExp(`^Run, .*Slow ${n}, live .*1 file`)).waitFor()
    return live
  }

  beforeAll(async () => {
    original = shop.tree()
    await host.open(shop)
  })
  // Each test starts from a run of its own that changed all three files.
  beforeEach(async () => {
    n += 1
    live = undefined
    if (await preview(host.page).isVisible()) await host.page.keyboard.press('Escape')
    rmSync(join(shop.root, 'slow.txt'), { force: true })
    shop.edit(before)
    await shop.run(title(), { 'a.txt': `A1 ${n}\na2\na3\n`, 'b.txt': `B1 ${n}\n`, 'c.txt': `C1 ${n}\n` })
    await entry(host.page, new RegExp(`^Run, .*${title()}, .* ended`)).click()
    await host.page.getByRole('heading', { level: 1, name: title() }).waitFor()
    await fileRow(host.page, /^b\.txt, modified/).waitFor()
  })

  // A run that a test left live ends.
  afterEach(() => live?.end())

  test('a file edited outside after the run is kept by default; Replace writes it too, and Undo reverts that', async () => {
    shop.edit({ 'b.txt': 'mine\n' })
    const edited = shop.tree()
    await openPreview(/^Restore to start/)
    const row = (decision: string) =>
      preview(host.page).getByRole('treeitem', { name: new RegExp(`^b\\.txt, .*${decision}\\.`) })
    await row('Keep mine').waitFor()
    expect(await preview(host.page).getAttribute('role')).toBe('alertdialog')
    await preview(host.page).getByText('Restores 2 files', { exact: true }).waitFor()
    await row('Keep mine').click()
    await preview(host.page)
      .getByRole('radio', { name: /^Replace/ })
      .click()
    await row('Replace').waitFor()
    await preview(host.page).getByRole('button', { name: 'Restore 3 files' }).click()
    await toast(host.page, 'Restored 3 files').waitFor()
    await becomes(shop, original)
    await toast(host.page, 'Restored 3 files').getByRole('button', { name: /^Undo/ }).click()
    await toast(host.page, 'Undid the restore of 3 files').waitFor()
    await becomes(shop, edited)

    await openPreview(/^Restore to start/)
    await row('Keep mine').waitFor()
    await apply()
    await toast(host.page, 'Restored 2 files').waitFor()
    await becomes(shop, { ...original, 'b.txt': fileOf('mine\n') })
  })

  test('Escape closes a preview without effect; a deselected file is unchanged', { tags: ['long'] }, async () => {
    const afterRun = shop.tree()
    await openPreview(/^Restore to start/)
    await host.page.keyboard.press('Escape')
    await closed()
    expect(shop.tree()).toEqual(afterRun)
    await openPreview(/^Restore to start/)
    await preview(host.page)
      .getByRole('treeitem', { name: /^c\.txt/ })
      .click()
    await host.page.keyboard.press(' ')
    await preview(host.page)
      .getByRole('treeitem', { name: /^c\.txt, .*not selected/ })
      .waitFor()
    await preview(host.page).getByText('keeps 1').waitFor()
    await preview(host.page).getByRole('button', { name: 'Restore 2 files' }).click()
    await toast(host.page, 'Restored 2 files').waitFor()
    await becomes(shop, { ...original, 'c.txt': afterRun['c.txt'] } as Tree)
  })

  test('[UI-5] Undo this run proposes to merge with a later edit of another line; what stays stands out; its sides are shown by a key', async () => {
    shop.edit({ 'a.txt': `A1 ${n}\na2\na3\nmine\n`, 'b.txt': 'mine\n' })
    const edited = shop.tree()
    await openPreview(/^Undo this run/)
    await preview(host.page)
      .getByRole('treeitem', { name: /^a\.txt, .*Merge\./ })
      .waitFor()
    await preview(host.page)
      .getByRole('treeitem', { name: /^b\.txt, .*Keep mine\./ })
      .waitFor()
    const parts = preview(host.page).locator('.tally-part')
    await expect.poll(() => parts.allInnerTexts(), SOON).toEqual(['Restores 1 file', 'merges 1', 'keeps 1'])
    const colours = await parts.evaluateAll((all) => all.map((part) => getComputedStyle(part).color))
    expect(colours[0]).toBe(colours[1])
    expect(colours[2]).not.toBe(colours[0])
    await preview(host.page).getByRole('button', { name: 'Undo 2 files' }).waitFor()
    await preview(host.page)
      .getByRole('treeitem', { name: /^a\.txt/ })
      .focus()
    await host.page.keyboard.press('v')
    await preview(host.page).getByRole('button', { name: 'The run’s changes', pressed: true }).waitFor()
    await host.page.keyboard.press('v')
    await preview(host.page).getByRole('button', { name: 'Others since', pressed: true }).waitFor()
    await expect.poll(() => shownText(preview(host.page)), SOON).toContain('mine')
    await apply()
    await toast(host.page, 'Undid changes in 2 files').waitFor()
    await becomes(shop, { ...edited, 'a.txt': fileOf('a1\na2\na3\nmine\n'), 'c.txt': original['c.txt'] } as Tree)
  })

  test('Undo this run reverts its edits and merges with a later outside edit of another line', {
    tags: ['long']
  }, async () => {
    shop.edit({ 'a.txt': `A1 ${n}\na2\na3\nmine\n` })
    await openPreview(/^Undo this run/)
    await preview(host.page)
      .getByRole('treeitem', { name: /^a\.txt/ })
      .click()
    await preview(host.page)
      .getByRole('radio', { name: /^Merge/ })
      .click()
    await apply()
    await toast(host.page, 'Undid changes in 3 files').waitFor()
    await becomes(shop, { ...original, 'a.txt': fileOf('a1\na2\na3\nmine\n') })
  })

  test('[RS-13] Undo after an edit of another line offers a merge, which keeps both', { tags: ['long'] }, async () => {
    const afterRun = shop.tree()
    await openPreview(/^Undo this run/)
    await apply()
    await toast(host.page, 'Undid changes in 3 files').waitFor()
    shop.edit({ 'a.txt': 'a1\na2\na3\nmine\n' })
    await host.page.keyboard.press(`${MOD}+z`)
    await previewRows(host.page)
    await preview(host.page)
      .getByRole('treeitem', { name: /^a\.txt, .*Merge\./ })
      .click()
    await preview(host.page)
      .getByRole('radio', { name: /^Merge .*only these changes and keep your 1 line/ })
      .click()
    await preview(host.page)
      .getByText(/Removes 1 line and restores 1 line; your 1 line stays/)
      .waitFor()
    await apply()
    await closed()
    await becomes(shop, { ...afterRun, 'a.txt': fileOf(`A1 ${n}\na2\na3\nmine\n`) })
  })

  test('Undo file writes that file and no other', async () => {
    const afterRun = shop.tree()
    await fileRow(host.page, /^b\.txt/).click()
    await diffPane(host.page).getByRole('heading', { name: 'b.txt' }).waitFor()
    await diffPane(host.page).getByRole('button', { name: 'Undo file…' }).click()
    expect(await previewRows(host.page)).toEqual(['b.txt, modify.'])
    await apply()
    await toast(host.page, 'Undid changes in 1 file').waitFor()
    await becomes(shop, { ...afterRun, 'b.txt': original['b.txt'] } as Tree)
  })

  test('[RS-2] after an edit between preview and apply nothing is written until the new preview is shown', {
    tags: ['long']
  }, async () => {
    await openPreview(/^Restore to start/)
    shop.edit({ 'c.txt': 'written while reading\n' })
    const edited = shop.tree()
    await host.page.keyboard.press(`${MOD}+Enter`)
    await preview(host.page)
      .getByText(/changed while you were reading\. Nothing was written\./)
      .waitFor()
    await host.page.keyboard.press(`${MOD}+Enter`)
    expect(shop.tree()).toEqual(edited)
    await preview(host.page).getByRole('button', { name: 'Refresh preview' }).click()
    await preview(host.page)
      .getByRole('treeitem', { name: /^c\.txt, .*Keep mine\./ })
      .waitFor()
    expect(shop.tree()).toEqual(edited)
    await host.page.keyboard.press(`${MOD}+Enter`)
    await toast(host.page, 'Restored 2 files').waitFor()
    await becomes(shop, { ...original, 'c.txt': fileOf('written while reading\n') })
  })

  test('[RS-8] while a run is live, nothing is restored until a person chooses or it stops', {
    tags: ['long']
  }, async () => {
    const run = await slow({ 'c.txt': 'from the slow run\n' })
    const during = shop.tree()
    await openPreview(/^Restore to start/)
    await preview(host.page).getByText('A command is running here. It may overwrite what you restore.').waitFor()
    await host.page.keyboard.press(`${MOD}+Enter`)
    expect(shop.tree()).toEqual(during)
    await run.end()
    await preview(host.page)
      .getByText(/is running here\./)
      .waitFor({ state: 'detached' })
    const refresh = preview(host.page).getByRole('button', { name: 'Refresh preview' })
    // The last edits of the run may have changed the plan; then the preview is refreshed first.
    await expect
      .poll(async () => {
        if (await refresh.isVisible()) await refresh.click()
        return preview(host.page).locator('footer .btn.primary').getAttribute('aria-disabled')
      }, SOON)
      .toBeNull()
    expect(shop.tree()).toEqual(during)
    await host.page.keyboard.press(`${MOD}+Enter`)
    await closed()
    await becomes(shop, original)
  })

  const files = (): Tree => {
    const { 'slow.txt': _, ...rest } = shop.tree() as Record<string, string>
    return rest
  }

  const queue = async (): Promise<void> => {
    await openPreview(/^Undo this run/)
    await preview(host.page).getByRole('button', { name: 'When it stops', exact: true }).click()
    await preview(host.page).getByRole('button', { name: 'Undo 3 files when it stops' }).waitFor()
    await host.page.keyboard.press(`${MOD}+Enter`)
    await closed()
    await notice().getByText('will be applied when the run stops').waitFor()
  }
  const notice = () => host.page.getByRole('region', { name: 'Notice' })

  // Long: the queue is a test of the engine, its choice one of the dialog.
  test('[RS-22] an undo that is queued is done when the run stops, though the window left the folder meanwhile', {
    tags: ['long']
  }, async () => {
    const run = await slow()
    const during = files()
    await queue()
    expect(await violationsInBothThemes(host.page)).toEqual([])
    await host.reopen()
    await notice().getByRole('button', { name: 'Cancel' }).waitFor()
    expect(files()).toEqual(during)
    await run.end()
    await toast(host.page, 'The turn ended.').getByRole('button', { name: 'Undo' }).waitFor()
    await expect.poll(files, SOON).toEqual(original)
    await notice().getByText('will be applied when the run stops').waitFor({ state: 'detached' })
  })

  test('[RS-22] after a change that needs a decision it is held, and reviewed again', { tags: ['long'] }, async () => {
    const run = await slow()
    await queue()
    shop.edit({ 'b.txt': 'mine, meanwhile\n' })
    shop.driftline('status')
    const before = files()
    await run.end()
    await notice().getByText('was not applied when the turn ended').waitFor()
    expect(files()).toEqual(before)
    expect(await violationsInBothThemes(host.page)).toEqual([])
    await notice().getByRole('button', { name: 'Review…' }).click()
    await preview(host.page)
      .getByRole('treeitem', { name: /^b\.txt/ })
      .first()
      .waitFor()
    await host.page.keyboard.press('Escape')
    await closed()
    await notice().getByRole('button', { name: 'Discard' }).click()
    await notice().getByText('was not applied').waitFor({ state: 'detached' })
    expect(files()).toEqual(before)
  })

  test('[RS-8] a person can restore while the run is live', { tags: ['long'] }, async () => {
    const run = await slow()
    await openPreview(/^Undo this run/)
    await host.page.keyboard.press(`${MOD}+Enter`)
    await preview(host.page).getByRole('button', { name: 'Restore anyway…' }).click()
    await preview(host.page).getByRole('button', { name: 'Undo 3 files' }).waitFor()
    await host.page.keyboard.press(`${MOD}+Enter`)
    await toast(host.page, 'Undid changes in 3 files').waitFor()
    await expect.poll(files, SOON).toEqual(original)
    await run.end()
    expect(files()).toEqual(original)
  })
})
