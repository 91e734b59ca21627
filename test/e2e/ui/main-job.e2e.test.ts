/** The main job in both hosts: add a folder, record a run, review it, undo outside edits, restore, undo, redo. */
import { beforeAll, expect } from 'vitest'
import { useProject } from '../../support/project.ts'
import { scenario } from '../../support/scenario.ts'
import type { Tree } from '../../support/tree.ts'
import {
  becomes,
  diffPane,
  entry,
  fileRow,
  MOD,
  preview,
  previewRows,
  SOON,
  timelineOf,
  toast
} from '../../support/ui.ts'
import { giveFolder, inEachRealHost, useWindow } from '../../support/window.ts'

const FILES = {
  'README.md': '# Shop\n',
  'src/cart.ts': 'export function total(items: number[]) {\n  return items.length\n}\n',
  'src/old.ts': 'export const old = 1\n',
  'bin/start.sh': { bytes: '#!/bin/sh\necho start\n', mode: 0o644 },
  'data/latin.bin': Buffer.from([0, 255, 1, 254]),
  latest: { link: 'README.md' }
} as const

inEachRealHost('the main job in the %s host', (name) => {
  const shop = useProject(FILES)
  const host = useWindow(name)
  let original: Tree
  let afterRun: Tree

  beforeAll(async () => {
    original = shop.tree()
    await host.openEmpty(shop)
  })

  scenario(
    'a folder is added, a run recorded and reviewed, outside edits are undone, and a restore is undone and redone',
    {
      'a folder added on the first screen is copied and opens unchanged': async () => {
        const { page } = host
        await page.getByRole('heading', { name: /See what your agents changed/ }).waitFor()
        await giveFolder(host, shop.root)
        await timelineOf(page).waitFor()
        await page.getByRole('heading', { name: 'No runs yet. Start your agent in this folder.' }).waitFor()
        await page.getByRole('contentinfo').getByText('6 files covered').waitFor()
        expect(shop.tree()).toEqual(original)
      },

      'a run appears live, with its files and their differences': async () => {
        const { page } = host
        const done = shop.run(
          'Add tax to the cart',
          {
            'src/cart.ts': 'export function total(items: number[]) {\n  return items.length * 119\n}\n',
            'src/tax.ts': 'export const rate = 19\n',
            'bin/start.sh': { bytes: '#!/bin/sh\necho start\n', mode: 0o755 },
            'data/latin.bin': Buffer.from([0, 255, 1, 253])
          },
          'rm src/old.ts latest && ln -s src/cart.ts latest'
        )
        await entry(page, /^Run, .*Add tax to the cart/).waitFor()
        await done
        afterRun = shop.tree()
        await entry(page, /^Run, .*Add tax to the cart, .* 6 files, .* ended\./).click()
        for (const row of [
          /^cart\.ts, modified/,
          /^tax\.ts, added/,
          /^old\.ts, deleted/,
          /^start\.sh, permissions changed/,
          /^latin\.bin, modified, binary/,
          /^latest, .*link/
        ]) {
          await fileRow(page, row).waitFor()
        }
        await fileRow(page, /^cart\.ts/).click()
        const text = diffPane(page).locator('.monaco-diff-editor')
        await text.locator('.view-line', { hasText: 'items.length * 119' }).first().waitFor()
        await diffPane(page).getByRole('heading', { name: 'src/cart.ts' }).waitFor()
        await text.locator('.line-insert, .char-insert').first().waitFor()
        expect(shop.tree()).toEqual(afterRun)
      },

      'an outside edit shows a banner; Review shows it, Accept keeps it': async () => {
        const { page } = host
        shop.edit({ 'README.md': '# Shop\n\nBy hand.\n' })
        const edited = shop.tree()
        const banner = page.getByRole('region', { name: 'Notice' })
        await banner.getByText('1 file changed outside').waitFor()
        await banner.getByRole('button', { name: 'Review' }).click()
        await fileRow(page, /^README\.md, modified/).waitFor()
        await diffPane(page).locator('.view-line', { hasText: 'By hand.' }).first().waitFor()
        await banner.getByRole('button', { name: 'Accept' }).click()
        await toast(page, 'Accepted 1 outside change').waitFor()
        await banner.waitFor({ state: 'detached' })
        expect(shop.tree()).toEqual(edited)
        afterRun = edited
      },

      'Undo… reverts an outside edit and nothing else': async () => {
        const { page } = host
        shop.edit({ 'README.md': '# Not what I wanted\n', 'src/tax.ts': 'export const rate = 7\n' })
        await page.getByRole('region', { name: 'Notice' }).getByText('2 files changed outside').waitFor()
        await page.getByRole('button', { name: 'Undo…' }).first().click()
        expect((await previewRows(page)).sort()).toEqual(['README.md, modify.', 'src/tax.ts, modify.'])
        await preview(page).getByRole('button', { name: 'Undo 2 files' }).click()
        await toast(page, 'Undid outside changes in 2 files').waitFor()
        await preview(page).waitFor({ state: 'detached' })
        await becomes(shop, afterRun)
      },

      'the preview lists every file and its change; Enter writes nothing': async () => {
        const { page } = host
        await entry(page, /^Run, .*Add tax to the cart/).click()
        await page.getByRole('button', { name: 'Restore to start…' }).click()
        const rows = await previewRows(page)
        expect(rows.filter((row) => !row.startsWith('README.md')).sort()).toEqual([
          'bin/start.sh, change permissions.',
          'data/latin.bin, modify.',
          'latest, change link.',
          'src/cart.ts, modify.',
          'src/old.ts, recreate.',
          'src/tax.ts, delete.'
        ])
        await page.keyboard.press('Enter')
        await preview(page).locator('.monaco-diff-editor .view-line').first().waitFor()
        await page.keyboard.press('Enter')
        await preview(page).waitFor()
        expect(shop.tree()).toEqual(afterRun)
      },

      'Mod+Enter applies it, Ctrl+Z undoes it byte for byte, Ctrl+Shift+Z redoes it': async () => {
        const { page } = host
        const restored = { ...original, 'README.md': afterRun['README.md'] } as Tree
        await page.keyboard.press(`${MOD}+Enter`)
        await toast(page, /Restored 6 files/)
          .getByRole('button', { name: /^Undo/ })
          .waitFor()
        await preview(page).waitFor({ state: 'detached' })
        await becomes(shop, restored)

        await page.keyboard.press(`${MOD}+z`)
        await toast(page, 'Undid the restore of 6 files').waitFor()
        await becomes(shop, afterRun)

        await page.keyboard.press(`${MOD}+Shift+z`)
        await toast(page, 'Redid the restore of 6 files').waitFor()
        await becomes(shop, restored)

        await toast(page, 'Redid the restore').getByRole('button', { name: /^Undo/ }).click()
        await toast(page, 'Undid the restore of 6 files').waitFor()
        await becomes(shop, afterRun)
      },

      'the timeline lists all of it, newest first': async () => {
        const { page } = host
        const undid = /^Undid a restore of 6 files/
        await expect.poll(() => entry(page, '').first().textContent(), SOON).toMatch(undid)
        await entry(page, /^Redid a restore of 6 files/).waitFor()
        await entry(page, /^2 files changed outside, .* undone\./).waitFor()
        await entry(page, /^1 file changed outside, .* accepted\./).waitFor()
      }
    }
  )
})
