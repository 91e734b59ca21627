/** [SH-4] [SH-6] A bundle dropped on the window is a review that can only be read, and is applied to a folder from there. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect } from 'vitest'
import { callHost, onlyWorkspace } from '../../support/call-host.ts'
import { dropFiles } from '../../support/drop.ts'
import { recordRun } from '../../support/host-runs.ts'
import { useProject } from '../../support/project.ts'
import { scenario } from '../../support/scenario.ts'
import { SOON } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

inOneHost('a bundle in the %s host', (name) => {
  const shop = useProject({ 'a.txt': 'one\ntwo\nthree\n' })
  const host = useWindow(name)
  let bundle = ''

  beforeAll(async () => {
    await host.open(shop)
    await recordRun(shop, 'Change the second line', { 'a.txt': 'one\n2\nthree\n' })
    bundle = join(shop.beside, 'sent.driftline')
    const comment = { target: 'latest', path: 'a.txt', from: 2, to: 2, text: 'Why a digit?' }
    await callHost(shop.dataDir, 'comments.add', { workspace: await onlyWorkspace(shop.dataDir), ...comment })
    shop.driftline('export', 'latest', '--bundle', bundle)
    writeFileSync(join(shop.root, 'a.txt'), 'one\ntwo\nthree\nfour\n')
  })

  scenario('[SH-6] a bundle is dropped, read and applied', {
    'the drop opens a review, with its diff and its comment and nothing to undo': async () => {
      const { page } = host
      await dropFiles(page, [bundle])
      await page.getByRole('region', { name: 'Review of a bundle' }).waitFor()
      await page.getByText('Why a digit?').waitFor()
      await expect
        .poll(() => page.getByRole('button', { name: /^Undo|^Restore/, disabled: false }).count(), SOON)
        .toBe(0)
    },
    'a merge of it is previewed and written into the folder': async () => {
      const { page } = host
      await page.getByRole('button', { name: 'Apply to…' }).click()
      await page.getByRole('menuitem', { name: /^shop/ }).click()
      await page.getByRole('radio', { name: /Merge/ }).waitFor()
      await page.getByRole('button', { name: /^Apply to 1 file/ }).click()
      await page.getByText(/Applied the changes to 1 file/).waitFor()
      expect(readFileSync(join(shop.root, 'a.txt'), 'utf8')).toBe('one\n2\nthree\nfour\n')
    },
    'closing the review leads to the first screen': async () => {
      const { page } = host
      await page.getByRole('button', { name: 'Close review' }).click()
      await page.getByRole('region', { name: 'Recent' }).waitFor()
    }
  })
})
