/** From the first screen to an undone restore by keyboard alone, in under 25 keystrokes. */
import type { Locator } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { callHost, onlyWorkspace } from '../../support/call-host.ts'
import { type Project, useProject } from '../../support/project.ts'
import { scenario } from '../../support/scenario.ts'
import { fileOf } from '../../support/tree.ts'
import { becomes, entry, fileRow, MOD, preview, previewRows, SOON, timelineOf, toast } from '../../support/ui.ts'
import { inEachRealHost, useWindow } from '../../support/window.ts'

/** Most keystrokes of the way; a pasted path counts as one. */
const MOST_KEYS = 25

inEachRealHost('by keyboard alone in the %s host', (name) => {
  const shop = useProject({ 'a.txt': 'one\n', 'b.txt': 'two\n', 'c/d.txt': 'three\n' })
  const host = useWindow(name)
  let keys = 0

  const press = async (key: string): Promise<void> => {
    keys += 1
    await host.page.keyboard.press(key)
  }
  /** Whether focus is in the element this selector names. */
  const focusIn = (selector: string): Promise<boolean> =>
    host.page.evaluate((wanted) => document.activeElement?.closest(wanted) !== null, selector)

  beforeAll(async () => {
    await host.openEmpty(shop)
  })

  // Long: the main job is a test of main-job, and by keys of newcomer.
  scenario(
    'a folder is opened, a run reviewed, restored, undone and redone',
    { tags: ['long'] },
    {
      'a folder is opened with Mod+O': async () => {
        const { page } = host
        await page.getByRole('heading', { name: /See what your agents changed/ }).waitFor()
        // What the system's own dialog would answer: its keys are not ours to count.
        await host.app?.evaluate(({ dialog }, folder) => {
          dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [folder] })
        }, shop.root)
        await press(`${MOD}+o`)
        if (name === 'server') {
          await expect.poll(() => focusIn('#folder-path'), SOON).toBe(true)
          await page.keyboard.insertText(shop.root)
          keys += 1
          await press('Enter')
        }
        await timelineOf(page).waitFor()
        await page.getByRole('contentinfo').getByText('3 files covered').waitFor()
      },

      'a run is reviewed from timeline to files to diff with Enter': async () => {
        const { page } = host
        await shop.run('Change two files', { 'a.txt': 'ONE\n', 'c/d.txt': 'THREE\n' }, 'rm b.txt')
        await entry(page, /^Run, .*Change two files.*ended/).waitFor()
        await fileRow(page, /^b\.txt, deleted/).waitFor()
        await press('Alt+1')
        await expect.poll(() => focusIn('[data-pane="timeline"] [role="treeitem"]'), SOON).toBe(true)
        await press('Enter')
        await expect.poll(() => focusIn('[data-pane="files"] [role="treeitem"]'), SOON).toBe(true)
        await press('ArrowDown')
        await press('Enter')
        await expect.poll(() => focusIn('[data-pane="diff"]'), SOON).toBe(true)
      },

      'a restore is previewed, applied with Mod+Enter and undone with Mod+Z, byte for byte': async () => {
        const { page } = host
        const afterRun = shop.tree()
        await press('Alt+1')
        await expect.poll(() => focusIn('[data-pane="timeline"] [role="treeitem"]'), SOON).toBe(true)
        await press('r')
        expect((await previewRows(page)).length).toBe(3)
        await expect.poll(() => focusIn('[aria-modal="true"] [role="treeitem"]'), SOON).toBe(true)
        await press('ArrowDown')
        await press('Enter')
        expect(shop.tree()).toEqual(afterRun)
        await press(`${MOD}+Enter`)
        await toast(page, 'Restored 3 files').waitFor()
        await preview(page).waitFor({ state: 'detached' })
        await becomes(shop, original(shop))
        await expect.poll(() => focusIn('[data-pane="timeline"] [role="treeitem"]'), SOON).toBe(true)
        await press(`${MOD}+z`)
        await toast(page, 'Undid the restore of 3 files').waitFor()
        await becomes(shop, afterRun)
        console.log(`${name}: ${keys} keystrokes from the first screen to an undone restore`)
        expect(keys).toBeLessThan(MOST_KEYS)
      },

      'Mod+Shift+Z and Ctrl+Y redo it, and the palette lists both': async () => {
        const { page } = host
        const undone = shop.tree()
        await press(`${MOD}+Shift+z`)
        await toast(page, 'Redid the restore of 3 files').waitFor()
        await becomes(shop, original(shop))
        await press(`${MOD}+k`)
        await page.getByRole('combobox', { name: 'Search or run a command' }).waitFor()
        await page.keyboard.type('undo last')
        await page.getByRole('option', { name: /Undo last restore/, selected: true }).waitFor()
        await press('Enter')
        await toast(page, 'Undid the restore of 3 files').waitFor()
        await becomes(shop, undone)
        await press('Control+y')
        await toast(page, 'Redid the restore of 3 files').waitFor()
        await becomes(shop, original(shop))
      },

      '[RS-13] keys pressed while a restore is being written are applied after it, in their order': async () => {
        const workspace = await onlyWorkspace(shop.dataDir)
        const restores = async (): Promise<number> => {
          const filter = { workspace, limit: 100, kinds: ['restore'] } as const
          return (await callHost(shop.dataDir, 'timeline.list', filter)).entries.length
        }
        const before = await restores()
        for (const key of [`${MOD}+z`, 'Control+y', `${MOD}+z`, 'Control+y', `${MOD}+z`]) await press(key)
        await expect.poll(restores, SOON).toBe(before + 5)
        await becomes(shop, asTheRunLeftIt(shop))
      },

      'keys may come faster than what they show: Enter goes into the files of the row moved to, letters after / are the filter':
        async () => {
          const { page } = host
          await shop.run('Write two others', { 'e.txt': 'five\n', 'f/g.txt': 'six\n' })
          await entry(page, /^Run, .*Write two others.*ended/).click()
          await fileRow(page, /^e\.txt, added/).waitFor()
          await press('Alt+1')
          for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
          await fileRow(page, /^b\.txt,/).waitFor()
          await expect.poll(() => focusIn('[data-pane="files"] [role="treeitem"]'), SOON).toBe(true)
          await page.keyboard.press('Alt+1')
          for (const key of '/upr') await page.keyboard.press(key)
          expect(await page.getByLabel('Filter the timeline', { exact: true }).inputValue()).toBe('upr')
          expect(await preview(page).count()).toBe(0)
          await page.keyboard.press('Escape')
          await entry(page, /^Run, .*Write two others.*ended/).waitFor()
        },

      'letters that are off do nothing, combinations still work': async () => {
        const { page } = host
        await press(`${MOD}+,`)
        const settings = page.getByRole('dialog', { name: 'Settings' })
        await settings.getByRole('button', { name: 'General' }).and(page.locator(':focus')).waitFor()
        const isFocused = (part: Locator) => part.evaluate((one) => one === document.activeElement)
        const keyboard = settings.getByRole('button', { name: 'Keyboard' })
        while (!(await isFocused(keyboard))) await press('ArrowDown')
        await press('Enter')
        await settings.getByRole('heading', { level: 1, name: 'Keyboard' }).waitFor()
        const letters = settings.getByRole('switch', { name: 'Single-letter keys' })
        while (!(await isFocused(letters))) await press('Tab')
        await press('Space')
        await expect.poll(() => letters.isChecked(), SOON).toBe(false)
        await press('Escape')
        await press('Alt+1')
        await expect.poll(() => focusIn('[data-pane="timeline"] [role="treeitem"]'), SOON).toBe(true)
        await press('r')
        await press('Shift+F10')
        await page.getByRole('menu', { name: 'Row actions' }).waitFor()
        expect(await preview(page).count()).toBe(0)
        await press('Escape')
        await expect.poll(() => focusIn('[data-pane="timeline"] [role="treeitem"]'), SOON).toBe(true)
      }
    }
  )
})

/** The folder as the run left it, folders with the modes they have now. */
function asTheRunLeftIt(of: Project): Record<string, string> {
  return { 'a.txt': fileOf('ONE\n'), c: of.tree().c ?? '', 'c/d.txt': fileOf('THREE\n') }
}

/** The folder as it was at first, folders with the modes they have now. */
function original(of: Project): Record<string, string> {
  const folder = of.tree().c ?? ''
  return { 'a.txt': fileOf('one\n'), 'b.txt': fileOf('two\n'), c: folder, 'c/d.txt': fileOf('three\n') }
}
