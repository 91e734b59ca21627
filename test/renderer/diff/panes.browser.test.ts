/**
 * Promises of the files, the diff and the restore dialog in a real browser, in one page, which is loaded once: keyboard only, nothing
 * moves under the reader, no leaks; Enter never applies, and only what was shown is sent.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { holdIdle, releaseIdle } from '../../support/idle.ts'
import { type Site, startSite } from '../../support/pages.ts'
import { LONG } from '../../support/scale.ts'
import { scenario } from '../../support/scenario.ts'
import { inEditor, shownText, tabStops } from '../../support/ui.ts'
import type { Panes } from './page/engine.ts'
import type { MonacoProbe } from './page/probe-monaco.ts'

declare const panes: Panes
declare const probeMonaco: () => Promise<MonacoProbe>

let site: Site
/** What the console and the policy complain about while the page is loaded. */
let ofLoading: readonly string[]

beforeAll(async () => {
  site = await startSite('panes')
  ofLoading = (await ready('', 'load')).problems
})
afterAll(() => site?.close())

async function ready(query = '', how: 'open' | 'load' = 'open') {
  const { page, problems } = await site[how](query)
  await page.waitForSelector('.diff-place:has-text("1/2")')
  await inEditor(page)
  return { page, problems }
}

describe('files and diff', { tags: ['browser'] }, () => {
  const path = (page: Page) => page.locator('.diff-bar .bar-path').textContent()
  const text = (page: Page) => shownText(page)
  /** The editor draws the lines of a text in the frame after it has it, and the focus. */
  const drawnText = async (page: Page) => {
    await expect.poll(() => text(page)).not.toBe('')
    return text(page)
  }
  const place = (page: Page) => page.locator('.diff-place').innerText()
  const row = (page: Page, name: string) => page.locator('.fr:not(.dir)', { hasText: name })
  const inText = (page: Page) =>
    page.evaluate(() => document.querySelector('.text-view')?.contains(document.activeElement) ?? false)

  test('a whole review needs no mouse, and the policy of the page is kept', async () => {
    const { page, problems } = await ready()
    await page.keyboard.press('Tab')
    await row(page, 'total.ts').focus()
    expect(await page.locator('.tree [tabindex="0"]').count()).toBe(1)
    await page.keyboard.press('k')
    await expect.poll(() => path(page)).toBe('src/cart/tax.ts')
    await page.keyboard.press('j')
    await page.keyboard.press(' ')
    await expect.poll(() => page.locator('.bar.sub').innerText()).toContain('1 of 12 reviewed')
    await expect.poll(() => path(page)).toBe('src/new.ts')
    await page.keyboard.press('[')
    await expect.poll(() => path(page)).toBe('src/cart/total.ts')
    await page.keyboard.press('Enter')
    await expect.poll(() => inText(page)).toBe(true)
    await expect.poll(() => place(page)).toBe('1/2')
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(() => place(page)).toBe('2/2')
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(() => path(page)).toBe('src/new.ts')
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(() => path(page)).toBe('src/cart/total.ts')
    await expect.poll(() => place(page)).toBe('2/2')
    // Space marks every remaining file and ends with the notice that all are.
    await row(page, 'new.ts').click()
    await row(page, 'new.ts').focus()
    for (let i = 0; i < 11; i++) await page.keyboard.press(' ')
    await expect.poll(() => page.locator('.bar.sub').innerText()).toContain('All 12 files reviewed')
    expect([...ofLoading, ...problems]).toEqual([])
  })

  test('[RS-11] a bar never covers a line of code, not even in the first frame of a file', async () => {
    const { page } = await ready()
    await page.evaluate(() => {
      const boxes = (selector: string) =>
        [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect())
      const seen = { frames: 0, covered: 0, ended: false }
      Object.assign(window, { seen })
      const look = () => {
        const bars = boxes('.change-bar').filter((box) => box.height > 0)
        const lines = boxes('.view-line').filter((box) => box.height > 0)
        seen.frames += Number(bars.length > 0)
        seen.covered += bars.filter((bar) =>
          lines.some((line) => line.top < bar.bottom - 1 && line.bottom > bar.top + 1)
        ).length
      }
      const everyFrame = () => {
        // The frame is laid out when the message arrives.
        const laidOut = new MessageChannel()
        laidOut.port1.onmessage = look
        laidOut.port2.postMessage(null)
        if (!seen.ended) requestAnimationFrame(everyFrame)
      }
      everyFrame()
    })
    const bars = page.locator('.change-bar:visible')
    for (const name of ['new.ts', 'total.ts', 'new.ts', 'total.ts']) {
      await row(page, name).click()
      await expect.poll(() => bars.count()).toBe(name === 'new.ts' ? 0 : 2)
    }
    type Seen = { readonly frames: number; readonly covered: number; ended: boolean }
    const seen = () => page.evaluate(() => (window as unknown as { readonly seen: Seen }).seen)
    await expect.poll(async () => (await seen()).frames).toBeGreaterThan(3)
    expect((await seen()).covered).toBe(0)
    // The page serves other tests.
    await page.evaluate(() => {
      const { seen } = window as unknown as { readonly seen: Seen }
      seen.ended = true
    })
  })

  test('a key that can do nothing says why, and so does the button of a change of others', async () => {
    const { page } = await ready()
    const said = page.locator('.toast')
    await row(page, 'total.ts').focus()
    await page.keyboard.press('o')
    await expect.poll(() => said.innerText()).toContain('no editor with a window of its own was found')
    await page.keyboard.press('Shift+O')
    await expect.poll(() => said.innerText()).toContain('the browser cannot show folders')
    await row(page, 'rate.ts').click()
    await expect.poll(() => text(page)).toContain('const rate')
    await page.locator('.diffpane').focus()
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(() => place(page)).toBe('2/2')
    const undo = page.getByRole('button', { name: /^Undo .*Change 2 of 2/ })
    expect(await undo.getAttribute('aria-disabled')).toBe('true')
    expect(await undo.getAttribute('aria-description')).toBe('Others wrote this change')
    await page.keyboard.press('Alt+Z')
    await expect.poll(() => said.innerText()).toContain('Not undone: Others wrote this change.')
  })

  test('newer edits of a live run wait behind a pill', async () => {
    const { page } = await ready('live')
    const requests = () => page.evaluate(() => panes.calls.filter((call) => call.method === 'diff.file').length)
    const before = await requests()
    await page.evaluate(() => {
      for (let rev = 1; rev <= 3; rev++) {
        panes.emit('workspace.changed', { workspace: 'ws', rev, kinds: ['edits'], paths: ['src/cart/total.ts'] })
      }
    })
    await expect.poll(() => page.locator('.pilln').innerText()).toContain('3 newer edits')
    expect(await requests()).toBe(before)
    await page.locator('.diffpane').focus()
    await expect.poll(() => inText(page)).toBe(true)
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(() => place(page)).toBe('2/2')
    await page.evaluate(() => {
      panes.rewrite = (text) => `// new\n// new\n${text}`
    })
    await page.locator('.pilln button').click()
    await expect.poll(requests).toBe(before + 1)
    await expect.poll(() => text(page)).toContain('// new')
    // The reader stays at the second change.
    expect(await place(page)).toBe('2/2')
  })

  /** Each state of the bars above the text that the page comes into from now on: the name, the change, what is said of the file. */
  const observeBars = (page: Page) =>
    page.evaluate(() => {
      const pane = document.querySelector('.diffpane') as HTMLElement
      const states: string[] = []
      const textOf = (selector: string) => pane.querySelector(selector)?.textContent ?? ''
      const read = () =>
        [textOf('.bar-path b'), textOf('.diff-place'), textOf('.file-decision'), textOf('.notice')].join('|')
      const observer = new MutationObserver(() => {
        if (states.at(-1) !== read()) states.push(read())
      })
      observer.observe(pane, { subtree: true, childList: true, characterData: true })
      states.push(read())
      Object.assign(window, { barStates: states })
    })
  const barStates = (page: Page) =>
    page.evaluate(() => (window as unknown as { readonly barStates: readonly string[] }).barStates)

  test('[UI-58] the bars above a text change once, together with it, and count its own changes', async () => {
    const { page } = await ready()
    await page.locator('.first-text').waitFor({ state: 'detached' })
    await observeBars(page)
    await row(page, 'new.ts').click()
    await expect.poll(() => drawnText(page)).toContain('const born')
    await page.locator('.first-text').waitFor({ state: 'detached' })
    await row(page, 'tax.ts').click()
    await expect.poll(() => drawnText(page)).toContain('const tax')
    await page.locator('.first-text').waitFor({ state: 'detached' })
    // On a slow computer a file is named before it is loaded.
    const loaded = (await barStates(page)).filter((state) => !state.endsWith('|||'))
    expect(loaded).toEqual(['total.ts|1/2||', 'new.ts|||New file. It did not exist before.', 'tax.ts|1/2||'])
  })

  test('[UI-58] while a file is loading, nothing that is true of the one before is said below its name', async () => {
    const { page } = await ready()
    await page.evaluate(() => panes.held.add('src/cart/sum.ts'))
    await row(page, 'new.ts').click()
    await expect.poll(() => drawnText(page)).toContain('const born')
    await observeBars(page)
    await row(page, 'sum.ts').click()
    await expect.poll(() => path(page)).toBe('src/cart/sum.ts')
    expect(await text(page)).toContain('const born')
    expect(await barStates(page)).toEqual(['new.ts|||New file. It did not exist before.', 'sum.ts|||'])
    await page.evaluate(() => panes.release('src/cart/sum.ts'))
    await expect.poll(() => text(page)).toContain('const sum')
  })

  let page: Page

  scenario('while the next file is loading, the shown one stays, and what is pressed is meant for the next', {
    'a late reply never replaces the file requested last; the previous diff stays until then': async () => {
      page = (await ready()).page
      await page.evaluate(() => {
        for (const name of ['sum', 'cost', 'fee', 'code', 'rate']) panes.held.add(`src/cart/${name}.ts`)
      })
      await row(page, 'sum.ts').click()
      expect(await text(page)).toContain('const total')
      await row(page, 'tax.ts').click()
      await expect.poll(() => text(page)).toContain('const tax')
      await page.evaluate(() => panes.release('src/cart/sum.ts'))
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      expect(await text(page)).toContain('const tax')
    },

    'a step to the next change is taken once the file is on screen': async () => {
      await row(page, 'cost.ts').click()
      await expect.poll(() => path(page)).toBe('src/cart/cost.ts')
      await page.locator('main').focus()
      await page.keyboard.press('Alt+ArrowDown')
      expect(await text(page)).toContain('const tax')
      await page.evaluate(() => panes.release('src/cart/cost.ts'))
      await expect.poll(() => text(page)).toContain('const cost')
      await expect.poll(() => place(page)).toBe('2/2')
      expect(await path(page)).toBe('src/cart/cost.ts')
    },

    '[UI-3] Enter moves the focus to its text once it is on screen, and no key reaches the other': async () => {
      await row(page, 'fee.ts').click()
      await page.keyboard.press('Enter')
      expect(await page.evaluate(() => document.activeElement?.localName)).toBe('main')
      await page.evaluate(() => panes.release('src/cart/fee.ts'))
      await expect.poll(() => inText(page)).toBe(true)
      expect(await drawnText(page)).toContain('const fee')
    },

    'the hunks of the previous file cannot be undone': async () => {
      await row(page, 'code.ts').click()
      await page.getByRole('button', { name: 'Undo this change… Change 2 of 2' }).click()
      await page.locator('main').focus()
      await page.keyboard.press('Alt+z')
      await page.evaluate(() => panes.release('src/cart/code.ts'))
      await expect.poll(() => text(page)).toContain('const code')
      expect(await page.evaluate(() => panes.calls.filter((call) => call.method === 'restore.plan').length)).toBe(0)
    },

    '[UI-3] a text that the editor gets late does not take the focus from the file requested after it': async () => {
      await holdIdle(page)
      await row(page, 'tax.ts').click()
      await page.waitForSelector('.first-text:has-text("const tax")')
      await row(page, 'rate.ts').click()
      await page.keyboard.press('Enter')
      await releaseIdle(page)
      await page.locator('.first-text').waitFor({ state: 'detached' })
      expect(await text(page)).toContain('const tax')
      expect(await page.evaluate(() => document.activeElement?.localName)).toBe('main')
      await page.evaluate(() => panes.release('src/cart/rate.ts'))
      await expect.poll(() => inText(page)).toBe(true)
      expect(await drawnText(page)).toContain('const rate')
    }
  })

  const planned = () =>
    page.evaluate(() => panes.calls.findLast((call) => call.method === 'restore.plan')?.params as { request: unknown })
  const split = () => page.locator('.monaco-diff-editor.side-by-side').count()
  const bars = () => page.locator('.change-bar:visible')
  let problems: readonly string[]

  scenario('the changes of a run are undone, and files of every kind are shown', {
    'two columns from the start where there is room': async () => {
      ;({ page, problems } = await ready())
      expect(await split()).toBe(1)
    },

    '[RS-11] each change has a bar of its own, and its action asks for that change alone': async () => {
      await expect
        .poll(() => bars().allInnerTexts())
        .toEqual(['Change 1 of 2\nKeep\nUndo this change…', 'Change 2 of 2\nKeep\nUndo this change…'])
      await page.locator('main').focus()
      await page.keyboard.press('Alt+ArrowDown')
      await page.keyboard.press('Alt+z')
      await page.waitForSelector('.restore-list .fr')
      expect((await planned()).request).toEqual({
        kind: 'undo-run',
        run: 'run_1',
        hunks: { 'src/cart/total.ts': [2] },
        onConflict: 'merge'
      })
      await page.keyboard.press('Escape')
      await expect.poll(() => inText(page)).toBe(true)
      const first = page.getByRole('button', { name: 'Undo this change… Change 1 of 2' })
      await first.focus()
      await page.keyboard.press('Enter')
      await page.waitForSelector('.restore-list .fr')
      expect((await planned()).request).toMatchObject({ hunks: { 'src/cart/total.ts': [1] } })
      await page.keyboard.press('Escape')
      await expect.poll(() => first.evaluate((button) => button === document.activeElement)).toBe(true)
    },

    '[UI-20] a right click on a line offers its change, its place and its history': async () => {
      const line = page.locator('.editor.modified .view-line', { hasText: 'end' }).last()
      await line.click({ button: 'right', position: { x: 5, y: 5 } })
      const menu = page.getByRole('menu', { name: /^Actions for src\/cart\/total\.ts:\d+$/ })
      await expect
        .poll(() =>
          menu
            .getByRole('menuitem')
            .evaluateAll((all) => all.map((item) => item.querySelector('.mi-label')?.firstChild?.textContent))
        )
        .toEqual([
          'Copy',
          'Copy path and line',
          'Keep this change',
          'Undo this change…',
          'Comment on this line',
          'Who wrote each line',
          'History of this file'
        ])
      await menu.getByRole('menuitem', { name: 'Undo this change…' }).click()
      await page.waitForSelector('.restore-list .fr')
      expect((await planned()).request).toMatchObject({ hunks: { 'src/cart/total.ts': [2] } })
      await page.keyboard.press('Escape')
    },

    'a new file stays one text, without bars': async () => {
      await row(page, 'new.ts').click()
      await expect.poll(() => text(page)).toContain('const born')
      expect(await split()).toBe(0)
      await expect.poll(() => bars().count()).toBe(0)
    },

    'whitespace is ignored on request, inside lines, too, and the hunks that are hidden are counted': async () => {
      await page.evaluate(() => {
        panes.rewrite = (text) => text.replace('const sum = 3', '\tconst  sum=1 ')
      })
      await row(page, 'sum.ts').click()
      await expect.poll(() => text(page)).toContain('sum=1')
      await expect.poll(() => place(page)).toBe('1/2')
      await expect.poll(() => bars().count()).toBe(2)
      await page.locator('.diffpane').focus()
      await expect.poll(() => inText(page)).toBe(true)
      await page.keyboard.press('Shift+Alt+W')
      await page
        .getByText('Whitespace is ignored. 1 change is whitespace only: it is counted, but not shown.')
        .waitFor()
      await expect.poll(() => place(page)).toBe('1/1')
      await expect.poll(() => bars().innerText()).toContain('Change 2 of 2')
      await page.keyboard.press('Alt+W')
      await page.getByText('Whitespace at the start and end of lines is ignored.').waitFor()
      await expect.poll(() => place(page)).toBe('1/2')
      await page.keyboard.press('Alt+W')
      await expect.poll(() => page.getByText('is ignored').count()).toBe(0)
    },

    '[UI-1] a file without text has a notice of its own': async () => {
      await row(page, 'rates.csv').click()
      await page.getByRole('heading', { name: 'Not stored: over the size limit' }).waitFor()
      await row(page, 'run.sh').click()
      await page.getByText('Now executable, contents unchanged').waitFor()
      await row(page, 'logo.svg').click()
      await expect.poll(() => page.locator('figcaption').first().innerText()).toContain('8 × 8')
      expect(await page.locator('.image-view svg').count()).toBe(0)
      await page.getByRole('button', { name: 'Show text' }).click()
      await expect.poll(() => text(page)).toContain('green')
    },

    'one column is chosen; in the long form, it is remembered': async () => {
      await row(page, 'tax.ts').click()
      await expect.poll(split).toBe(1)
      await page.locator('main').focus()
      await page.keyboard.press('Alt+s')
      await expect.poll(split).toBe(0)
      expect(problems).toEqual([])
      if (!LONG) return
      await page.reload()
      await inEditor(page)
      expect(await split()).toBe(0)
    }
  })

  scenario('one text is read by keys, in any theme, and its secrets stay masked until a person reveals them', {
    'F7 opens the accessible viewer, Escape closes it': async () => {
      page = (await ready()).page
      await page.locator('main').focus()
      await page.keyboard.press('F7')
      await page.locator('.diff-review').first().waitFor({ state: 'visible' })
      await page.keyboard.press('Escape')
      await page.locator('.diff-review').first().waitFor({ state: 'hidden' })
    },

    'Tab leaves the text: it is no keyboard trap': async () => {
      await page.locator('main').focus()
      await expect.poll(() => inText(page)).toBe(true)
      // The text, then the two actions of each of its two bars.
      for (let i = 0; i < 5 && (await inText(page)); i++) await page.keyboard.press('Tab')
      expect(await inText(page)).toBe(false)
    },

    'stepping through files keeps the one editor': async () => {
      const editors = () => page.locator('.monaco-diff-editor').count()
      for (let i = 0; i < 6; i++) await page.keyboard.press(i % 2 ? '[' : ']')
      await row(page, 'tax.ts').click()
      await expect.poll(() => text(page)).toContain('const tax')
      expect(await editors()).toBe(1)
    },

    'secrets are masked until the user reveals them': async () => {
      await row(page, '.env').click()
      await expect.poll(() => text(page)).toContain('KEY=••••')
      expect(await page.content()).not.toContain('secret</span>')
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      await expect.poll(() => text(page)).toContain('KEY=new-secret')
    },

    'the theme of the diff follows the theme of the page at once': async () => {
      const background = () =>
        page.evaluate(
          () => getComputedStyle(document.querySelector('.monaco-editor-background') as Element).backgroundColor
        )
      for (const [theme, color] of [
        ['dark', 'rgb(20, 22, 27)'],
        ['light', 'rgb(255, 255, 255)']
      ] as const) {
        await page.evaluate((name) => {
          document.documentElement.dataset.theme = name
        }, theme)
        await expect.poll(background).toBe(color)
      }
    },

    'with reduced motion a change of theme moves nothing': async () => {
      const moving = (theme: string) =>
        page.evaluate((name) => {
          document.documentElement.dataset.theme = name
          return document.getAnimations().length
        }, theme)
      // A theme taken back before its first frame starts nothing: the change before has to end.
      await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0)
      expect(await moving('dark'), 'with motion').toBeGreaterThan(0)
      await page.emulateMedia({ reducedMotion: 'reduce' })
      expect(await moving('light')).toBe(0)
      await page.emulateMedia({ reducedMotion: 'no-preference' })
    },

    'the parts of Monaco without public types are still there': async () => {
      const probe = await page.evaluate(() => probeMonaco())
      expect(probe.deleted).toBe(3)
      expect(probe.stopped).toBe(false)
      expect(probe.more).toBeGreaterThan(200)
      expect(probe.unfolded).toBe(true)
      expect(probe.tokenized).toBe(true)
    }
  })
})

