/**
 * Thousands of entries and a run of as many files: only visible rows exist, the end is reachable, filters work. Parts of the timeline
 * arrive late, or in another order than they are wanted.
 */
import { beforeAll, expect } from 'vitest'
import { type HeldReplies, interceptReplies } from '../../support/held-replies.ts'
import { useProject } from '../../support/project.ts'
import { LONG } from '../../support/scale.ts'
import { scenario } from '../../support/scenario.ts'
import { diffPane, entry, fileRow, preview, previewRows, timelineOf } from '../../support/ui.ts'
import { addOldRuns } from '../../support/ui-history.ts'
import { inOneHost, useWindow } from '../../support/window.ts'

/** More than two requests of the timeline. */
const ENTRIES = LONG ? 10_000 : 1300
const MANY_FILES = LONG ? 4000 : 400
const ENTRIES_AND_ONE = (ENTRIES + 1).toLocaleString('en')
const FILES = MANY_FILES.toLocaleString('en')
/** As `split` names the last of that many files. */
const LAST_FILE = `file-${LONG ? 'fxv' : 'apj'}`
/** Entries in the middle. */
const MIDDLE = LONG ? /Old run 5\d\d\d,/ : /Old run 6\d\d,/
/** Rows of a virtual list that may exist at a time. */
const MOST_ROWS = 120

