/**
 * From the first page to an undone change: counted in clicks and keys. What the page shows to people without a history.
 *
 * Long: the test of the main job shows the same steps among others.
 */
import { spawnSync } from 'node:child_process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Project, project } from '../../support/project.ts'
import { becomes, entry, MOD, preview, SOON, timelineOf, toast } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

const MOST_CLICKS = 3
/** Besides the path, which counts as one text. */
const MOST_KEYS = 8

inOneHost('a newcomer in the %s host', (name) => {
  const host = useWindow(name)
  let shop: Project & Disposable
  beforeEach(async () => {
    shop = project({ 'a.txt': 'one\n', 'b.txt': 'two\n' })
    spawnSync('git', ['init', '-q', shop.root])
    await host.openEmpty(shop, { HOME: shop.beside })
  })
  afterEach(async () => {
    await host.close()
    shop[Symbol.dispose]()
  })

  test('[UI-37] sees what Driftline is for, protects a folder by its path and undoes a run in 3 clicks and 8 keys besides the path', {
    tags: ['long']
  }, async () => {
    const { page } = host
    let [clicks, keys] = [0, 0]
    const press = (key: string) => {
      keys++
      return page.keyboard.press(key)
    }
    await expect.poll(() => page.evaluate(() => document.activeElement?.id), SOON).toBe('folder-path')
    const nearby = page.getByRole('region', { name: 'Repositories on this computer' })
    await nearby.getByRole('button', { name: /^shop/ }).waitFor()
    const pictures = page.getByRole('region', { name: 'How it works' })
    for (const title of ['Run', 'Review', 'Undo']) await pictures.getByText(title, { exact: true }).waitFor()
    const described = await pictures.getByRole('img').evaluateAll((all) => all.map((image) => image.ariaLabel ?? ''))
    expect(described.filter((words) => words.length > 30)).toHaveLength(3)
    await page.keyboard.insertText(shop.root)
    await press('Enter')
    await timelineOf(page).waitFor()
    await page.getByRole('contentinfo').getByText('2 files covered').waitFor()
    const before = shop.tree()
    await shop.run('Change both', { 'a.txt': 'ONE\n' }, 'rm b.txt')
    await entry(page, /^Run, .*Change both.*ended/).waitFor()
    clicks++
    await page.getByRole('button', { name: 'Undo this run…' }).click()
    await preview(page).getByRole('button', { name: 'Undo 2 files' }).waitFor()
    await press(`${MOD}+Enter`)
    await toast(page, /Undid .*2 files/).waitFor()
    await becomes(shop, before)
    expect(clicks).toBeLessThanOrEqual(MOST_CLICKS)
    expect(keys).toBeLessThanOrEqual(MOST_KEYS)
  })

  test('[UI-37] protects a repository near the home folder and undoes a run in 3 clicks, without a key', {
    tags: ['long']
  }, async () => {
    const { page } = host
    const nearby = page.getByRole('region', { name: 'Repositories on this computer' })
    await nearby.getByRole('button', { name: /^shop/ }).click()
    await timelineOf(page).waitFor()
    await page.getByRole('contentinfo').getByText('2 files covered').waitFor()
    const before = shop.tree()
    await shop.run('Change one', { 'a.txt': 'ONE\n' })
    await entry(page, /^Run, .*Change one.*ended/).waitFor()
    await page.getByRole('button', { name: 'Undo this run…' }).click()
    await preview(page).getByRole('button', { name: 'Undo 1 file' }).click()
    await toast(page, /Undid .*1 file/).waitFor()
    await becomes(shop, before)
  })
})
