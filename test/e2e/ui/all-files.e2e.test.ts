/** All files of a run in one scroll: steps across files, folds with a reason, undo in the scroll, keys, few editors. */
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { violationsInBothThemes } from '../../support/axe.ts'
import { holdReplies } from '../../support/held-replies.ts'
import { useProject } from '../../support/project.ts'
import { scenario } from '../../support/scenario.ts'
import { fileOf } from '../../support/tree.ts'
import { becomes, diffPane, entry, fileRow, MOD, preview, previewRows, SOON } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

const text = (name: string, lines = 80) => Array.from({ length: lines }, (_, n) => `${name} line ${n}\n`).join('')
const change = (content: string, ...lines: number[]) =>
  lines.reduce((all, n) => all.replace(new RegExp(`line ${n}\n`), `LINE ${n}\n`), content)

const A = text('a')
const B = text('b')
const C = text('c')
const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/></svg>'
/** Editors that may exist at a time, whatever the number of files. */
const MOST_EDITORS = 20

inOneHost('all files in one scroll in the %s host', (name) => {
  const shop = useProject({
    'a.txt': A,
    'b.txt': B,
    'c.txt': C,
    'data.bin': Buffer.from([0, 1]),
    'package-lock.json': '{ "a": 1 }\n'
  })
  const host = useWindow(name)
  let page: Page

  const section = (path: string) => diffPane(page).getByRole('article', { name: path, exact: true })
  const isShown = (path: string) => section(path).and(page.locator('[data-shown]'))
  /** The chosen row of the list of files. */
  const chosen = (path: string | RegExp) => fileRow(page, path).and(page.locator('[aria-selected="true"]'))
  /** Whether a part of a file is in the visible part of the scroll. */
  const inView = (path: string, within = '.section-bar') =>
    section(path)
      .locator(within)
      .first()
      .evaluate((part) => {
        const view = part.closest('.all-files')?.getBoundingClientRect()
        const box = part.getBoundingClientRect()
        return view !== undefined && box.bottom > view.top && box.top < view.bottom
      })
  /** How far each step up moved the scroll. */
  const scrollUp = (way: { readonly steps: number; readonly px: number }) =>
    diffPane(page)
      .locator('.all-files')
      .evaluate(async (scroll, { steps, px }) => {
        const moved: number[] = []
        for (let step = 0; step < steps; step++) {
          const from = scroll.scrollTop
          scroll.scrollTop -= px
          for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
          moved.push(from - scroll.scrollTop)
        }
        return moved
      }, way)
  const focusIn = (path: string) => section(path).and(page.locator(':focus-within')).waitFor()

  beforeAll(async () => {
    page = await host.open(shop)
    await shop.run('Change few', {
      'a.txt': change(A, 5, 50),
      'b.txt': change(B, 5, 50),
      'c.txt': change(C, 70),
      'data.bin': Buffer.from([0, 9, 9]),
      'package-lock.json': '{ "a": 2 }\n',
      'logo.svg': PICTURE,
      'rows.txt': Array.from({ length: 2500 }, (_, n) => `${n + 1}\n`).join('')
    })
  })

  beforeEach(async () => {
    await host.clear()
    // Without the decisions and positions of the test before.
    await page.evaluate(() => localStorage.removeItem('driftline.viewed'))
    await host.reopen()
    await entry(page, /^Run, .*Change few/).click()
    await fileRow(page, /^a\.txt/).waitFor()
    const scroll = page.getByRole('button', { name: 'All files in one scroll' })
    await scroll.waitFor()
    if ((await scroll.getAttribute('aria-pressed')) === 'false') await page.keyboard.press('Alt+a')
    await fileRow(page, /^a\.txt/).click()
    await isShown('a.txt').waitFor()
  })

  test('[UI-21] a key and a button switch between one file and all of them, and a reload keeps the choice', {
    tags: ['long']
  }, async () => {
    await page.keyboard.press('Alt+a')
    await page.getByRole('main', { name: 'Changes of a.txt' }).waitFor()
    await page.getByRole('button', { name: 'All files in one scroll' }).click()
    await page.getByRole('main', { name: 'Changes of all files' }).waitFor()
    await page.reload()
    await page.getByRole('main', { name: 'Changes of all files' }).waitFor()
  })

  scenario('[UI-21] [UI-22] [UI-23] [UI-24] a person goes through all files by keys, by the list and by scrolling', {
    'a key and a button switch between one file and all of them': async () => {
      await page.keyboard.press('Alt+3')
      await page.keyboard.press('Alt+a')
      await page.getByRole('main', { name: 'Changes of a.txt' }).waitFor()
      await page.locator('[data-pane="diff"] :focus').first().waitFor()
      const button = page.getByRole('button', { name: 'All files in one scroll' })
      await button.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('main', { name: 'Changes of all files' }).waitFor()
      await button.and(page.locator(':focus')).waitFor()
      await isShown('a.txt').waitFor()
    },

    'the key for the next change leads from file to file, past folded ones, and back': async () => {
      await page.keyboard.press('Alt+3')
      await focusIn('a.txt')
      await page.keyboard.press('Alt+ArrowDown')
      await page.keyboard.press('Alt+ArrowDown')
      await chosen(/^b\.txt/).waitFor()
      await focusIn('b.txt')
      await expect.poll(() => inView('b.txt', '.change-bar.here'), SOON).toBe(true)
      await page.keyboard.press('Alt+ArrowDown')
      await page.keyboard.press('Alt+ArrowDown')
      await focusIn('c.txt')
      await page.keyboard.press('Alt+ArrowDown')
      await chosen(/^data\.bin/).waitFor()
      await focusIn('data.bin')
      await page.keyboard.press('Alt+ArrowDown')
      await chosen(/^logo\.svg/).waitFor()
      await page.keyboard.press('Alt+ArrowUp')
      await page.keyboard.press('Alt+ArrowUp')
      await focusIn('c.txt')
      await page.keyboard.press('Alt+ArrowUp')
      await focusIn('b.txt')
      await expect.poll(() => inView('b.txt', '.change-bar.here'), SOON).toBe(true)
      await expect.poll(() => section('b.txt').locator('.change-bar.here').innerText(), SOON).toContain('Change 2 of 2')
    },

    'a choice in the list scrolls to the file, and scrolling chooses the file at the top': async () => {
      await fileRow(page, /^c\.txt/).click()
      await isShown('c.txt').waitFor()
      await expect.poll(() => inView('c.txt'), SOON).toBe(true)
      await diffPane(page).locator('.all-files').hover()
      await page.mouse.wheel(0, -100_000)
      await chosen(/^a\.txt/).waitFor()
      await page.mouse.wheel(0, 100_000)
      await fileRow(page, /^a\.txt/)
        .and(page.locator('[aria-selected="false"]'))
        .waitFor()
    },

    'unchanged lines around a change are shown in steps, by key and by button': async () => {
      const lines = () => section('b.txt').locator('.editor.modified .view-line').count()
      await fileRow(page, /^b\.txt/).click()
      await isShown('b.txt').waitFor()
      await section('b.txt').getByText('38 hidden lines').waitFor()
      const before = await lines()
      await page.keyboard.press('Alt+3')
      await focusIn('b.txt')
      await page.keyboard.press('Alt+e')
      await section('b.txt').getByText('18 hidden lines').waitFor()
      await expect.poll(lines, SOON).toBeGreaterThan(before + 15)
      const fold = section('b.txt').locator('.editor.modified .diff-hidden-lines', { hasText: '18 hidden lines' })
      await fold.getByTitle('Click or drag to show more above').click()
      await section('b.txt').getByText('18 hidden lines').waitFor({ state: 'detached' })
    },

    'a folded file says why, and unfolds': async () => {
      await fileRow(page, /^package-lock\.json/).click()
      const lock = section('package-lock.json')
      const unfold = lock.getByRole('button', { name: 'Unfold this file' })
      await lock.getByText('Generated file').waitFor()
      expect(await unfold.getAttribute('aria-expanded')).toBe('false')
      expect(await lock.locator('.monaco-editor').count()).toBe(0)
      await unfold.focus()
      await page.keyboard.press('Enter')
      await isShown('package-lock.json').waitFor()
      await lock.getByRole('button', { name: 'Fold this file' }).click()
      await fileRow(page, /^rows\.txt/).click()
      await section('rows.txt').getByText('2,500 changed lines').waitFor()
    },

    'of a long file only the lines near the view are laid out, also at its end': async () => {
      await fileRow(page, /^rows\.txt/).click()
      const rows = section('rows.txt')
      await rows.getByRole('button', { name: 'Unfold this file' }).click()
      await isShown('rows.txt').waitFor()
      const line = (text: string) => rows.locator('.editor.modified .view-line', { hasText: new RegExp(`^${text}$`) })
      await line('3').click()
      await page.keyboard.press(`${MOD}+End`)
      await line('2500').waitFor()
      await expect
        .poll(() => line('2500').evaluate((row) => row.getBoundingClientRect().bottom < innerHeight), SOON)
        .toBe(true)
      expect(await rows.locator('.editor.modified .view-line').count()).toBeLessThan(200)
    },

    'the menu of a file names the selected lines until the file is folded': async () => {
      const rows = section('rows.txt')
      const keep = page.getByRole('menuitem', { name: /^Keep (this change|\d+ lines)/ })
      const openMenu = async () => {
        await rows.getByRole('button', { name: 'More' }).click()
        return (await keep.innerText()).split('\n')[0]
      }
      await page.keyboard.press('Shift+ArrowUp')
      await page.keyboard.press('Shift+ArrowUp')
      await rows.getByRole('button', { name: 'Keep 2 lines' }).waitFor()
      expect(await openMenu()).toBe('Keep 2 lines')
      await page.keyboard.press('Escape')
      await rows.getByRole('button', { name: 'Fold this file' }).click()
      expect(await openMenu()).toBe('Keep this change')
      await page.keyboard.press('Escape')
    }
  })

  test('[UI-21] the key for the next change waits for a file that is still loading', { tags: ['long'] }, async () => {
    const replies = await holdReplies(page)
    replies.hold('diff.file')
    await entry(page, /^Run, .*Change few/).click()
    await fileRow(page, /^a\.txt/).click()
    await section('a.txt').waitFor()
    await page.keyboard.press('Alt+3')
    await page.keyboard.press('Alt+ArrowDown')
    await page.keyboard.press('Alt+ArrowDown')
    replies.release()
    await section('a.txt').locator('.change-bar.here', { hasText: 'Change 1 of 2' }).waitFor()
    await focusIn('a.txt')
    await chosen(/^a\.txt/).waitFor()
  })

  test('a picture and a file without text have cards of their own', { tags: ['long'] }, async () => {
    await fileRow(page, /^logo\.svg/).click()
    await section('logo.svg').getByRole('img').first().waitFor()
    await fileRow(page, /^data\.bin/).click()
    await section('data.bin').getByText('No text to compare.').waitFor()
  })

  // Long: of a single file the same is shown, see changes and decisions.
  test('[RS-11] a change, then a file, is undone inside the scroll; the bytes on disk are those from before', {
    tags: ['long']
  }, async () => {
    const before = shop.tree()
    await fileRow(page, /^b\.txt/).click()
    await isShown('b.txt').waitFor()
    await section('b.txt').getByRole('button', { name: 'Undo this change… Change 1 of 2' }).focus()
    await page.keyboard.press('Alt+z')
    await previewRows(page)
    await page.keyboard.press(`${MOD}+Enter`)
    await preview(page).waitFor({ state: 'detached' })
    await becomes(shop, { ...before, 'b.txt': fileOf(change(B, 50)) })
    await section('b.txt').locator('.change-bar[data-mark="undone"]').waitFor()

    await section('c.txt').getByRole('button', { name: 'Undo file…' }).click()
    await previewRows(page)
    await page.keyboard.press(`${MOD}+Enter`)
    await preview(page).waitFor({ state: 'detached' })
    await becomes(shop, { ...before, 'b.txt': fileOf(change(B, 50)), 'c.txt': fileOf(C) })
    await section('c.txt').getByText('Undone', { exact: true }).waitFor()

    await page.keyboard.press(`${MOD}+z`)
    await page.keyboard.press(`${MOD}+z`)
    await becomes(shop, before)
  })

  test('[UI-22] a file that is kept folds as reviewed, and the next one takes its place', {
    tags: ['long']
  }, async () => {
    await page.keyboard.press('Alt+3')
    await focusIn('a.txt')
    await page.keyboard.press('Shift+Alt+y')
    await section('a.txt').getByText('Reviewed', { exact: true }).waitFor()
    await chosen(/^b\.txt/).waitFor()
    await focusIn('b.txt')
    await expect.poll(() => inView('b.txt'), SOON).toBe(true)
    await section('a.txt').getByRole('button', { name: 'Keep file' }).click()
    await isShown('a.txt').waitFor()
  })

  test('nothing in the scroll breaks WCAG 2.2 AA in two columns', { tags: ['long'] }, async () => {
    await isShown('b.txt').waitFor()
    await page.getByRole('button', { name: 'Split' }).click()
    await section('a.txt').locator('.side-by-side').waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Inline' }).click()
  })

  test('[UI-22] files that come into reach while a person scrolls up do not move the view', {
    tags: ['long']
  }, async () => {
    const paths = Array.from({ length: 24 }, (_, n) => `up/${String(n).padStart(2, '0')}.txt`)
    const contents = (change: (content: string) => string) =>
      Object.fromEntries(paths.map((path) => [path, change(text(path, 120))]))
    await shop.run('Make some', contents(String))
    await shop.run(
      'Change some',
      contents((content) => change(content, 5, 40, 75, 110))
    )
    await entry(page, /^Run, .*Change some.* ended/).click()
    await fileRow(page, /^23\.txt/).click()
    await isShown('up/23.txt').waitFor()
    await expect.poll(() => inView('up/23.txt'), SOON).toBe(true)
    const steps = await scrollUp({ steps: 80, px: 100 })
    expect(Math.max(...steps)).toBeLessThan(300)
    expect(Math.min(...steps)).toBeGreaterThan(-100)
  })

  test('[UI-22] a long file that comes into reach while a person scrolls up does not move the view to its cursor', {
    tags: ['long']
  }, async () => {
    const short = ['b', 'c', 'd', 'e', 'f'].map((name) => [`long/${name}.txt`, text(name, 120)])
    await shop.run('Make long ones', { 'long/a.txt': text('a', 700), ...Object.fromEntries(short) })
    await entry(page, /^Run, .*Make long ones.* ended/).click()
    await fileRow(page, /^f\.txt/).click()
    await isShown('long/f.txt').waitFor()
    await expect.poll(() => inView('long/f.txt'), SOON).toBe(true)
    const steps = await scrollUp({ steps: 60, px: 300 })
    expect(Math.max(...steps)).toBeLessThan(600)
  })

  test('[UI-22] a search in a long file leads to what it finds', { tags: ['long'] }, async () => {
    await shop.run('Make one to search', { 'search/a.txt': text('a', 700) })
    await entry(page, /^Run, .*Make one to search.* ended/).click()
    await isShown('search/a.txt').waitFor()
    await page.keyboard.press('Alt+3')
    await focusIn('search/a.txt')
    await page.keyboard.press(`${MOD}+f`)
    await section('search/a.txt').locator('.find-widget.visible').waitFor()
    await page.keyboard.type('line 666')
    // Line 666 of 700, each 18 px high.
    const scrolled = () =>
      diffPane(page)
        .locator('.all-files')
        .evaluate(({ scrollTop }) => scrollTop)
    await expect.poll(scrolled, SOON).toBeGreaterThan(10_000)
  })

  test('[UI-23] of 4,000 files only those near the view are loaded, whichever is chosen', {
    tags: ['long']
  }, async () => {
    await shop.run('Make very many', {}, 'mkdir many && seq 4000 | (cd many && split -l 1 -a 3 - file-)')
    await entry(page, /^Run, .*Make very many.* ended/).click()
    await fileRow(page, /^file-aaa, added/).click()
    await isShown('many/file-aaa').waitFor()
    await page.keyboard.press('End')
    await isShown('many/file-fxv').waitFor()
    await expect.poll(() => inView('many/file-fxv'), SOON).toBe(true)
    await section('many/file-fxv').locator('.editor.modified .view-line', { hasText: '4000' }).waitFor()
    expect(await section('many/file-fxv').getAttribute('aria-posinset')).toBe('4000')
    expect(await diffPane(page).getByRole('article').count()).toBeLessThan(MOST_EDITORS)
    expect(await diffPane(page).locator('.monaco-diff-editor').count()).toBeLessThan(MOST_EDITORS)
  })
})
