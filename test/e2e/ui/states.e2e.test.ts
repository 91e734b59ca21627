/** Every empty, special and error state with its message, in both hosts. */
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { useProject } from '../../support/project.ts'
import { LONG } from '../../support/scale.ts'
import { scenario } from '../../support/scenario.ts'
import type { Content, Tree } from '../../support/tree.ts'
import { becomes, diffPane, entry, fileRow, preview, timelineOf, toast } from '../../support/ui.ts'
import { giveFolder, inEachRealHost, inOneHost, useWindow } from '../../support/window.ts'

/** A one-pixel picture; `red` is its red value. */
function pixel(red: number): Buffer {
  const head = 'R0lGODlhAQABAIAAA'
  const bytes = Buffer.from(`${head}AAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7`, 'base64')
  bytes[13] = red
  return bytes
}

const LARGE = LONG ? 21_000 : 30
const lines = (n: number, word: string): string => Array.from({ length: n }, (_, i) => `${word} ${i}\n`).join('')

/** The smallest size limit that can be set, bytes. */
const LIMIT = 1024 ** 2

const FILES: Readonly<Record<string, Content>> = {
  'picture.gif': pixel(1),
  'program.bin': Buffer.from([1, 0, 2, 0]),
  'long.txt': lines(LARGE, 'before'),
  'huge.dat': 'small at first\n',
  link: { link: 'eol.txt' },
  'tool.sh': { bytes: 'echo tool\n', mode: 0o644 },
  'sum.txt': 'stays\nthe\nsame\n',
  'eol.txt': 'one\ntwo\n',
  'hidden.txt': 'plain\n',
  '.env': 'TOKEN=first-secret\n',
  'gone.txt': 'was here\n',
  'latin.txt': Buffer.from('caf\xe9\n', 'latin1'),
  'wide.txt': Buffer.from('\ufeffcafé\nstays\n', 'utf16le'),
  'rewritten.txt': 'one\ntwo\n'
}
const CHANGED: Readonly<Record<string, Content>> = {
  'picture.gif': pixel(2),
  'program.bin': Buffer.from([1, 0, 3, 0]),
  'long.txt': lines(LARGE, 'after'),
  'tool.sh': { bytes: 'echo tool\n', mode: 0o755 },
  'eol.txt': 'one\r\ntwo\r\n',
  'hidden.txt': 'pl\u202eain\u200b\n',
  '.env': 'TOKEN=second-secret\n',
  'new.txt': 'is new\n',
  'latin.txt': Buffer.from('th\xe9\n', 'latin1'),
  'wide.txt': Buffer.from('\ufeffthé\nstays\n', 'utf16le'),
  'rewritten.txt': Buffer.from('\ufeffone\nTWO\n', 'utf16le')
}

/** Row of the changed files, and what the diff pane then says. */
const EXPECTED: readonly (readonly [RegExp, readonly (string | RegExp)[]])[] = [
  [/^program\.bin, modified, binary/, ['No text to compare. Restore works as usual.']],
  [/^huge\.dat, .*not stored: over the size limit/, ['Not stored: over the size limit', 'stored and can be restored']],
  [/^link, modified, link/, ['Link target changed', 'tool.sh', 'never followed']],
  [/^tool\.sh, permissions changed/, ['Now executable, contents unchanged', 'rw-r--r-- → rwxr-xr-x']],
  [/^total\.txt, renamed, from sum\.txt/, ['Renamed from sum.txt, contents unchanged']],
  [/^eol\.txt, modified/, ['Only line endings changed (LF → CRLF)']],
  [/^hidden\.txt, modified/, ['2 hidden characters can make this code look different']],
  [/^\.env, modified, .*looks like secrets/, ['Values are masked here']],
  [/^gone\.txt, deleted/, ['Deleted. It had 1 line.']],
  [
    /^latin\.txt, modified, 1 line added, 1 deleted/,
    ['Shown as Windows-1252 (guess). The stored bytes are unchanged.', 'thé']
  ],
  [/^wide\.txt, modified, 1 line added, 1 deleted/, ['Shown as UTF-16 LE. The stored bytes are unchanged.', 'thé']],
  [/^rewritten\.txt, modified/, ['The encoding changed: UTF-8 → UTF-16 LE.', 'TWO']]
]

