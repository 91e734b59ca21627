/** What a person finds on the screens, and how long they wait for it. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Project } from './project.ts'
import type { Tree } from './tree.ts'

/** How long a test waits for what a person would see, on a busy machine too. */
export const SOON = { timeout: 8000, interval: 25 } as const

export function timelineOf(page: Page): Locator {
  return page.getByRole('navigation', { name: 'Timeline' })
}

/** Opens the settings at a page, the way the menu, the palette and the keys do; answers the whole of them. */
export async function openSettings(page: Page, title: string): Promise<Locator> {
  const settings = page.getByRole('dialog', { name: 'Settings' })
  if (!(await settings.isVisible())) await page.keyboard.press(`${MOD}+,`)
  await settings.getByRole('navigation', { name: 'Settings' }).getByRole('button', { name: title }).click()
  await settings.getByRole('heading', { level: 1, name: title }).waitFor()
  return settings
}

/** Rows of the timeline; `name` is matched against what is read aloud. */
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

/** What the new side of an editor shows, as plain text. */
export async function shownText(within: Page | Locator): Promise<string> {
  const lines = within.locator('.editor.modified .view-lines[role="presentation"]')
  return (await lines.innerText()).replaceAll('\u00a0', ' ')
}

/** The open restore preview. */
export function preview(page: Page): Locator {
  return page.locator('[role="dialog"], [role="alertdialog"]').filter({ has: page.locator('#restore-title') })
}

/** What the files of an open preview are told to become, as read aloud, without section heads. */
export async function previewRows(page: Page): Promise<string[]> {
  const rows = preview(page).getByRole('treeitem').and(page.locator('[aria-level="2"]'))
  await rows.first().waitFor()
  return rows.evaluateAll((all) => all.map((row) => row.querySelector('.sr')?.textContent ?? ''))
}

export function toast(page: Page, text: string | RegExp): Locator {
  return page.locator('.toast').filter({ hasText: text })
}

/** Mod is Ctrl wherever the tests run but on macOS. */
export const MOD = process.platform === 'darwin' ? 'Meta' : 'Control'

/** Waits until the folder on disk is this tree, and says what differs when it never is. */
export async function becomes(on: Pick<Project, 'tree'>, tree: Tree): Promise<void> {
  await expect.poll(() => on.tree(), SOON).toEqual(tree)
}