inOneHost('very much in the %s host', (name) => {
  const shop = useProject({ 'a.txt': 'a\n' })
  const host = useWindow(name)
  let replies: HeldReplies

  const timed = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const from = performance.now()
    await work()
    console.log(`${name}: ${what} in ${Math.round(performance.now() - from)} ms`)
  }
  const rowsOf = (list: string): Promise<number> =>
    host.page.getByRole('tree', { name: list }).getByRole('treeitem').count()
  const scrollToEnd = (list: string): Promise<void> =>
    host.page.getByRole('tree', { name: list }).evaluate((box) => {
      box.scrollTop = box.scrollHeight
    })

  beforeAll(async () => {
    await shop.add()
    await addOldRuns(shop, ENTRIES)
    const make = `mkdir -p many && seq ${MANY_FILES} | (cd many && split -l 1 -a 3 - file-)`
    await shop.run('Make very many files', {}, make)
    await timed(`opened a history of ${ENTRIES_AND_ONE} entries`, async () => {
      await host.open(shop, {}, async (unloaded) => {
        replies = await interceptReplies(unloaded)
      })
      await entry(host.page, /^Run, .*Make very many files/).waitFor()
    })
  })

  scenario('few rows exist, every row is in reach, and filters find all of them', {
    'the timeline holds few rows and knows how many there are': async () => {
      expect(await rowsOf('Timeline')).toBeLessThan(MOST_ROWS)
      expect(await entry(host.page, /Make very many files/).getAttribute('aria-setsize')).toBe(String(ENTRIES + 1))
    },

    'a run of many files opens with its first difference': async () => {
      await timed(`a run of ${FILES} files, until its first difference`, async () => {
        await entry(host.page, /Make very many files/).click()
        await fileRow(host.page, /^file-aaa, added/).waitFor()
        await diffPane(host.page).locator('.view-line').first().waitFor()
      })
      await host.page.getByRole('heading', { name: `Files ${FILES}` }).waitFor()
      expect(await rowsOf('Changed files')).toBeLessThan(MOST_ROWS)
      const { nodes } = await host.page.evaluate(() => ({ nodes: document.querySelectorAll('*').length }))
      console.log(`${name}: ${nodes} elements on the page`)
      expect(nodes).toBeLessThan(5000)
    },

    '[UI-7] a row that is drawn after the focus has moved on does not take it': async () => {
      const stays = await host.page.evaluate(async () => {
        const [row, other] = ['[data-pane="files"] [role="treeitem"]', 'header .switcher'].map((selector) =>
          document.querySelector<HTMLElement>(selector)
        )
        row?.focus()
        row?.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }))
        other?.focus()
        for (let n = 0; n < 12; n++) await new Promise(requestAnimationFrame)
        return other !== null && document.activeElement === other
      })
      await fileRow(host.page, new RegExp(`^${LAST_FILE}`)).waitFor()
      expect(stays).toBe(true)
    },

    'the last file is reached by scrolling and by End, and its difference is shown': async () => {
      await timed(`scrolled to the last of ${FILES} files`, async () => {
        await scrollToEnd('Changed files')
        await fileRow(host.page, new RegExp(`^${LAST_FILE}`)).waitFor()
      })
      await host.page.keyboard.press('Alt+2')
      await host.page.keyboard.press('End')
      await diffPane(host.page)
        .getByRole('heading', { name: `many/${LAST_FILE}` })
        .waitFor()
      await diffPane(host.page)
        .locator('.view-line', { hasText: String(MANY_FILES) })
        .first()
        .waitFor()
      expect(await rowsOf('Changed files')).toBeLessThan(MOST_ROWS)
    },

    'a filter of many files answers': async () => {
      await host.page.getByRole('button', { name: 'Filter files' }).click()
      await timed(`filtered ${FILES} files`, async () => {
        await host.page
          .getByRole('textbox', { name: /filter/i })
          .last()
          .fill('file-ac')
        await fileRow(host.page, /^file-aca/).waitFor()
        await fileRow(host.page, /^file-aaa/).waitFor({ state: 'detached' })
      })
      await host.page.keyboard.press('Escape')
    },

    'the preview of many files lists them without holding them all': async () => {
      await timed(`previewed a restore of ${FILES} files`, async () => {
        await host.page.getByRole('button', { name: /^Restore to start/ }).click()
        await previewRows(host.page)
      })
      // The folder they are in counts apart.
      await preview(host.page).getByText(`${FILES} files and 1 folder`, { exact: false }).first().waitFor()
      await preview(host.page)
        .getByRole('button', { name: `Restore ${FILES} files` })
        .waitFor()
      expect(await rowsOf('Files in this restore')).toBeLessThan(MOST_ROWS)
      await host.page.keyboard.press('Escape')
    },

    'the timeline filter covers the whole history, not only loaded entries': async () => {
      const field = host.page.getByRole('textbox', { name: 'Filter the timeline' })
      await timed(`filtered ${ENTRIES_AND_ONE} entries`, async () => {
        await field.fill('old run 17')
        await entry(host.page, LONG ? /Old run 1799,/ : /Old run 179,/).waitFor()
      })
      await field.press('ArrowDown')
      await host.page.keyboard.press('End')
      await entry(host.page, /Old run 17,/)
        .and(host.page.locator(':focus'))
        .waitFor()
      await field.fill('')
      await entry(host.page, /Make very many files/).waitFor()
    },

    '[UI-34] the scrollbar has its length from the count, and End goes to the oldest at the first press, also when entries before it come first':
      async () => {
        const { page } = host
        const list = timelineOf(page).getByRole('tree')
        const height = () => list.evaluate((box) => box.scrollHeight)
        const scrollToMiddle = () =>
          list.evaluate((box) => {
            box.scrollTop = box.scrollHeight / 2
          })
        const before = await height()
        expect(before).toBeGreaterThan(ENTRIES * 48)
        // With `--long` more than one request leads to the middle; they are answered at once there.
        if (!LONG) replies.hold('timeline.list')
        await scrollToMiddle()
        if (LONG) await entry(page, MIDDLE).first().waitFor()
        else await expect.poll(() => replies.count('before')).toBe(1)
        await page.keyboard.press('Alt+1')
        await timelineOf(page).locator('[role="treeitem"]:focus').waitFor()
        await page.keyboard.press('End')
        if (!LONG) {
          await expect.poll(() => replies.count('oldest')).toBe(1)
          replies.releaseOf('before')
          await scrollToMiddle()
          await entry(page, MIDDLE).first().waitFor()
        }
        // Headings of days are known once their entries are loaded: at most one for each.
        expect((await height()) / before).toBeLessThan(1.05)
        await timed(`went to the oldest of ${ENTRIES_AND_ONE} entries`, async () => {
          replies.release()
          await entry(page, /Old run 1,/)
            .and(page.locator(':focus'))
            .waitFor()
        })
        expect(await rowsOf('Timeline')).toBeLessThan(MOST_ROWS)
        expect(await timelineOf(page).getByRole('treeitem', { selected: true }).count()).toBe(1)
        await page.getByRole('heading', { level: 1, name: 'Old run 1' }).waitFor()
      },

    '[UI-3] Review opens an outside change that the timeline has not loaded yet': async () => {
      const { page } = host
      replies.hold('timeline.list')
      shop.edit({ 'b.txt': 'by hand\n' })
      await page.getByRole('region', { name: 'Notice' }).getByRole('button', { name: 'Review' }).click()
      await expect.poll(() => replies.count()).toBeGreaterThan(0)
      expect(await entry(page, /changed outside/).count()).toBe(0)
      replies.release()
      await fileRow(page, /^b\.txt, added/).waitFor()
      await diffPane(page).getByRole('heading', { name: 'b.txt' }).waitFor()
    }
  })
})
