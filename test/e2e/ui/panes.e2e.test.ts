/** What the panes say while they load, where Escape and choices lead the focus, and what can be read in their rows. */
import type { Locator, Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type HeldReplies, interceptReplies } from '../../support/held-replies.ts'
import { useProject } from '../../support/project.ts'
import {
  becomes,
  diffPane,
  entry,
  fileRow,
  inEditor,
  MOD,
  preview,
  previewRows,
  timelineOf,
  toast
} from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

/** Its folders are wider than a bar in any font. */
const LONG = `packages/renderer/features/${'agents/integrations/'.repeat(4)}agent-row-with-a-menu.test.tsx`
const PROSE = 'a sentence of a long paragraph on one line, '.repeat(20)

const frames = (page: Page, count: number): Promise<void> =>
  page.evaluate(async (n) => {
    for (let i = 0; i < n; i++) await new Promise(requestAnimationFrame)
  }, count)

inOneHost('panes in the %s host', (name) => {
  const shop = useProject({
    [LONG]: 'a\n',
    'b.txt': 'b\n',
    'notes.md': `${PROSE}\n`,
    'old/moved.txt': 'moved\nwith lines\nof text\n'
  })
  const host = useWindow(name)
  let page: Page
  let replies: HeldReplies
  const focusIn = (pane: string) => page.locator(`[data-pane="${pane}"] :focus`)

  beforeAll(async () => {
    await shop.add()
    await shop.run('Move and nest', { 'deep/er/new.txt': 'new\n' }, 'mkdir new && mv old/moved.txt new/ && rmdir old')
    await shop.run('Change two', { [LONG]: 'A\n', 'b.txt': 'B\n', 'notes.md': `changed ${PROSE}\n` })
    page = await host.open(shop, {}, async (unloaded) => {
      replies = await interceptReplies(unloaded)
    })
  })
  beforeEach(() => host.clear())

  test('[UI-8] while its changes are loading, nothing is said about a run, and its diff can have the focus already', async () => {
    await entry(page, /^Run, .*Change two/).click()
    await fileRow(page, /^b\.txt/).waitFor()
    // The changes of a row below the pointer are requested before it is chosen.
    await page.mouse.move(0, 0)
    await inEditor(diffPane(page))
    // A run that no test has opened before: its changes are not in the page.
    replies.hold('diff.files')
    await shop.run('Add two', { 'fresh/one.txt': 'one\n', 'fresh/two.txt': 'two\n' })
    await entry(page, /^Run, .*Add two.*ended/).click()
    await diffPane(page).getByText('Loading the changes…').waitFor()
    expect(await page.locator('.stage').innerText()).not.toMatch(/No changes|reviewed/)
    await page.keyboard.press('Alt+3')
    await focusIn('diff').waitFor()
    replies.release()
    await fileRow(page, /^two\.txt/).waitFor()
    await page.getByText('0 of 2 reviewed').waitFor()
    await diffPane(page).locator('.text-view :focus').waitFor({ state: 'attached' })
  })

  test('[UI-6] a preview counts a rename once and folders apart, as the changed files do', {
    tags: ['long']
  }, async () => {
    await entry(page, /^Run, .*Move and nest/).click()
    await page.getByText('0 of 2 reviewed').waitFor()
    const before = shop.tree()
    await page.getByRole('button', { name: /^Undo this run/ }).click()
    await previewRows(page)
    await preview(page).getByText('Undoes these edits in 2 files and 4 folders.').waitFor()
    await preview(page).getByText('2 files and 4 folders will change', { exact: true }).waitFor()
    await preview(page).getByRole('button', { name: 'Undo 2 files' }).click()
    await toast(page, 'Undid changes in 2 files').getByRole('button', { name: /^Undo/ }).click()
    await becomes(shop, before)
  })

  test('[UI-7] the restore preview has the focus from its first moment to its list: no key is lost between', async () => {
    await entry(page, /^Run, .*Change two/).click()
    await page.getByText('0 of 3 reviewed').waitFor()
    const focusAtChange = page.evaluate(
      () =>
        new Promise<string[]>((done) => {
          const owners: string[] = []
          new MutationObserver((_, observer) => {
            const dialog = document.querySelector('dialog:modal')
            if (!dialog) return
            owners.push(dialog.contains(document.activeElement) ? 'dialog' : `${document.activeElement?.tagName}`)
            if (!dialog.querySelector('[role="treeitem"]:focus')) return
            observer.disconnect()
            done(owners)
          }).observe(document.body, { subtree: true, childList: true, attributes: true })
        })
    )
    await page.getByRole('button', { name: /^Undo this run/ }).click()
    expect(new Set(await focusAtChange)).toEqual(new Set(['dialog']))
    await page.keyboard.press('Escape')
  })

  test('[UI-7] Escape leads back from the diff to the files and to the timeline', async () => {
    await entry(page, /^Run, .*Change two/).click()
    await fileRow(page, /^b\.txt/).click()
    await diffPane(page).locator('.view-line', { hasText: 'B' }).first().waitFor()
    await page.keyboard.press('Alt+3')
    await focusIn('diff').waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')
    await focusIn('files').waitFor()
    await page.keyboard.press('Escape')
    await focusIn('timeline').waitFor()
  })

  test('[UI-7] Escape in the filter of the files leads to the row of the shown file', async () => {
    await entry(page, /^Run, .*Change two/).click()
    await fileRow(page, /^notes\.md/).click()
    await page.keyboard.press('/')
    await page.getByRole('textbox', { name: 'Filter files' }).fill('notes')
    await fileRow(page, /^b\.txt/).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await fileRow(page, /^notes\.md/)
      .and(page.locator(':focus'))
      .waitFor()
  })

  test('past the last change nothing moves, and a message says that there is none', async () => {
    await entry(page, /^Run, .*Change two/).click()
    await fileRow(page, /^notes\.md/).click()
    await page.keyboard.press('Alt+3')
    const text = diffPane(page).locator('.text-view :focus')
    await text.waitFor({ state: 'attached' })
    await page.keyboard.press('Alt+ArrowDown')
    await toast(page, 'No further change.').waitFor()
    await text.waitFor({ state: 'attached' })
  })

  test('[UI-55] a title that is wider than its row has two lines; a name that is shorter has one again', async () => {
    const title = 'Change the third file, and say in many words what was changed in it and why that was needed'
    await shop.run(title, { 'b.txt': 'third\n' })
    const row = entry(page, /^Run, .*Change the third file/)
    const height = async () => (await row.boundingBox())?.height
    await expect.poll(height).toBe(68)
    expect(await row.locator('.ttl').getAttribute('title')).toBe(title)
    const end = await row.locator('.ttl').evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
    })
    expect(end).toBeGreaterThan(1)
    const next = await entry(page, /^Run, .*Change two/).boundingBox()
    expect(next?.y).toBeGreaterThanOrEqual(((await row.boundingBox())?.y ?? 0) + 68)
    // What stands beside a title takes room from it.
    const marks = page.locator('.tl-comments')
    const name = 'Change the third file, say'
    await shop.driftline('label', 'latest', '-m', name)
    const named = entry(page, /^Run, .*Change the third file, say/)
    await expect.poll(async () => (await named.boundingBox())?.height).toBe(48)
    await shop.driftline('comment', 'latest', '-m', 'Why?')
    await marks.first().waitFor()
    await expect.poll(async () => (await named.boundingBox())?.height).toBe(68)
    await shop.driftline('label', 'latest', '-m', 'Third')
    await expect.poll(async () => (await entry(page, /^Run, .*Third/).boundingBox())?.height).toBe(48)
  })

  test('[UI-7] Escape in a menu leads back to its button, which then shows its hint', async () => {
    await entry(page, /^Run, .*Change two/).click()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Copy ID' }).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.hint-box', { hasText: 'More actions' }).waitFor()
    await page.getByRole('button', { name: 'More actions' }).and(page.locator(':focus')).waitFor()
  })

  test('[UI-7] Escape in a replay or a history leads back to the pane that it was opened from', async () => {
    const slider = page.getByRole('slider', { name: 'Position in the replay' })
    await entry(page, /^Run, .*Change two/).click()
    await page.getByText('0 of 3 reviewed').waitFor()
    for (const [pane, open] of [
      ['timeline', 'Alt+r'],
      ['files', 'Alt+r'],
      ['files', 'h']
    ] as const) {
      await page.keyboard.press(pane === 'timeline' ? 'Alt+1' : 'Alt+2')
      await focusIn(pane).waitFor()
      await page.keyboard.press(open)
      await (open === 'h' ? page.getByRole('navigation', { name: 'Versions' }) : slider).waitFor()
      if (open === 'Alt+r')
        await page.locator('.files .tabs-count, .files-title .num').getByText('0', { exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await focusIn(pane).waitFor()
    }
  })

  test('[UI-7] what is nearest gets the focus of a button that is gone', async () => {
    await entry(page, /^Run, .*Change two/).click()
    await fileRow(page, /^b\.txt/).click()
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByRole('button', { name: 'Clear selection' }).press('Enter')
    await focusIn('files').waitFor()
    await entry(page, /^Run, .*Move and nest/).click({ modifiers: ['Shift'] })
    await page.getByRole('button', { name: 'Stop comparing' }).first().press('Enter')
    await focusIn('files').waitFor()
  })

  test('[UI-7] what is nearest gets the focus of a button that is gone once it is loaded, however long that takes', async () => {
    replies.hold('diff.files')
    await shop.run('Add late', { 'late.txt': 'late\n' })
    await entry(page, /^Run, .*Add late.*ended/).click()
    await entry(page, /^Run, .*Move and nest/).click({ modifiers: ['Shift'] })
    await page.getByRole('button', { name: 'Stop comparing' }).first().press('Enter')
    await diffPane(page).getByText('Loading the changes…').waitFor()
    await frames(page, 70)
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
    replies.release()
    await fileRow(page, /^late\.txt/)
      .and(page.locator(':focus'))
      .waitFor()
  })

  test('[UI-7] a pane takes the focus from nowhere only where it had it last', async () => {
    await entry(page, /^Run, .*Change two/).click()
    await fileRow(page, /^b\.txt/).click()
    await page.keyboard.press('Alt+3')
    await diffPane(page).locator('.text-view :focus').waitFor({ state: 'attached' })
    // As a press on what takes no focus does.
    const loseFocus = () => page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await loseFocus()
    await fileRow(page, /^notes\.md/).dispatchEvent('click')
    await diffPane(page).getByRole('heading', { name: 'notes.md' }).waitFor()
    await diffPane(page).locator('.text-view :focus').waitFor({ state: 'attached' })
    await loseFocus()
    await entry(page, /^Run, .*Change two/).focus()
    await loseFocus()
    await fileRow(page, /^b\.txt/).dispatchEvent('click')
    await diffPane(page).locator('.view-line', { hasText: 'B' }).first().waitFor()
    await inEditor(diffPane(page))
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
    await entry(page, /^Run, .*Change two/).focus()
    await loseFocus()
    await diffPane(page).locator('main').focus()
    await loseFocus()
    await shop.run('Add elsewhere', { 'elsewhere.txt': 'new\n' })
    await entry(page, /^Run, .*Add elsewhere.*ended/).waitFor()
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true)
  })

  test('a copy that the browser refuses is reported', async () => {
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('Write permission denied.'))
    })
    await entry(page, /^Run, .*Change two/).click()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Copy ID' }).click()
    await toast(page, /^Couldn’t copy: the browser keeps this page from the clipboard/).waitFor()
  })

  test('[UI-7] a choice in the drawer closes it and leads to the files; Escape leads to what opened it', async () => {
    await page.setViewportSize({ width: 960, height: 660 })
    await page.locator('[data-layout="medium"]').waitFor()
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press(`${MOD}+b`)
    await focusIn('timeline').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Show timeline' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await entry(page, /^Run, .*Change two/).click()
    await timelineOf(page).waitFor({ state: 'detached' })
    await focusIn('files').waitFor()
  })

  test('[UI-9] a click on an entry does not move it, and the run that was open closes when the pointer leaves', async () => {
    const starts = timelineOf(page).getByRole('treeitem', { name: /^Start of run/ })
    const below = entry(page, /^Run, .*Move and nest/)
    await entry(page, /^Run, .*Change two/).click()
    await diffPane(page).hover()
    await expect.poll(() => starts.count()).toBe(1)
    const before = await below.boundingBox()
    await below.click()
    await page.getByText('0 of 2 reviewed').waitFor()
    await expect.poll(() => starts.count()).toBe(2)
    expect(await below.boundingBox()).toEqual(before)
    await diffPane(page).hover()
    await expect.poll(() => starts.count()).toBe(1)
  })

  test('[UI-7] a step to the next change works from the list of files, and leaves the focus there', async () => {
    await entry(page, /^Run, .*Change two/).click()
    await fileRow(page, /^b\.txt/).click()
    const name = diffPane(page).locator('.diff-bar .bar-path b')
    await expect.poll(() => name.textContent()).toBe('b.txt')
    await inEditor(diffPane(page))
    for (const [key, next] of [
      ['Alt+ArrowDown', 'notes.md'],
      ['Alt+ArrowUp', 'b.txt']
    ] as const) {
      await page.keyboard.press(key)
      await expect.poll(() => name.textContent()).toBe(next)
    }
    await focusIn('files').waitFor({ state: 'attached' })
  })

  test('long lines of prose are wrapped, and a key changes that; both sides keep their names', async () => {
    await entry(page, /^Run, .*Change two/).click()
    await fileRow(page, /^notes\.md/).click()
    const lines = diffPane(page).locator('.editor.modified .view-lines[role="presentation"] .view-line')
    await lines.filter({ hasText: 'changed' }).first().waitFor()
    await expect.poll(() => lines.count()).toBeGreaterThan(2)
    await page.keyboard.press('Alt+3')
    await focusIn('diff').waitFor({ state: 'attached' })
    await page.keyboard.press('Alt+l')
    await expect.poll(() => lines.count()).toBe(2)
    await page.keyboard.press('Alt+l')
    await page.keyboard.press('Alt+s')
    await page.keyboard.press('Alt+s')
    await expect.poll(() => lines.count()).toBeGreaterThan(2)
    for (const side of ['Before', 'After'])
      await diffPane(page).locator(`[aria-label="${side}, notes.md"]`).waitFor({ state: 'attached' })
  })

  // Long: a Shift-click is a test of select-files.
  test('Shift-click on rows selects no text', { tags: ['long'] }, async () => {
    await entry(page, /^Run, .*Change two/).click()
    await fileRow(page, /^b\.txt/).click()
    await fileRow(page, /^agent-row/).click({ modifiers: ['Shift'] })
    expect(await page.evaluate(() => getSelection()?.toString())).toBe('')
  })

  test('[UI-26] a long path in a preview is cut in its folder, never in its name', { tags: ['long'] }, async () => {
    await entry(page, /^Run, .*Change two/).click()
    await fileRow(page, /^b\.txt/).waitFor()
    await page.getByRole('button', { name: /^Undo this run/ }).click()
    await previewRows(page)
    const name = preview(page).getByRole('treeitem', { name: LONG }).locator('.plan-name')
    expect(await name.evaluate((text) => text.scrollWidth > text.clientWidth)).toBe(false)
    const ownName = LONG.slice(LONG.lastIndexOf('/') + 1)
    expect(await name.textContent()).toBe(ownName)
    await preview(page).getByRole('treeitem', { name: LONG }).click()
    const path = preview(page).locator('.bar-path').filter({ hasText: ownName })
    await path.waitFor()
    const isCut = (part: Locator) => part.evaluate((text) => text.scrollWidth > text.clientWidth)
    expect([await isCut(path.locator('.middle-cut > .ell')), await isCut(path.locator('b'))]).toEqual([true, false])
  })

  test('with forced colours the buttons of a row lie over its text', { tags: ['long'] }, async () => {
    await page.emulateMedia({ forcedColors: 'active' })
    await entry(page, /^Run, .*Move and nest/).hover()
    const acts = page.locator('.tl:hover > .acts')
    const background = await acts.evaluate((element) => getComputedStyle(element).backgroundColor)
    await page.emulateMedia({ forcedColors: 'none' })
    expect(background).not.toBe('rgba(0, 0, 0, 0)')
  })

  test('with forced colours every text of the selected entry has the colour of the selection', {
    tags: ['long']
  }, async () => {
    await entry(page, /^Run, .*Change two/).click()
    await page.emulateMedia({ forcedColors: 'active' })
    const colours = await page.locator('.tl[aria-selected="true"]').evaluate((row) => {
      const texts = [...row.querySelectorAll('*')].filter((part) =>
        [...part.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())
      )
      return [...new Set(texts.map((part) => getComputedStyle(part).color))]
    })
    await page.emulateMedia({ forcedColors: 'none' })
    expect(colours).toHaveLength(1)
  })
})