inOneHost('states in the %s host', (name) => {
  const shop = useProject(FILES)
  const host = useWindow(name)
  let original: Tree

  beforeAll(async () => {
    original = shop.tree()
    await shop.call('settings.set', { key: 'capture.limit', value: String(LIMIT) })
    await shop.add()
    await shop.run(
      'Every kind of change',
      CHANGED,
      'mv sum.txt total.txt && rm gone.txt link && ln -s tool.sh link && truncate -s 2M huge.dat'
    )
    await shop.run('Only looked around', {})
    await host.open(shop)
  })
  beforeEach(async () => {
    await host.clear()
    await entry(host.page, /^Run, .*Every kind of change/).click()
    await fileRow(host.page, /^eol\.txt/).waitFor()
  })

  scenario(
    'each file shows its state',
    Object.fromEntries(
      EXPECTED.map(([row, sentences]) => [
        String(row),
        async () => {
          await fileRow(host.page, row).click()
          for (const sentence of sentences) await diffPane(host.page).getByText(sentence).first().waitFor()
        }
      ])
    )
  )

  test('a picture is shown before and after, with its pixels', async () => {
    await fileRow(host.page, /^picture\.gif/).click()
    await diffPane(host.page).getByRole('img', { name: 'picture.gif, before' }).waitFor()
    await diffPane(host.page).getByText('after, 1 × 1').waitFor()
    await diffPane(host.page).getByRole('button', { name: 'Swipe' }).click()
    const edge = diffPane(host.page).getByRole('slider', { name: 'Share of the image before' })
    await edge.fill('30')
    // Before is left of the edge, as its word is left of the slider.
    const clip = (side: string) =>
      diffPane(host.page)
        .locator(`.image-${side}`)
        .evaluate((image) => getComputedStyle(image).clipPath)
    expect([await clip('before'), await clip('after')]).toEqual(['inset(0px 70% 0px 0px)', 'inset(0px 0px 0px 30%)'])
  })

  test('a new file shows one side', async () => {
    await fileRow(host.page, /^new\.txt, added/).click()
    await diffPane(host.page).locator('.view-line', { hasText: 'is new' }).first().waitFor()
  })

  test('a secret is not in the page until a person reveals it', async () => {
    await fileRow(host.page, /^\.env/).click()
    const line = diffPane(host.page).locator('.view-line', { hasText: 'TOKEN=' }).first()
    await line.waitFor()
    expect(await host.page.content()).not.toContain('second-secret')
    await diffPane(host.page).getByRole('button', { name: 'Show', exact: true }).click()
    await diffPane(host.page).locator('.view-line', { hasText: 'second-secret' }).first().waitFor()
    await diffPane(host.page).getByRole('button', { name: 'Hide', exact: true }).click()
    await diffPane(host.page).locator('.view-line', { hasText: 'second-secret' }).first().waitFor({ state: 'detached' })
  })

  test('a long text is drawn on request', { tags: ['long'] }, async () => {
    await fileRow(host.page, /^long\.txt, modified, large/).click()
    await diffPane(host.page)
      .getByText(/21,000 lines/)
      .first()
      .waitFor()
    await diffPane(host.page).getByRole('button', { name: 'Show anyway' }).click()
    await diffPane(host.page).getByText('Shown side by side').waitFor()
    await diffPane(host.page)
      .locator('.view-line', { hasText: /^(before|after)/ })
      .first()
      .waitFor()
  })

  test('a run without changes has an empty state', async () => {
    await entry(host.page, /^Run, .*Only looked around, .*no changes/).click()
    await host.page.getByRole('heading', { name: 'This run changed no files.' }).waitFor()
  })

  test('a filter without matches can be cleared, in the timeline and in the files', async () => {
    const { page } = host
    const field = page.getByRole('textbox', { name: 'Filter the timeline' })
    await field.fill('no such run')
    await page.getByText('Nothing matches “no such run”.').waitFor()
    await timelineOf(page).getByRole('button', { name: 'Clear filter' }).click()
    await entry(page, /^Run, .*Every kind of change/).click()
    await page.getByRole('button', { name: 'Filter files' }).click()
    await page
      .getByRole('textbox', { name: /filter/i })
      .last()
      .fill('no such file')
    await page.getByText('Nothing matches “no such file”.').waitFor()
    await page.getByRole('complementary').getByRole('button', { name: 'Clear filter' }).last().click()
    await fileRow(page, /^eol\.txt/).waitFor()
  })

  test('the coverage dialog lists excluded files with reasons', async () => {
    const { page } = host
    shop.edit({ 'film.bin': Buffer.alloc(2 * LIMIT) })
    await page
      .getByRole('contentinfo')
      .getByRole('button', { name: /files covered/ })
      .click()
    const dialog = page.getByRole('dialog', { name: 'Coverage' })
    await dialog.getByText('film.bin').waitFor()
    await dialog
      .getByText(/over the size limit/i)
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    rmSync(join(shop.root, 'film.bin'))
  })

  test('everything is restored byte for byte, and undone, also a file that was over the size limit', async () => {
    const { page } = host
    const afterRun = shop.tree()
    await page.getByRole('button', { name: 'Restore to start…' }).click()
    await preview(page)
      .getByRole('treeitem', { name: /^huge\.dat, modify/ })
      .waitFor()
    await preview(page).locator('footer .btn.primary').click()
    await preview(page).waitFor({ state: 'detached' })
    await toast(page, /^Restored/).waitFor()
    await becomes(shop, original)
    await toast(page, /^Restored/)
      .getByRole('button', { name: /^Undo/ })
      .click()
    await becomes(shop, afterRun)
  })
})

