/** Landmarks, one tab stop per list, focus that returns. What axe finds is in test/gallery/gallery.browser.test.ts. */
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { useProject } from '../../support/project.ts'
import { LONG } from '../../support/scale.ts'
import { diffPane, entry, fileRow, openFolder, SOON, tabStops, timelineOf } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

inOneHost('accessibility in the %s host', (name) => {
  const shop = useProject({
    'README.md': '# Shop\n',
    'src/a.ts': 'export const a = 1\n',
    'src/b.ts': 'export const b = 1\n'
  })
  const host = useWindow(name)
  let page: Page

  beforeAll(async () => {
    page = await host.open(shop)
    await shop.run('Change both', { 'src/a.ts': 'export const a = 2\n', 'src/b.ts': 'export const b = 2\n' })
    shop.edit({ 'src/b.ts': 'export const b = 3\n' })
    await entry(page, /changed outside/).waitFor()
  })

  beforeEach(async () => {
    await host.clear()
    await openFolder(page, 'shop')
  })

  const showRun = async (): Promise<void> => {
    await entry(page, /^Run, .*Change both/).click()
    await fileRow(page, /^a\.ts/).click()
    await diffPane(page).locator('.view-line').first().waitFor()
  }

  test('the screen has its landmarks, one h1, and names for all of them', async () => {
    await showRun()
    await page.getByRole('banner').waitFor()
    await timelineOf(page).waitFor()
    await page.getByRole('complementary', { name: 'Changed files' }).waitFor()
    await page.getByRole('main', { name: /src\/a\.ts/ }).waitFor()
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
    await fileRow(page, /^b\.ts/)
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
    const row = fileRow(page, /^a\.ts/).and(page.locator(':focus'))
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

  test('Tab leaves the diff again', async () => {
    await showRun()
    await page.keyboard.press('Alt+3')
    await expect.poll(() => diffPane(page).evaluate((pane) => pane.contains(document.activeElement)), SOON).toBe(true)
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('Tab')
      if (!(await diffPane(page).evaluate((pane) => pane.contains(document.activeElement)))) return
    }
    throw new Error('Tab never left the diff')
  })

  test('icons have names; targets are 24 by 24', async () => {
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
