/**
 * Widths from a desk to 200 % zoom: no sideways scrolling of the page, nothing cut off, every pane in reach. Landmarks, one tab stop per
 * list, focus that returns. What axe finds is in test/gallery/gallery.browser.test.ts.
 */
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { cutOff } from '../../support/cut-off.ts'
import { type HeldReplies, interceptReplies } from '../../support/held-replies.ts'
import { useProject } from '../../support/project.ts'
import { LONG } from '../../support/scale.ts'
import {
  diffPane,
  entry,
  fileRow,
  MOD,
  openFolder,
  preview,
  previewRows,
  SOON,
  tabStops,
  timelineOf
} from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

/** 640 x 400 is what a window of 1280 x 800 has left at 200 % zoom. */
const NARROWEST = [[640, 400]] as const
const WITH_DRAWER = [[760, 660]] as const
/** Their layouts in a larger window, and the one with the most room. */
const LARGER = LONG
  ? ([
      [1280, 800],
      [960, 660],
      [500, 800]
    ] as const)
  : []

const LONG_PATH = 'a-rather-long-name-of-a-folder/another-long-name/component-with-a-name.test.ts'

inOneHost('layout and accessibility in the %s host', (name) => {
  const shop = useProject({
    'README.md': '# Shop\n',
    [LONG_PATH]: 'export const a = 1\n',
    'b.ts': 'export const b = 1\n',
    'src/c.ts': 'export const c = 1\n',
    'src/d.ts': 'export const d = 1\n'
  })
  const host = useWindow(name)
  let page: Page
  let replies: HeldReplies

  beforeAll(async () => {
    await shop.add()
    await shop.run('Change the component that has a long name and tell nobody about it at all', {
      [LONG_PATH]: 'export const a = 2\n',
      'b.ts': 'export const b = 2\n'
    })
    await shop.run('Change both', { 'src/c.ts': 'export const c = 2\n', 'src/d.ts': 'export const d = 2\n' })
    shop.edit({ 'b.ts': 'export const b = 3\n' })
    page = await host.open(shop, {}, async (unloaded) => {
      replies = await interceptReplies(unloaded)
    })
    await page.getByRole('region', { name: 'Notice' }).waitFor()
  })

  beforeEach(async () => {
    await host.clear()
    await openFolder(page, 'shop')
  })

  test.each([...NARROWEST, ...WITH_DRAWER, ...LARGER])(
    '%i x %i: every pane is in reach and nothing is cut off',
    async (width, height) => {
      await page.setViewportSize({ width, height })
      const layout = width >= 1100 ? 'wide' : width >= 760 ? 'medium' : 'tabs'
      await page.locator(`[data-layout="${layout}"]`).waitFor()
      if (layout === 'medium') {
        await page.getByRole('button', { name: 'Show timeline' }).click()
        await timelineOf(page).waitFor()
        expect(await cutOff(page), 'drawer').toEqual([])
        // The panes beside it are those of the gallery at this width.
        if (!LONG) return
      }
      if (layout === 'tabs') await page.getByRole('tab', { name: 'Timeline' }).click()
      await entry(page, /^Run, .*Change the component/).click()
      // Choosing a row closes the drawer.
      if (layout === 'medium') await timelineOf(page).waitFor({ state: 'detached' })
      if (layout === 'tabs') {
        expect(await cutOff(page), 'timeline').toEqual([])
        await page.getByRole('tab', { name: 'Files' }).click()
      }
      await fileRow(page, /^b\.ts/).waitFor()
      expect(await cutOff(page), 'files').toEqual([])
      await fileRow(page, /^b\.ts/).click()
      if (layout === 'tabs') await page.getByRole('tab', { name: 'Diff' }).click()
      await diffPane(page).locator('.view-line', { hasText: 'export const b = 2' }).first().waitFor()
      expect(await cutOff(page), 'diff').toEqual([])

      await page.getByRole('button', { name: /^Restore to start/ }).click()
      await previewRows(page)
      expect(await cutOff(page), 'restore').toEqual([])
      await preview(page)
        .getByRole('button', { name: /^Cancel/ })
        .click()

      await page.keyboard.press(`${MOD}+k`)
      await page.getByRole('option').first().waitFor()
      expect(await cutOff(page), 'palette').toEqual([])
      await page.keyboard.press('Escape')

      await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
      expect(await cutOff(page), 'help').toEqual([])
      await page.keyboard.press('Escape')
    }
  )

  test('640 x 400: while the files are loading, nothing is cut off', async () => {
    await page.setViewportSize({ width: 640, height: 400 })
    await page.locator('[data-layout="tabs"]').waitFor()
    // A run that no test has opened before: its changes are not in the page.
    replies.hold('diff.files')
    await shop.run('Add another component', { 'e.ts': 'export const e = 1\n' })
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await entry(page, /^Run, .*Add another component.*ended/).click()
    await page.getByText('Comparing…').waitFor()
    await page.getByText('No hooks reported to this run').waitFor()
    expect(await cutOff(page)).toEqual([])
    replies.release()
    await fileRow(page, /^e\.ts/).waitFor()
  })

  test('tabs are moved with arrows, and Alt+digits go to a pane in every layout', async () => {
    await page.setViewportSize({ width: 500, height: 800 })
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('tab', { name: 'Files', selected: true }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Alt+3')
    await page.getByRole('tab', { name: 'Diff', selected: true }).waitFor()
    await page.keyboard.press('Alt+1')
    await page.getByRole('tab', { name: 'Timeline', selected: true }).waitFor()
    await timelineOf(page).getByRole('treeitem').and(page.locator(':focus')).waitFor()
  })

  test('a splitter moves with arrow keys, stays in its limits, and keeps its position', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    const divider = page.getByRole('separator', { name: 'Timeline width' })
    await divider.focus()
    const width = async (): Promise<number> => Number(await divider.getAttribute('aria-valuenow'))
    const before = await width()
    await page.keyboard.press('ArrowRight')
    expect(await width()).toBe(before + 16)
    await page.keyboard.press('End')
    expect(await width()).toBe(Number(await divider.getAttribute('aria-valuemax')))
    expect(await cutOff(page)).toEqual([])
    await host.reopen()
    expect(await width()).toBe(480)
    await divider.dblclick()
    expect(await width()).toBe(before)
  })

  test.each([...NARROWEST, ...(LONG ? WITH_DRAWER : []), ...LARGER])(
    '%i x %i: the first screen fits',
    async (width, height) => {
      await page.locator('.switcher').click()
      await page.getByRole('menuitem', { name: /All folders/ }).click()
      await page.setViewportSize({ width, height })
      await page.getByRole('region', { name: 'Recent' }).waitFor()
      await page.mouse.move(0, 0)
      expect((await cutOff(page)).filter((line) => !/,\s\d+$/.test(line) || /sideways|words/.test(line))).toEqual([])
    }
  )

  const showRun = async (): Promise<void> => {
    await entry(page, /^Run, .*Change both/).click()
    await fileRow(page, /^c\.ts/).click()
    await diffPane(page).locator('.view-line').first().waitFor()
  }

  test('the screen has its landmarks, one h1, and names for all of them', async () => {
    await showRun()
    await page.getByRole('banner').waitFor()
    await timelineOf(page).waitFor()
    await page.getByRole('complementary', { name: 'Changed files' }).waitFor()
    await page.getByRole('main', { name: /src\/c\.ts/ }).waitFor()
    await page.getByRole('contentinfo').waitFor()
    await expect.poll(() => page.getByRole('heading', { level: 1 }).allTextContents(), SOON).toEqual(['Change both'])
    await expect.poll(() => page.getByRole('main').count(), SOON).toBe(1)
  })

  test('each list is one tab stop, whichever row was used last', async () => {
    await showRun()
    const stops = (list: string): Promise<string[]> =>
      page
        .getByRole('tree', { name: list })
        .locator('[tabindex="0"]')
        .evaluateAll((all) => all.map((row) => row.getAttribute('role') ?? ''))
    await expect.poll(() => stops('Timeline'), SOON).toEqual(['treeitem'])
    await expect.poll(() => stops('Changed files'), SOON).toEqual(['treeitem'])
    await page.keyboard.press('Alt+2')
    await page.keyboard.press('ArrowDown')
    await fileRow(page, /^d\.ts/)
      .and(page.locator(':focus'))
      .waitFor()
    await expect.poll(() => stops('Changed files'), SOON).toEqual(['treeitem'])
    const row = entry(page, /^Run, .*Change both/)
    expect(await row.getAttribute('aria-setsize')).toMatch(/^[1-9]/)
    expect(await row.getAttribute('aria-posinset')).toMatch(/^[1-9]/)
    expect(await row.getAttribute('aria-level')).toBe('1')
  })

  test('the opener of a dialog or menu has the focus again after closing', async () => {
    const openers = [
      page.getByRole('button', { name: /^Restore to start/ }),
      ...(LONG ? [page.getByRole('button', { name: 'Keyboard shortcuts' })] : []),
      page.getByRole('button', { name: 'Settings' }),
      page.getByRole('contentinfo').getByRole('button', { name: /covered/ }),
      page.getByRole('button', { name: 'Recording', exact: true })
    ]
    await showRun()
    for (const opener of openers) {
      await opener.focus()
      await page.keyboard.press('Enter')
      const opened = page.locator('[role="dialog"], [role="alertdialog"], [role="menu"]')
      await opened.first().waitFor()
      expect(await opened.first().evaluate((box) => box.contains(document.activeElement))).toBe(true)
      await page.keyboard.press('Escape')
      await opened.first().waitFor({ state: 'detached' })
      await opener.and(page.locator(':focus')).waitFor()
    }
  })

  test('Tab stays inside a dialog, and the row it was opened from has the focus again', {
    tags: ['long']
  }, async () => {
    await showRun()
    const row = fileRow(page, /^c\.ts/).and(page.locator(':focus'))
    await row.waitFor()
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.waitFor()
    const stops = await tabStops(page, 6)
    expect(stops).not.toContain('behind')
    expect(stops.join(' ')).not.toContain('browser browser')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await row.waitFor()
  })

  // Long: that the text is no keyboard trap is a test of the panes.
  test('Tab leaves the diff again', { tags: ['long'] }, async () => {
    await showRun()
    await page.keyboard.press('Alt+3')
    await expect.poll(() => diffPane(page).evaluate((pane) => pane.contains(document.activeElement)), SOON).toBe(true)
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('Tab')
      if (!(await diffPane(page).evaluate((pane) => pane.contains(document.activeElement)))) return
    }
    throw new Error('Tab never left the diff')
  })

  // Long: axe finds both in the gallery.
  test('icons have names; targets are 24 by 24', { tags: ['long'] }, async () => {
    await showRun()
    const bad = await page.locator('button:visible').evaluateAll((all) =>
      all
        .filter((button) => {
          const { width, height } = button.getBoundingClientRect()
          return width > 0 && (width < 24 || height < 24) && !button.closest('.monaco-editor')
        })
        .map((button) => `${button.ariaLabel ?? button.textContent}: ${button.className}`)
    )
    expect(bad).toEqual([])
  })
})
