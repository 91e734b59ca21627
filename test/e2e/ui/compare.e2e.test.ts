/** Any two entries of the timeline are compared by keyboard: the pair is named, swapped and closed. Its daily form is in address. */
import { beforeAll, expect, test } from 'vitest'
import { violationsInBothThemes } from '../../support/axe.ts'
import { callHost, onlyWorkspace } from '../../support/call-host.ts'
import { useProject } from '../../support/project.ts'
import { fileOf } from '../../support/tree.ts'
import { becomes, diffPane, entry, fileRow, MOD, previewRows } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

inOneHost('comparing two entries in the %s host', (name) => {
  const shop = useProject({ 'a.txt': 'one\n', 'b.txt': 'b\n' })
  const host = useWindow(name)
  const press = (keys: string) => host.page.keyboard.press(keys)
  const compare = () => host.page.locator('.pane-foot').getByRole('button').first()

  beforeAll(async () => {
    await host.open(shop)
    await shop.run('First', { 'a.txt': 'two\n' })
    const workspace = await onlyWorkspace(shop.dataDir)
    await callHost(shop.dataDir, 'checkpoint.create', { workspace, label: 'Middle' })
    await shop.run('Second', { 'a.txt': 'three\n', 'new.txt': 'new\n' })
    await shop.run('Third', { 'b.txt': 'B\n' })
    await entry(host.page, /^Run, .*Third/).click()
    await fileRow(host.page, /^b\.txt, modified/).waitFor()
  })

  test('Shift and arrows select the pair; X swaps it; Escape closes it', { tags: ['long'] }, async () => {
    await entry(host.page, /^Run, .*Second/).click()
    await entry(host.page, /^Run, .*Second/).focus()
    await fileRow(host.page, /^new\.txt, added/).waitFor()
    for (let i = 0; i < 3; i++) {
      await press('Shift+ArrowDown')
      if ((await host.page.locator(':focus').innerText()).includes('Middle')) break
    }
    await host.page.getByRole('heading', { level: 1, name: 'Comparing two entries' }).waitFor()
    await compare().getByText('“Middle” → end of “Second”').waitFor()
    await fileRow(host.page, /^a\.txt, modified/).waitFor()
    await fileRow(host.page, /^new\.txt, added/).waitFor()
    expect(await violationsInBothThemes(host.page)).toEqual([])
    await press('x')
    await compare().getByText('end of “Second” → “Middle”').waitFor()
    await fileRow(host.page, /^new\.txt, deleted/).waitFor()
    await press('Escape')
    await host.page.getByRole('heading', { level: 1, name: 'Comparing two entries' }).waitFor({ state: 'detached' })
  })

  test('a file of the pair is restored to the first position; buttons and palette do the same as keys', {
    tags: ['long']
  }, async () => {
    const before = shop.tree()
    await entry(host.page, /^Run, .*Third/).click()
    await entry(host.page, /^Run, .*First/).click({ modifiers: ['Shift'] })
    await compare().getByText('end of “First” → end of “Third”').waitFor()
    await fileRow(host.page, /^b\.txt, modified/).waitFor()
    await fileRow(host.page, /^a\.txt, modified/).click()
    await diffPane(host.page).getByRole('button', { name: 'Restore file…' }).click()
    expect(await previewRows(host.page)).toEqual(['a.txt, modify.'])
    await press(`${MOD}+Enter`)
    await becomes(shop, { ...before, 'a.txt': fileOf('two\n') })
    await host.page.locator('.pane-foot').getByRole('button', { name: 'Swap sides' }).click()
    await compare().getByText('end of “Third” → end of “First”').waitFor()
    await press(`${MOD}+k`)
    await host.page.keyboard.type('stop comparing')
    await press('Enter')
    await host.page.getByRole('heading', { level: 1, name: 'Comparing two entries' }).waitFor({ state: 'detached' })
  })

  test('[UI-10] a comparison is in the address: opening the folder again shows it, and Back leads out of it', {
    tags: ['long']
  }, async () => {
    const isCompared = host.page.getByRole('heading', { level: 1, name: 'Comparing two entries' })
    await entry(host.page, /^Run, .*Third/).click()
    await host.page.getByRole('heading', { level: 1, name: 'Third' }).waitFor()
    await entry(host.page, /^Run, .*First/).click({ modifiers: ['Shift'] })
    await isCompared.waitFor()
    await host.reopen()
    await isCompared.waitFor()
    await compare().getByText('end of “First” → end of “Third”').waitFor()
    await host.page.goBack()
    await host.page.getByRole('heading', { level: 1, name: 'Third' }).waitFor()
    await host.page.goForward()
    await isCompared.waitFor()
    await press('Escape')
    await isCompared.waitFor({ state: 'detached' })
  })

  test('compared from the disk to an older position, restored files are added', { tags: ['long'] }, async () => {
    shop.edit({ 'b.txt': 'mine\n' })
    await entry(host.page, /changed outside/).click()
    await entry(host.page, /^Run, .*First/).click({ modifiers: ['Shift'] })
    await fileRow(host.page, /^b\.txt, modified/).waitFor()
    await fileRow(host.page, /^new\.txt, added/).waitFor()
    await host.page.locator('.pane-foot').getByRole('button', { name: 'Swap sides' }).click()
    await fileRow(host.page, /^new\.txt, deleted/).waitFor()
  })
})