inEachRealHost('a folder that cannot be recorded, or is missing, in the %s host', (name) => {
  const shop = useProject({ 'a.txt': 'a\n' })
  const host = useWindow(name)

  beforeAll(async () => {
    await host.openEmpty(shop)
    await host.page.getByRole('heading', { name: /See what your agents changed/ }).waitFor()
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

  scenario('it is refused with the reason; one that is moved is located, and recording resumes there', {
    'a file: its folder is offered or requested': async () => {
      const { page } = host
      await giveFolder(host, join(shop.root, 'a.txt'))
      const zone = page.getByRole('region', { name: 'Open a folder' }).getByRole('alert')
      await zone
        .getByText(name === 'electron' ? 'a.txt is a file' : 'That is a file. Choose the folder that contains it.')
        .waitFor()
      await zone.getByRole('button', { name: name === 'electron' ? 'Cancel' : 'Choose another folder' }).click()
    },

    'a missing path': async () => {
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

    'Driftline’s own data folder': async () => {
      writeFileSync(join(shop.dataDir, 'note.txt'), 'x')
      await giveFolder(host, shop.dataDir)
      await host.page.getByText(/belongs to Driftline's own data/).waitFor()
      await host.page.getByRole('button', { name: 'Choose another folder' }).click()
    },

    'a missing folder has a banner; recording resumes where it is located': async () => {
      const { page } = host
      await giveFolder(host, shop.root)
      await timelineOf(page).waitFor()
      await page.getByRole('contentinfo').getByText('1 file covered').waitFor()
      await shop.run('Change it', { 'a.txt': 'b\n' })
      const moved = join(shop.beside, 'moved')
      const before = shop.tree()
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
      expect(shop.tree()).toEqual(before)
      renameSync(shop.root, moved)
      await entry(page, /^Run, .*Change it/).waitFor()
    }
  })
})
