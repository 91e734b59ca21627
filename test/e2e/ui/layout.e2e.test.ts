/** Widths from a desk to 200 % zoom: no sideways scrolling of the page, nothing cut off, every pane in reach. */
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { cutOff } from '../../support/cut-off.ts'
import { type HeldReplies, interceptReplies } from '../../support/held-replies.ts'
import { useProject } from '../../support/project.ts'
import { LONG } from '../../support/scale.ts'
import { diffPane, entry, fileRow, MOD, openFolder, preview, previewRows, timelineOf } from '../../support/ui.ts'
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

inOneHost('layout in the %s host', (name) => {
  const shop = useProject({
    'README.md': '# Shop\n',
    [LONG_PATH]: 'export const a = 1\n',
    'b.ts': 'export const b = 1\n'
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
      // Dialogs have their least room in the narrowest window.
      if (layout !== 'tabs' && !LONG) return

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
    await shop.run('Add another component', { 'c.ts': 'export const c = 1\n' })
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await entry(page, /^Run, .*Add another component.*ended/).click()
    await page.getByText('Comparing…').waitFor()
    await page.getByText('No hooks reported to this run').waitFor()
    expect(await cutOff(page)).toEqual([])
    replies.release()
    await fileRow(page, /^c\.ts/).waitFor()
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
})
