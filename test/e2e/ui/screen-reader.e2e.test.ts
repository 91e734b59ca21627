/**
 * The main job as a screen reader's user does it: with keys alone, by what the accessibility tree says of the focus and of the
 * page, and by what is announced. Nothing is looked up by its place or its look.
 */
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { useProject } from '../../support/project.ts'
import { scenario } from '../../support/scenario.ts'
import { fileOf, type Tree } from '../../support/tree.ts'
import { becomes, MOD, SOON } from '../../support/ui.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

const LINES = Array.from({ length: 20 }, (_, n) => `line ${n}`)
const text = (...changes: readonly (readonly [number, string])[]): string =>
  `${LINES.map((line, n) => changes.find(([at]) => at === n)?.[1] ?? line).join('\n')}\n`
const [FIRST, SECOND] = [[2, 'first change'] as const, [15, 'second change'] as const]

declare global {
  interface Window {
    heard: string[]
  }
}

/** Collects what live regions say from now on, in order. */
function listen(page: Page): Promise<void> {
  return page.evaluate(() => {
    window.heard = []
    const collect = () => {
      for (const region of document.querySelectorAll('[aria-live], [role="status"], [role="alert"]')) {
        const said = (region.textContent ?? '').trim()
        if (said !== '' && window.heard.at(-1) !== said) window.heard.push(said)
      }
    }
    new MutationObserver(collect).observe(document.body, { subtree: true, childList: true, characterData: true })
    collect()
  })
}

inOneHost('with a screen reader in the %s host', (name) => {
  const shop = useProject({ 'a.txt': text(), 'b.txt': 'two\n' })
  const host = useWindow(name)
  let original: Tree
  let undone: Tree

  const press = (key: string): Promise<void> => host.page.keyboard.press(key)
  /** What is said of the element with the focus: its role, name and state. */
  const focus = async (): Promise<string> =>
    ((await host.page.locator(':focus').ariaSnapshot()).split('\n')[0] ?? '').replace(/^- /, '')
  const focusSays = (words: RegExp) => expect.poll(focus, SOON).toMatch(words)
  /** The page, or the dialog over it, as it is read from top to bottom. */
  const read = (): Promise<string> => host.page.locator('body').ariaSnapshot()
  const reads = (words: RegExp) => expect.poll(read, SOON).toMatch(words)
  const hears = (words: RegExp) =>
    expect.poll(() => host.page.evaluate(() => window.heard.join('\n')), SOON).toMatch(words)

  beforeAll(async () => {
    original = shop.tree()
    await listen(await host.openEmpty(shop))
  })

  // Long: each state is a test of the gallery, and the main job one of main-job.
  scenario(
    '[UI-27] a folder is added, a run reviewed, one change undone, all restored, and the restore undone',
    { tags: ['long'] },
    {
      'the first page says what it is for, and the focus is in the field for a folder': async () => {
        await reads(/heading "See what your agents changed.*" \[level=1\]/)
        await focusSays(/^combobox "Folder path"/)
        await host.page.keyboard.insertText(shop.root)
        await press('Enter')
        await hears(/Creating the initial snapshot of shop\./)
        await reads(/Runs will appear here\./)
        await focusSays(/^main "No runs yet\. Start your agent in this folder\."/)
      },

      'a run that ends is announced, and its row says who did what': async () => {
        await shop.run('Change two lines', { 'a.txt': text(FIRST, SECOND) }, 'rm b.txt')
        await hears(/“Change two lines” ended, 2 files/)
        await press('Alt+1')
        await focusSays(/^treeitem "Run, Command, Change two lines, .*2 files, 2 added, 3 removed, ended\."/)
        await press('Enter')
        await focusSays(/^treeitem "a\.txt, modified, 2 lines added, 2 deleted/)
      },

      'the changes of a file are read line by line': async () => {
        await press('Enter')
        await focusSays(/textbox "After, a\.txt"/)
        await reads(/button "Show hidden lines"\n\s+- text: 6 hidden lines/)
        await press('F7')
        await focusSays(
          /^'?listitem "Difference 1 of 2: original line 3, 1 line changed, modified line 3, 1 line changed"/
        )
        await reads(/listitem "- line 2 original line 3"[\s\S]*listitem "\+ first change modified line 3"/)
        await press('Escape')
        await focusSays(/textbox "After, a\.txt"/)
      },

      'one change is undone: the preview says what will happen, and what happened is announced': async () => {
        await press('Alt+ArrowDown')
        await press('Alt+z')
        await reads(
          /dialog "Undo change 2 of “Change two lines” in a\.txt"[\s\S]*A copy is saved first, so you can undo this/
        )
        await focusSays(/^treeitem "a\.txt, modify\." \[checked\]/)
        await press(`${MOD}+Enter`)
        await becomes(shop, { 'a.txt': fileOf(text(FIRST)) })
        await hears(/Undid 1 change in a\.txt/)
        await focusSays(/^textbox "After, a\.txt"/)
        undone = shop.tree()
      },

      'the start of the run is restored': async () => {
        await press('Alt+1')
        await focusSays(/^treeitem "Run, Command, Change two lines/)
        await press('r')
        await reads(/dialog "Restore to start of “Change two lines”"[\s\S]*treeitem "a\.txt, modify\."/)
        await reads(/treeitem "b\.txt, recreate\."/)
        await press(`${MOD}+Enter`)
        await becomes(shop, original)
        await hears(/Restored 2 files/)
      },

      'the restore is undone': async () => {
        await focusSays(/^treeitem "Run, Command, Change two lines/)
        await press(`${MOD}+z`)
        await hears(/Undid the restore of 2 files/)
        await becomes(shop, undone)
      }
    }
  )
})
