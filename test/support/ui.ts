/** Locators for the parts of the window, and the time tests wait for them. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Project } from './project.ts'
import type { Tree } from './tree.ts'

/** How long a test waits for a visible change, ms: it comes in milliseconds, unless the computer is busy with other work. */
export const SOON = { timeout: 20_000, interval: 25 } as const

export function timelineOf(page: Page): Locator {
  return page.getByRole('navigation', { name: 'Timeline' })
}

/** Opens a page of the settings as menu, palette and keys do; returns the settings dialog. */
export async function openSettings(page: Page, title: string): Promise<Locator> {
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await page.getByRole('banner').or(settings).first().waitFor()
  if (!(await settings.isVisible())) await page.keyboard.press(`${MOD}+,`)
  await settings.getByRole('navigation', { name: 'Settings' }).getByRole('button', { name: title }).click()
  await settings.getByRole('heading', { level: 1, name: title }).waitFor()
  return settings
}

/** Opens a folder of the first screen, unless one is open. */
export async function openFolder(page: Page, name: string): Promise<void> {
  const listed = page.getByRole('region', { name: 'Recent' })
  await timelineOf(page)
    .or(listed)
    .or(page.getByRole('tab', { name: 'Timeline' }))
    .first()
    .waitFor()
  if (await listed.isVisible()) await listed.getByText(name, { exact: true }).first().click()
}

/** Rows of the timeline by accessible name. */
export function entry(page: Page, name: string | RegExp): Locator {
  return timelineOf(page).getByRole('treeitem', { name })
}

/** A row of the changed files. */
export function fileRow(page: Page, name: string | RegExp): Locator {
  return page.getByRole('complementary', { name: 'Changed files' }).getByRole('treeitem', { name })
}

export function diffPane(page: Page): Locator {
  return page.locator('#diff-pane')
}

/** The text of the new side of an editor. */
export async function shownText(within: Page | Locator): Promise<string> {
  const lines = within.locator('.editor.modified .view-lines[role="presentation"]')
  return (await lines.innerText()).replaceAll('\u00a0', ' ')
}

/** Waits until the editor has the text that is on screen: before, it is drawn over it. */
export async function inEditor(within: Page | Locator): Promise<void> {
  await within.locator('[aria-busy="false"] .text-slot:not(.unseen, [data-covered], [data-over])').first().waitFor()
}

/** The open restore preview. */
export function preview(page: Page): Locator {
  return page.locator('[role="dialog"], [role="alertdialog"]').filter({ has: page.locator('#restore-title') })
}

/** Accessible names of the rows of an open preview, without section headings. */
export async function previewRows(page: Page): Promise<string[]> {
  const rows = preview(page).locator('[role="treeitem"]:not([aria-expanded])')
  await rows.first().waitFor()
  return rows.evaluateAll((all) => all.map((row) => row.querySelector('.sr')?.textContent ?? ''))
}

export function toast(page: Page, text: string | RegExp): Locator {
  return page.locator('.toast').filter({ hasText: text })
}

/**
 * Where Tab leads, `times` times, from a modal dialog: `browser` are the browser's own controls, with which the body is active
 * and from which the next Tab must lead back into the dialog.
 */
export async function tabStops(page: Page, times: number): Promise<('dialog' | 'browser' | 'behind')[]> {
  const stops: ('dialog' | 'browser' | 'behind')[] = []
  for (let i = 0; i < times; i++) {
    await page.keyboard.press('Tab')
    stops.push(
      await page.evaluate(() => {
        const at = document.activeElement
        if (document.querySelector('dialog:modal')?.contains(at)) return 'dialog'
        return at === document.body ? 'browser' : 'behind'
      })
    )
  }
  return stops
}

/** Mod is Ctrl, on macOS Meta. */
export const MOD = process.platform === 'darwin' ? 'Meta' : 'Control'

/** Waits until the folder on disk equals this tree; fails with the difference. */
export async function becomes(on: Pick<Project, 'tree'>, tree: Tree): Promise<void> {
  await expect.poll(() => on.tree(), SOON).toEqual(tree)
}
