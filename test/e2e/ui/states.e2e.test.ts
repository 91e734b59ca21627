/** Every empty and special state of a change with its message, and two versions of a picture compared. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { violationsInBothThemes } from '../../support/axe.ts'
import { useProject } from '../../support/project.ts'
import { LONG } from '../../support/scale.ts'
import { scenario } from '../../support/scenario.ts'
import type { Content, Tree } from '../../support/tree.ts'
import { becomes, diffPane, entry, fileRow, preview, SOON, timelineOf, toast } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

/** A one-pixel picture; `red` is its red value. */
function pixel(red: number): Buffer {
  const head = 'R0lGODlhAQABAIAAA'
  const bytes = Buffer.from(`${head}AAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7`, 'base64')
  bytes[13] = red
  return bytes
}

const picture = (color: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="1500"><rect width="2000" height="1500" fill="${color}"/></svg>\n`

const LARGE = LONG ? 21_000 : 30
const lines = (n: number, word: string): string => Array.from({ length: n }, (_, i) => `${word} ${i}\n`).join('')

/** The smallest size limit that can be set, bytes. */
const LIMIT = 1024 ** 2

const FILES: Readonly<Record<string, Content>> = {
  'picture.gif': pixel(1),
  'logo.svg': picture('teal'),
  'program.bin': Buffer.from([1, 0, 2, 0]),
  'long.txt': lines(LARGE, 'before'),
  'huge.dat': 'small at first\n',
  link: { link: 'eol.txt' },
  'tool.sh': { bytes: 'echo tool\n', mode: 0o644 },
  'former-totals.txt': 'stays\nthe\nsame\n',
  'eol.txt': 'one\ntwo\n',
  'hidden.txt': 'as\u200bbefore\nplain\n',
  '.env': 'TOKEN=first-secret\n',
  'gone.txt': 'was here\n',
  'latin.txt': Buffer.from('caf\xe9\n', 'latin1'),
  'wide.txt': Buffer.from('\ufeffcafé\nstays\n', 'utf16le'),
  'rewritten.txt': 'one\ntwo\n'
}
const CHANGED: Readonly<Record<string, Content>> = {
  'picture.gif': pixel(2),
  'logo.svg': picture('navy'),
  'program.bin': Buffer.from([1, 0, 3, 0]),
  'long.txt': lines(LARGE, 'after'),
  'tool.sh': { bytes: 'echo tool\n', mode: 0o755 },
  'eol.txt': 'one\r\ntwo\r\n',
  'hidden.txt': 'as\u200bbefore\npl\u202eain\u200b, and more\n',
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
  [/^totals\.txt, renamed, from former-totals\.txt/, ['Renamed from former-totals.txt, contents unchanged']],
  [/^eol\.txt, modified/, ['Only line endings changed (LF → CRLF)']],
  [/^hidden\.txt, modified/, ['3 hidden characters can make this code look different']],
  [/^\.env, modified, .*looks like secrets/, ['Values are masked here']],
  [/^new\.txt, added/, ['is new']],
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
      'mv former-totals.txt totals.txt && rm gone.txt link && ln -s tool.sh link && truncate -s 2M huge.dat'
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

  test('[UI-57] a hidden character of an added word is a box over the colour of the word', async () => {
    await fileRow(host.page, /^hidden\.txt/).click()
    const boxes = diffPane(host.page).locator('.editor.modified .unicode-highlight')
    await expect.poll(() => boxes.count(), SOON).toBe(3)
    const onTop = await boxes.evaluateAll((all) =>
      all.map((box) => {
        const { x, y, width, height } = box.getBoundingClientRect()
        const there = document.elementsFromPoint(x + width / 2, y + height / 2)
        return there.find((part) => part.classList.contains('cdr')) === box
      })
    )
    expect(onTop).toEqual([true, true, true])
  })

  test('[UI-26] a file that was only renamed shows both names whole, in the room that its lines would have', async () => {
    const names = fileRow(host.page, /^totals\.txt, renamed/).locator('.old-name, .new-name')
    const isCut = await names.evaluateAll((all) => all.map((name) => name.scrollWidth > name.clientWidth))
    expect(isCut).toEqual([false, false])
  })

  test('[UI-32] a picture is shown before and after, with its pixels; by swiping, before is left of the edge', async () => {
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
    await diffPane(host.page).getByRole('button', { name: 'Onion' }).click()
    await diffPane(host.page).getByRole('slider', { name: 'Opacity of the image after' }).waitFor()
  })

  test('[UI-32] a large picture fits its side, or is in full size and scrolls by keys', async () => {
    const { page } = host
    const widths = () =>
      page.getByRole('img', { name: /^logo\.svg, / }).evaluateAll((images) => images.map((image) => image.clientWidth))
    const fits = () => expect.poll(async () => Math.max(...(await widths())), SOON).toBeLessThan(400)
    const choose = (title: string) => diffPane(page).getByRole('button', { name: title, exact: true }).click()
    await fileRow(page, /^logo\.svg/).click()
    await page.getByRole('img', { name: 'logo.svg, after' }).waitFor()
    await choose('2-up')
    await fits()
    await choose('100 %')
    await expect.poll(widths, SOON).toEqual([2000, 2000])
    const after = page.getByRole('region', { name: 'The image after' })
    await after.focus()
    await page.keyboard.press('End')
    await expect.poll(() => after.evaluate((element) => element.scrollTop), SOON).toBeGreaterThan(0)
    expect(await violationsInBothThemes(page)).toEqual([])
    await choose('Fit')
    await fits()
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
    await diffPane(host.page).locator('.text-view :focus').waitFor({ state: 'attached' })
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
