/** Thousands of entries and a run of as many files: only visible rows exist, the end is reachable, filters work. */
import { beforeAll, expect } from 'vitest'
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
/** Rows of a virtual list that may exist at a time. */
const MOST_ROWS = 120

inOneHost('very much in the %s host', (name) => {
  const shop = useProject({ 'a.txt': 'a\n' })
  const host = useWindow(name)

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
      await host.open(shop)
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

    '[UI-34] the scrollbar has its length from the count: it stays while the timeline is scrolled': async () => {
      const height = () =>
        timelineOf(host.page)
          .getByRole('tree')
          .evaluate((box) => box.scrollHeight)
      const before = await height()
      expect(before).toBeGreaterThan(ENTRIES * 48)
      await timed(`scrolled to the middle of ${ENTRIES_AND_ONE} entries`, async () => {
        await timelineOf(host.page)
          .getByRole('tree')
          .evaluate((box) => {
            box.scrollTop = box.scrollHeight / 2
          })
        await entry(host.page, LONG ? /Old run 5\d\d\d,/ : /Old run 6\d\d,/)
          .first()
          .waitFor()
      })
      // Headings of days are known once their entries are loaded: at most one for each.
      expect((await height()) / before).toBeLessThan(1.05)
      await timelineOf(host.page)
        .getByRole('tree')
        .evaluate((box) => {
          box.scrollTop = 0
        })
      await entry(host.page, /Make very many files/).waitFor()
    },

    '[UI-34] End goes to the oldest entry at the first press': async () => {
      await timed(`went to the oldest of ${ENTRIES_AND_ONE} entries`, async () => {
        await host.page.keyboard.press('Alt+1')
        await host.page.keyboard.press('End')
        await entry(host.page, /Old run 1,/)
          .and(host.page.locator(':focus'))
          .waitFor({ timeout: 15_000 })
      })
      expect(await rowsOf('Timeline')).toBeLessThan(MOST_ROWS)
      expect(await timelineOf(host.page).getByRole('treeitem', { selected: true }).count()).toBe(1)
      await host.page.getByRole('heading', { level: 1, name: 'Old run 1' }).waitFor()
    }
  })
})