describe('restore dialog', { tags: ['browser'] }, () => {
  const open = async (query = '') => {
    const { page, problems } = await site.open(`restore${query}`)
    await page.locator('#opener').press('Enter')
    await page.waitForSelector('.restore-list .fr')
    return { page, problems }
  }
  const applied = (page: Page) =>
    page.evaluate(() => panes.calls.filter((call) => call.method === 'restore.apply').map((call) => call.params))
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.querySelector('.sr')?.textContent ?? '')
  const row = (page: Page, name: string) => page.locator('.restore-list .fr', { hasText: name })

  let page: Page
  let problems: readonly string[]
  /** The dialog again, with a new plan. */
  const reopen = async () => {
    await page.locator('#opener').press('Enter')
    await page.waitForSelector('.restore-list .fr')
  }

  scenario('[UI-26] the dialog is read, changed and applied by keys', {
    'focus starts in the list, stays in the dialog and returns to the opener': async () => {
      ;({ page, problems } = await open())
      await expect.poll(() => focused(page)).toContain('src/cart/total.ts')
      expect(await page.getByRole('alertdialog').count()).toBe(1)
      const stops = await tabStops(page, 14)
      expect(stops).not.toContain('behind')
      expect(stops.join(' ')).not.toContain('browser browser')
      await page.keyboard.press('Escape')
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('opener')
      expect(problems).toEqual([])
    },

    '[UI-26] a folder of the list folds, and Space on it leaves out all of its files': async () => {
      await reopen()
      const folder = page.locator('.restore-list .dir').last()
      const size = () => page.locator('footer .primary').innerText()
      const before = await size()
      await folder.focus()
      await page.keyboard.press(' ')
      expect(await folder.getAttribute('aria-checked')).toBe('false')
      expect(await size()).not.toBe(before)
      await page.keyboard.press(' ')
      expect(await size()).toBe(before)
      const rows = await page.locator('.restore-list [role="treeitem"]').count()
      await page.keyboard.press('ArrowLeft')
      expect(await page.locator('.restore-list [role="treeitem"]').count()).toBeLessThan(rows)
    },

    '[UI-26] the dialog takes most of a large window, and the border of its list is moved by keys and remembered':
      async () => {
        await page.keyboard.press('Escape')
        await reopen()
        const width = (selector: string) => page.locator(selector).evaluate((box) => box.clientWidth)
        await page.setViewportSize({ width: 2560, height: 1440 })
        expect(await page.locator('dialog').boundingBox()).toMatchObject({ width: 2304, height: 1296 })
        const border = page.getByRole('separator', { name: 'Width of the list of files' })
        const before = 639
        await expect.poll(() => width('.restore-side')).toBe(before)
        await border.press('ArrowLeft')
        await expect.poll(() => width('.restore-side')).toBe(before - 16)
        await page.keyboard.press('Escape')
        await reopen()
        expect(await width('.restore-side')).toBe(before - 16)
        await border.dblclick()
        await expect.poll(() => width('.restore-side')).toBe(before)
        await page.setViewportSize({ width: 1180, height: 760 })
      },

    'Enter never applies; Mod+Enter applies once, with every resolution that was shown': async () => {
      await page.keyboard.press('Escape')
      await reopen()
      await expect.poll(() => focused(page)).toContain('src/cart/total.ts')
      for (let i = 0; i < 3; i++) await page.keyboard.press('Enter')
      await page.getByRole('radio', { name: /Merge/ }).click()
      await row(page, 'b.ts').click()
      await page.keyboard.press(' ')
      expect(await page.locator('.tally').innerText()).toBe('Restores 1 filemerges 1keeps 1cannot restore 1')
      expect(await page.locator('footer .primary').innerText()).toContain('Restore 2 files')
      expect(await applied(page)).toEqual([])
      await page.keyboard.press('Control+Enter')
      await page.keyboard.press('Control+Enter')
      await expect.poll(() => page.locator('output').innerText()).toBe('done')
      expect(await applied(page)).toEqual([
        {
          workspace: 'ws',
          request: { kind: 'restore', target: 'cp', git: ['lost'] },
          resolutions: { 'src/cart/total.ts': 'merge', 'src/b.ts': 'keep' },
          plan: 'plan 0'
        }
      ])
    }
  })

  scenario('[RS-8] [RS-22] nothing is written while a run is live, until a person chooses', {
    '[RS-22] the shown plan is queued until the run stops; a changed one has to be shown first': async () => {
      ;({ page } = await open('&live'))
      const queued = () => page.evaluate(() => panes.calls.filter(({ method }) => method === 'restore.queue').length)
      await page.getByRole('button', { name: 'When it stops', exact: true }).click()
      await page.evaluate(() => {
        panes.moveOn()
        panes.emit('workspace.changed', { workspace: 'ws', rev: 9, kinds: ['edits'], paths: ['src/b.ts'] })
      })
      await page.getByRole('button', { name: 'Refresh preview' }).waitFor()
      await page.keyboard.press('Control+Enter')
      expect(await queued()).toBe(0)
      await page.getByRole('button', { name: 'Refresh preview' }).click()
      await page.getByText('it is applied when the run stops').waitFor()
      await page.keyboard.press('Control+Enter')
      await expect.poll(() => page.locator('output').innerText()).toBe('queued')
      expect(await applied(page)).toEqual([])
    },

    '[RS-8] with a live run nothing is written until a person chooses': async () => {
      await reopen()
      await page.getByText('Codex is working here.').waitFor()
      await page.keyboard.press('Control+Enter')
      expect(await applied(page)).toEqual([])
      await page.getByRole('button', { name: 'Restore anyway…' }).click()
      await page.keyboard.press('Control+Enter')
      await expect.poll(async () => (await applied(page))[0]).toMatchObject({ whileLive: true })
    },

    'the end of the run is the end of the choice, and nothing is written by itself': async () => {
      await reopen()
      const before = await applied(page)
      await page.getByRole('button', { name: 'When it stops', exact: true }).click()
      await page.evaluate(() => {
        panes.live = false
        panes.emit('run.ended', { workspace: 'ws', run: 'run_1', title: 'busy', files: 1 })
      })
      await page.locator('.notice[data-tone="live"]').waitFor({ state: 'detached' })
      expect(await applied(page)).toEqual(before)
    }
  })

  test('a preview over an open diff shows its own text', { tags: ['long'] }, async () => {
    const { page, problems } = await site.open('both')
    await page.waitForSelector('.diffpane .diff-place')
    await page.evaluate(() => document.getElementById('opener')?.click())
    await page.locator('.restore-diff .editor.modified .view-line').first().waitFor()
    expect(await page.getByText('Couldn’t preview').count()).toBe(0)
    expect(problems).toEqual([])
  })

  test('[RS-2] a file that changed while a person was reading is never overwritten', async () => {
    const { page } = await open()
    await page.evaluate(() => panes.moveOn())
    await page.keyboard.press('Control+Enter')
    await page.getByText('1 file changed while you were reading. Nothing was written.').waitFor()
    const tries = (await applied(page)).length
    await page.keyboard.press('Control+Enter')
    expect(await page.locator('output').innerText()).toBe('')
    expect(await applied(page)).toHaveLength(tries)
    await page.getByRole('button', { name: 'Refresh preview' }).click()
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => page.locator('output').innerText()).toBe('done')
  })

  test('[RS-5] a partial restore names what failed and can be undone as a whole', async () => {
    const { page } = await open('&ending=partial')
    await page.keyboard.press('Control+Enter')
    await page.getByText('1 of 2 restored. src/b.ts: it is open in another program.').waitFor()
    expect(await page.locator('#restore-intro').innerText()).toBe('The previous versions are saved.')
    await page.getByRole('button', { name: 'Undo all' }).click()
    await expect.poll(() => page.locator('output').innerText()).toBe('done')
    expect((await applied(page)).map((params) => (params as { request: { kind: string } }).request.kind)).toEqual([
      'restore',
      'undo'
    ])
  })

  test('the conversation is restored with the files, alone, or not at all, as planned', async () => {
    const { page, problems } = await site.open('restore')
    await page.evaluate(() => {
      panes.talks = true
    })
    await page.locator('#opener').press('Enter')
    await page.waitForSelector('.restore-list .fr')
    const modes = page.getByRole('group', { name: 'What to restore' })
    await modes.getByRole('button', { name: 'Both', pressed: true }).waitFor()
    await page.getByText('7 messages after this point are set aside, not deleted; undo restores them.').waitFor()
    await modes.getByRole('button', { name: 'Files' }).click()
    await page.getByText('Claude Code still remembers the 7 messages after this point').waitFor()
    await modes.getByRole('button', { name: 'Conversation' }).click()
    await page.getByRole('heading', { name: '7 messages set aside' }).waitFor()
    await page.getByRole('button', { name: 'Restore the conversation' }).waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { name: 'Restored the conversation' }).waitFor()
    expect(await applied(page)).toEqual([
      {
        workspace: 'ws',
        request: { kind: 'restore', target: 'cp', mode: 'conversation', git: ['lost'] },
        resolutions: {},
        plan: 'plan 0 conversation'
      }
    ])
    await page.getByText('claude --resume f').waitFor()
    await page.getByRole('button', { name: 'Copy prompt' }).waitFor()
    expect(await page.locator('output').innerText()).not.toBe('done')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('output').innerText()).toBe('done')
    expect(problems).toEqual([])
  })
})
