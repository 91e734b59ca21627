/**
 * The main job in both hosts: folders that cannot be recorded, one that is added, a run recorded, reviewed and opened in an editor,
 * outside edits undone, a restore, its undo and redo, and the folder found again after it was moved.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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
  /** Each start of the editor writes its arguments there, on a line. */
  const logOfEditor = (): string => join(shop.dataDir, 'opened')
  const opened = (): string => (existsSync(logOfEditor()) ? readFileSync(logOfEditor(), 'utf8') : '')

  beforeAll(async () => {
    original = shop.tree()
    spawnSync('git', ['init', '-q', shop.root])
    const editor = join(shop.dataDir, 'code')
    writeFileSync(editor, `#!/bin/sh\necho "$*" >> '${logOfEditor()}'\n`)
    chmodSync(editor, 0o755)
    const display = process.env.DISPLAY ? {} : { WAYLAND_DISPLAY: 'wayland-0' }
    await host.openEmpty(shop, { HOME: shop.beside, VISUAL: editor, ...display })
  })

  /** What the system's dialog answers in Electron. */
  const answerWith = (folder: string) =>
    host.app?.evaluate(({ dialog }, chosen) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] })
    }, folder)
  /** Typed in a browser; in Electron the result of the system dialog, because a missing folder cannot be dropped. */
  const chooseFolder = async (folder: string): Promise<void> => {
    if (name === 'server') return giveFolder(host, folder)
    await answerWith(folder)
    await host.page.getByRole('button', { name: /Choose folder/ }).click()
  }

  scenario(
    'a folder is added, a run recorded and reviewed, outside edits are undone, and a restore is undone and redone',
    {
      '[UI-37] the first screen says what Driftline is for, lists repositories, and has the cursor in the path':
        async () => {
          const { page } = host
          await page.getByRole('heading', { name: /See what your agents changed/ }).waitFor()
          if (name === 'server')
            await expect.poll(() => page.evaluate(() => document.activeElement?.id), SOON).toBe('folder-path')
          const nearby = page.getByRole('region', { name: 'Repositories on this computer' })
          await nearby.getByRole('button', { name: /^shop/ }).waitFor()
          const pictures = page.getByRole('region', { name: 'How it works' })
          for (const title of ['Run', 'Review', 'Undo']) await pictures.getByText(title, { exact: true }).waitFor()
          const described = await pictures
            .getByRole('img')
            .evaluateAll((all) => all.map((image) => image.ariaLabel ?? ''))
          expect(described.filter((words) => words.length > 30)).toHaveLength(3)
        },

      'a file is refused: its folder is offered or requested': async () => {
        const { page } = host
        await giveFolder(host, join(shop.root, 'README.md'))
        const zone = page.getByRole('region', { name: 'Open a folder' }).getByRole('alert')
        await zone
          .getByText(
            name === 'electron' ? 'README.md is a file' : 'That is a file. Choose the folder that contains it.'
          )
          .waitFor()
        await zone.getByRole('button', { name: name === 'electron' ? 'Cancel' : 'Choose another folder' }).click()
      },

      'a missing path is refused': async () => {
        await chooseFolder(join(shop.beside, 'nowhere'))
        await host.page.getByText('There is no folder at that path. Nothing was added. Check the path.').waitFor()
        await host.page.getByRole('button', { name: 'Choose another folder' }).click()
      },

      'a whole disk needs a confirmation, and Escape records nothing': async () => {
        const { page } = host
        await chooseFolder('/')
        await page.getByRole('alertdialog', { name: 'Record all of /?' }).getByText('is a whole disk').waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('alertdialog').waitFor({ state: 'detached' })
        await page.getByText('Drop a project folder here').waitFor()
        expect(await page.getByRole('region', { name: 'Recent' }).count()).toBe(0)
      },

      'Driftline’s own data folder is refused': async () => {
        writeFileSync(join(shop.dataDir, 'note.txt'), 'x')
        await giveFolder(host, shop.dataDir)
        await host.page.getByText(/belongs to Driftline's own data/).waitFor()
        await host.page.getByRole('button', { name: 'Choose another folder' }).click()
      },

      'a folder added on the first screen is copied and opens unchanged, and is not offered once it is recorded':
        async () => {
          const { page } = host
          await page.evaluate(() => {
            const names = (list: string) =>
              [...document.querySelectorAll(`[aria-label="${list}"] b`)].map(({ textContent }) => textContent)
            const listed = { twice: 0 }
            Object.assign(window, { listed })
            new MutationObserver(() => {
              const offered = names('Repositories on this computer')
              listed.twice += names('Recent').filter((name) => offered.includes(name)).length
            }).observe(document.body, { subtree: true, childList: true })
          })
          await giveFolder(host, shop.root)
          await timelineOf(page).waitFor()
          const twice = () => (window as unknown as { readonly listed: { readonly twice: number } }).listed.twice
          expect(await page.evaluate(twice)).toBe(0)
          await page.getByRole('heading', { name: 'No runs yet. Start your agent in this folder.' }).waitFor()
          await page.getByRole('contentinfo').getByText('6 files covered').waitFor()
          expect(shop.tree()).toEqual(original)
        },

      '[UI-37] with its path and Enter done, a newcomer undoes a run with one click and one key': async () => {
        const { page } = host
        await shop.run('Change both', { 'README.md': 'Oops\n' }, 'rm src/old.ts')
        await entry(page, /^Run, .*Change both.*ended/).waitFor()
        await page.getByRole('button', { name: 'Undo this run…' }).click()
        await preview(page).getByRole('button', { name: 'Undo 2 files' }).waitFor()
        await page.keyboard.press(`${MOD}+Enter`)
        await toast(page, /Undid .*2 files/).waitFor()
        await becomes(shop, original)
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

      '[UI-30] the key O opens the file in the editor, and the menu of a line opens it at its line': async () => {
        if (process.platform === 'win32') return
        const { page } = host
        const file = join(shop.root, 'src/cart.ts')
        await fileRow(page, /^cart\.ts/).press('o')
        await expect.poll(opened, SOON).toBe(`${file}\n`)
        const line = diffPane(page).locator('.editor.modified .view-line', { hasText: 'items.length * 119' })
        await line.click({ button: 'right' })
        await page.getByRole('menuitem', { name: 'Open in editor' }).click()
        await expect.poll(opened, SOON).toBe(`${file}\n--goto ${file}:2\n`)
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
      },

      'a missing folder has a banner; recording resumes where it is located': async () => {
        const { page } = host
        const moved = join(shop.beside, 'moved')
        renameSync(shop.root, moved)
        const banner = page.getByRole('region', { name: 'Notice' })
        await page
          .getByRole('contentinfo')
          .getByRole('button', { name: /Checked/ })
          .click()
        await banner.getByText(/^Folder .* not found/).waitFor()
        await answerWith(moved)
        await banner.getByRole('button', { name: 'Locate…' }).click()
        if (name === 'server') {
          const dialog = page.getByRole('dialog', { name: 'Where is shop now?' })
          await dialog.getByRole('textbox').fill(join(shop.beside, 'nowhere'))
          await dialog.getByRole('button', { name: 'Use this folder' }).click()
          await dialog.getByRole('alert').getByText('There is no folder at that path.').waitFor()
          await dialog.getByRole('textbox').fill(moved)
          await dialog.getByRole('button', { name: 'Use this folder' }).click()
        }
        await banner.getByText(/^Folder .* not found/).waitFor({ state: 'detached' })
        await page.getByRole('button', { name: 'Recording', exact: true }).waitFor()
        renameSync(moved, shop.root)
        expect(shop.tree()).toEqual(afterRun)
        renameSync(shop.root, moved)
        await entry(page, /^Run, .*Add tax to the cart/).waitFor()
      }
    }
  )
})
