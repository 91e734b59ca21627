/**
 * The window in the gallery, whose page is loaded once for all of them: no state of it breaks WCAG 2.2 AA or has a banned phrase, no
 * control is out of it from 400 % zoom to a desk, and what an open workspace and the first screen promise.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BANNED_IN_TEXTS, BANNED_PHRASES } from '../../scripts/language.ts'
import { violations } from '../support/axe.ts'
import { cutOff } from '../support/cut-off.ts'
import { dragFiles } from '../support/drop.ts'
import { type Site, startSite } from '../support/pages.ts'
import { LONG } from '../support/scale.ts'
import { scenario } from '../support/scenario.ts'
import { tempFolder } from '../support/tmp.ts'
import { entry, fileRow, SOON } from '../support/ui.ts'
import type { Variant } from './scene.ts'
import { resize, STATES, WIDTHS, type WindowState } from './states.ts'

let site: Site

beforeAll(async () => {
  site = await startSite('gallery')
})

afterAll(() => site?.close())

const LOOKS = [
  { look: 'light', media: { colorScheme: 'light', forcedColors: 'none', reducedMotion: 'no-preference' } },
  { look: 'dark', media: { colorScheme: 'dark', forcedColors: 'none', reducedMotion: 'reduce' } },
  { look: 'forced colours', media: { colorScheme: 'light', forcedColors: 'active', reducedMotion: 'reduce' } }
] as const
type Combination = (typeof LOOKS)[number] & { readonly width: number }
/** The first one is that of the state: a menu closes when the window is resized. */
const COMBINATIONS: readonly Combination[] = [1280, ...WIDTHS.filter((width) => width !== 1280)].flatMap((width) =>
  LOOKS.map((look) => ({ width, ...look }))
)

/**
 * One of each kind: the others are variations of them. The order gives code to light and dark. What lies over a screen of another
 * state is checked alone: axe takes a second for a whole screen.
 */
const OF_EACH_KIND: readonly { readonly name: string; readonly part?: string }[] = [
  { name: 'replay' },
  { name: 'interrupted' },
  { name: 'welcome' },
  { name: 'the filters of the timeline', part: '[role="menu"]' },
  { name: 'the preview of a restore', part: 'dialog.restore' },
  { name: 'conversation' },
  { name: 'settings-storage' },
  { name: 'today' }
]

/** The texts of the page that are not a user's own: files, prompts, commands and messages of an agent are in other words. */
function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const own = '.monaco-editor, .messages, .mono, code, pre, textarea'
    const texts = new Set<string>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (!node.parentElement?.closest(own)) texts.add(node.textContent?.trim() ?? '')
    for (const element of document.querySelectorAll('*'))
      for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'data-tip', 'alt'])
        if (!element.closest(own)) texts.add(element.getAttribute(name)?.trim() ?? '')
    return [...texts].filter((text) => text !== '')
  })
}

describe('[UI-27] nothing breaks WCAG 2.2 AA, and no banned phrase is in the texts and accessible names', {
  tags: ['browser']
}, () => {
  const drawn = (page: Page) =>
    page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))

  const check = async (state: WindowState, combinations: readonly Combination[], part?: string): Promise<void> => {
    const { variant, enter } = state
    const { page } = await site.open(`variant=${variant}&host=browser`)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.emulateMedia(LOOKS[0].media)
    await enter?.(page)
    await expect.poll(async () => (await textsOf(page)).length, SOON).toBeGreaterThan(10)
    const texts = await textsOf(page)
    expect(texts.filter((text) => text.search(BANNED_PHRASES) >= 0 || text.search(BANNED_IN_TEXTS) >= 0)).toEqual([])
    // Cut off, the window stays dimmed, and what is dimmed waits to be replaced: axe waits for that, too.
    if (variant === 'disconnected') return
    const found: string[] = []
    try {
      for (const { width, look, media } of combinations) {
        await resize(page, state, width, 800)
        await page.emulateMedia(media)
        await drawn(page)
        found.push(...(await violations(page, part)).map((line) => `${width} px, ${look}: ${line}`))
      }
    } finally {
      // The page serves other tests.
      await page.emulateMedia(LOOKS[0].media)
    }
    expect(found).toEqual([])
  }

  test.each(OF_EACH_KIND.map((kind, n) => ({ ...kind, n })))('in the state "$name"', async ({ name, part, n }) => {
    const state = STATES.find((each) => each.name === name)
    const combination = COMBINATIONS[(n * 5) % COMBINATIONS.length]
    if (!state || !combination) throw new Error(`there is no state "${name}"`)
    await check(state, [combination], part)
  })

  test.each(STATES)(
    'in the state "$name", at each width and in every look',
    {
      tags: ['long'],
      timeout: 120_000
    },
    (state) => check(state, COMBINATIONS)
  )
})

/** The narrowest window of each layout; with `npm run test:long` also widths between them. */
const NARROWEST = LONG ? [360, 500, 760, 960, 1100] : [360, 760]

/** One screen of each kind, and the banner with the most buttons; with `npm run test:long` every kind of banner. */
const SCREENS: readonly Variant[] = [
  ...(['shop', 'interrupted', 'welcome', 'first-copy', 'settings-storage'] as const),
  ...(LONG ? (['worktrees', 'uncovered', 'stopped', 'settings-agents', 'drift', 'disconnected'] as const) : []),
  ...(LONG ? (['copying', 'missing', 'halfway', 'fresh-repository', 'disk-low', 'offline-drift'] as const) : [])
]
/** The bars of a run have their words and buttons in a line each, from a phone to a large screen. */
const WIDTHS_OF_BARS = LONG ? [360, 480, 640, 760, 900, 1100, 1280, 1600] : [360, 900]

const layoutOf = (width: number) => (width >= 1100 ? 'wide' : width >= 760 ? 'medium' : 'tabs')

describe('[UI-18] no control is out of the window', { tags: ['browser'] }, () => {
  test.each(SCREENS)('on the screen "%s"', async (variant) => {
    const { page } = await site.open(`variant=${variant}&host=browser`)
    const screen = page.getByRole('banner').and(page.locator(':visible'))
    await (variant.startsWith('settings-') ? page.getByRole('dialog') : screen).first().waitFor()
    for (const width of NARROWEST) {
      await page.setViewportSize({ width, height: 800 })
      await page
        .locator(`[data-layout="${layoutOf(width)}"], .welcome`)
        .first()
        .waitFor()
      expect(await cutOff(page), `${width} px`).toEqual([])
    }
  })

  test('[UI-54] at 400 % zoom screens and dialogs keep their room and scroll', async () => {
    const zoomed = async (name: string) => {
      const state = STATES.find((each) => each.name === name)
      if (!state) throw new Error(`there is no state "${name}"`)
      const { page } = await site.open(`variant=${state.variant}&host=browser`)
      await page.setViewportSize({ width: 1280, height: 800 })
      await state.enter?.(page)
      await resize(page, state, 320, 256)
      expect(await cutOff(page), name).toEqual([])
      return page
    }
    const inView = async (part: Locator) => {
      await part.scrollIntoViewIfNeeded()
      const { y, height } = await boxOf(part)
      return { height, isIn: y >= 0 && y + Math.min(height, 100) <= 256 }
    }
    const screen = await zoomed('interrupted')
    const list = await inView(screen.getByRole('tree', { name: 'Timeline' }))
    expect(list.height).toBeGreaterThan(100)
    expect(list.isIn).toBe(true)
    const preview = await zoomed('the preview of a restore')
    expect((await inView(preview.getByRole('radio', { name: /^Keep mine/ }))).isIn).toBe(true)
    expect((await inView(preview.getByRole('button', { name: /^Restore 10 files/ }))).isIn).toBe(true)
  })

  test('[UI-46] the bars of a run have one line each above its first change', async () => {
    const { page } = await site.open('variant=shop&host=browser')
    await page.setViewportSize({ width: 1280, height: 800 })
    await fileRow(page, /total\.ts/).click()
    const bars = page.locator('.entry, .interleaved, .findings, [aria-label="About this run"]')
    await page.locator('.interleaved').waitFor()
    for (const width of WIDTHS_OF_BARS) {
      await page.setViewportSize({ width, height: 800 })
      await page.locator(`[data-layout="${layoutOf(width)}"]`).waitFor()
      if (width < 760) await page.getByRole('tab', { name: 'Diff' }).click()
      await page.locator('.interleaved').waitFor()
      const heights = await bars.evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().height))
      // A title and a line of facts, or a line with buttons.
      expect(Math.max(...heights), `${width} px`).toBeLessThanOrEqual(60)
    }
  })

  test('[UI-46] what is said about a run is in one bar where columns have room, and whole once its button is pressed', async () => {
    const { page } = await site.open('variant=interrupted&host=browser')
    await page.setViewportSize({ width: 1280, height: 800 })
    await entry(page, /^Run, .*Add tax/).click()
    const git = page.getByRole('region', { name: 'Git' })
    const about = page.getByRole('region', { name: 'About this run' })
    const findings = page.getByRole('region', { name: 'Findings' })
    for (const part of [git, about, findings]) await part.waitFor()
    const tops = async () => new Set((await Promise.all([about, git, findings].map(boxOf))).map(({ y }) => y)).size
    const cut = (part: Locator) =>
      part.locator('.run-part').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    expect(await tops()).toBe(1)
    expect((await boxOf(about)).height).toBeLessThanOrEqual(34)
    await page.getByRole('button', { name: 'Show all about this run' }).click()
    expect(await tops()).toBe(3)
    for (const part of [git, about, findings]) expect(await cut(part)).toBe(0)
    await page.getByRole('button', { name: 'Show less about this run' }).click()
    expect(await tops()).toBe(1)
    // A window of 390 px has a line for each.
    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByRole('tab', { name: 'Diff' }).click()
    await expect.poll(tops, SOON).toBe(3)
  })

  test('a banner with many buttons leaves a narrow window to the panes', async () => {
    const { page } = await site.open('variant=interrupted&host=browser')
    await page.setViewportSize({ width: 360, height: 740 })
    await page.locator('[data-layout="tabs"]').waitFor()
    const banner = page.getByRole('region', { name: 'Notice' })
    expect((await banner.boundingBox())?.height).toBeLessThanOrEqual(90)
    await banner.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Undo this run…' }).waitFor()
  })

  test('beside a long state in the header, the name of the folder is whole, and its host, too', async () => {
    const { page } = await site.open('variant=host-away&host=browser')
    await page.setViewportSize({ width: 760, height: 740 })
    await page
      .getByText(/^Out of reach since/)
      .first()
      .waitFor()
    const names = page.locator('.switcher .ell')
    const cut = () => names.evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
    await expect.poll(cut, SOON).toEqual([0, 0])
  })

  test('[UI-51] what to do, and why restores wait, is said at 400 % zoom and beside a drawer', async () => {
    const { page } = await site.open('variant=disk-low&host=browser')
    await page.setViewportSize({ width: 360, height: 740 })
    await page.locator('[data-layout="tabs"]').waitFor()
    await page.getByText(/Free some space/).waitFor()
    const { page: failed } = await site.open('variant=error&host=browser')
    await failed.setViewportSize({ width: 760, height: 740 })
    await failed.getByRole('alert').getByRole('button', { name: 'Retry' }).waitFor()
    await failed.setViewportSize({ width: 360, height: 740 })
    const wait = failed.locator('.waits')
    await expect.poll(() => wait.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), SOON).toBe(0)
    const { page: folded } = await site.open('variant=fresh-repository&host=browser')
    await folded.setViewportSize({ width: 360, height: 740 })
    const notice = folded.getByRole('region', { name: 'Notice' })
    await notice.getByRole('button', { name: 'Show the whole notice' }).click()
    await notice.getByText('The restore can be undone.').waitFor()
    const lead = notice.getByText('The former one was kept and can be restored.')
    expect(await lead.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0)
    await notice.getByRole('button', { name: 'Show less of this notice' }).click()
    await notice.getByRole('button', { name: 'Show the whole notice' }).waitFor()
  })

  test('[UI-38] what was read stays on screen while the recorder is away, in another layout, too', {
    tags: ['long']
  }, async () => {
    const { page } = await site.open('variant=disconnected&host=browser')
    const line = page.locator('#diff-pane .view-line').first()
    for (const width of [1280, 360, 760]) {
      await page.setViewportSize({ width, height: 800 })
      await page.locator(`[data-layout="${layoutOf(width)}"]`).waitFor()
      if (width === 360) await page.getByRole('tab', { name: 'Diff' }).click()
      await line.waitFor()
    }
    await page.getByText('Reconnecting…').waitFor()
    expect(await page.getByText('Couldn’t show this file').count()).toBe(0)
  })

  test('[UI-22] the texts in the scroll of all files are as wide as a window that grows', {
    tags: ['long']
  }, async () => {
    const { page } = await site.open('variant=shop&host=browser')
    await page.setViewportSize({ width: 360, height: 800 })
    await page.getByRole('tab', { name: 'Diff' }).click()
    await page.getByRole('button', { name: 'All files in one scroll' }).click()
    await page.locator('.file-section .view-line').first().waitFor()
    const missing = () =>
      page.evaluate(() => {
        const of = (part: string) => document.querySelector(part)?.getBoundingClientRect().width ?? 0
        return Math.round(of('.file-section[data-shown]:has(.view-line)') - of('.file-section .monaco-diff-editor'))
      })
    await expect.poll(missing, SOON).toBeLessThanOrEqual(1)
    for (const width of [760, 360, 760]) {
      await page.setViewportSize({ width, height: 800 })
      await page.locator(`[data-layout="${layoutOf(width)}"]`).waitFor()
      if (width === 360) await page.getByRole('tab', { name: 'Diff' }).click()
      await expect.poll(missing, SOON).toBeLessThanOrEqual(1)
    }
  })

  test('the coverage dialog is as high as what it lists', async () => {
    const { page } = await site.open('variant=empty&host=browser')
    await page.setViewportSize({ width: 1100, height: 800 })
    await page
      .getByRole('contentinfo')
      .getByRole('button', { name: /snapshot|covered/ })
      .click()
    const dialog = page.getByRole('dialog', { name: 'Coverage' })
    await dialog.getByRole('listitem').first().waitFor()
    const empty = await dialog.evaluate((box) => {
      const height = (part: string) => box.querySelector(part)?.getBoundingClientRect().height ?? 0
      const rows = box.querySelector('.coverage-list > *')?.scrollHeight ?? 0
      return box.clientHeight - height('header') - height('footer') - rows
    })
    // The line above the list, and the space below it.
    expect(empty).toBe(9)
  })
})

async function boxOf(element: Locator) {
  const box = await element.boundingBox()
  if (!box) throw new Error('the element is not on screen')
  return box
}

describe('an open workspace', { tags: ['browser'] }, () => {
  const open = async (variant: Variant, width = 1280) => {
    const { page } = await site.open(`variant=${variant}&host=browser`)
    await page.setViewportSize({ width, height: 800 })
    await fileRow(page, /total\.ts/).waitFor()
    return page
  }

  test('[UI-19] a message covers no button, and is gone once something else is chosen', async () => {
    const page = await open('drift')
    const message = page.locator('.toast')
    await page.getByRole('region', { name: 'Notice' }).getByRole('button', { name: 'Accept' }).click()
    await message.waitFor()
    const covered = await message.evaluate((toast) => {
      const box = toast.getBoundingClientRect()
      return [...document.querySelectorAll('button')]
        .filter((button) => !toast.contains(button) && button.checkVisibility())
        .filter((button) => {
          const at = button.getBoundingClientRect()
          return at.right > box.left && at.left < box.right && at.bottom > box.top && at.top < box.bottom
        })
        .map((button) => button.ariaLabel ?? button.textContent)
    })
    expect(covered).toEqual([])
    await entry(page, /^Run/).first().click()
    await message.waitFor({ state: 'detached' })
  })

  test.each([
    ['disk-low', /nearly full/],
    ['halfway', /interrupted restore/]
  ] as const)('[UI-53] nothing offers a restore that would be refused, on the screen "%s"', async (variant, why) => {
    const page = await open(variant)
    await fileRow(page, /total\.ts/).hover()
    const offers = page.locator(
      'button:not(.banner *):is([aria-label^="Undo"], [aria-label^="Restore"], .undo-restore, .entry-act)'
    )
    await expect.poll(() => offers.count(), SOON).toBeGreaterThan(4)
    const reasons = await offers.evaluateAll((buttons) =>
      buttons.map((button) => button.ariaDisabled === 'true' && button.getAttribute('aria-description'))
    )
    for (const reason of reasons) expect(reason).toMatch(why)
  })

  test('a file without a text has no changes to step through, also in a window that gets another size', async () => {
    const page = await open('shop')
    await fileRow(page, /total\.ts/).click()
    const place = page.getByRole('img', { name: /^Change \d+ of \d+$/ })
    await place.waitFor()
    await fileRow(page, /receipt-logo/).click()
    await page.getByText('PNG image').waitFor()
    await place.waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 1700, height: 900 })
    await page.getByRole('separator', { name: 'Timeline width' }).and(page.locator('[aria-valuenow="356"]')).waitFor()
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0))))
    expect(await place.count()).toBe(0)
  })

  test('a change is kept without a connection: reviews are stored in this browser', async () => {
    const page = await open('disconnected')
    await page.getByText('Reconnecting…').waitFor()
    const bar = page.locator('.change-bar').first()
    await bar.getByRole('button', { name: /^Undo/, disabled: true }).waitFor()
    await bar.getByRole('button', { name: /^Keep/ }).click()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('driftline.viewed')), SOON).toContain('shop.json')
  })

  test('code ends before the ruler, also of a text that needs no scrollbar', async () => {
    const page = await open('shop')
    await fileRow(page, /shop\.json/).click()
    await page.setViewportSize({ width: 360, height: 800 })
    await page.getByRole('tab', { name: 'Diff' }).click()
    const strip = page.locator('.editor.modified .scrollbar.vertical').first()
    await strip.waitFor({ state: 'attached' })
    expect(await strip.evaluate((element) => getComputedStyle(element).opacity)).toBe('1')
    expect(await strip.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe('rgb(255, 255, 255)')
  })

  test('[UI-7] a workspace that opens has the focus on its selected entry, or on its files without a timeline', async () => {
    const page = await open('shop')
    await entry(page, /./).and(page.locator(':focus')).waitFor()
    await page.setViewportSize({ width: 360, height: 800 })
    await site.open('variant=shop&host=browser')
    await page.locator(':focus').waitFor()
    await page.setViewportSize({ width: 1280, height: 800 })
    await entry(page, /./).and(page.locator(':focus')).waitFor()
    if (!LONG) return
    await page.setViewportSize({ width: 960, height: 800 })
    await site.open('variant=shop&host=browser')
    await fileRow(page, /./).and(page.locator(':focus')).waitFor()
  })

  let page: Page

  scenario('a run is found in the timeline, and a file in the run', {
    'the actions of an entry or a file cover no part of a word or sign': async () => {
      page = await open('shop')
      const row = entry(page, /^Run, .*Add tax/)
      await row.hover()
      const actions = await boxOf(row.locator('.acts'))
      for (const part of ['.ttl', '.when']) {
        const { y, height } = await boxOf(row.locator(part))
        // A line is higher than its letters.
        expect(actions.y, part).toBeGreaterThanOrEqual(y + height - 4)
      }
      expect(await row.locator('.ttl').getAttribute('title')).toContain('Add tax to the cart totals, one line per rate')
      const rows = [row, entry(page, /How the checkout works/), fileRow(page, /total\.ts/).first()]
      for (const each of rows) {
        await each.hover()
        const { x, width } = await boxOf(each.locator('.acts'))
        const parts = await each
          .locator('.t2 > *, .name, .flag, .fr-comments, .pm, .fr-note')
          .evaluateAll((all) =>
            all.filter((part) => part.checkVisibility()).map((part) => part.getBoundingClientRect())
          )
        expect(parts.length).toBeGreaterThan(0)
        expect(parts.filter((part) => part.right > x + 1 && part.left < x + width)).toEqual([])
      }
    },

    'runs of agents and of commands show how many files they changed': async () => {
      await expect
        .poll(
          () =>
            entry(page, /^Run, Claude Code.*Add tax/)
              .locator('.t2')
              .innerText(),
          SOON
        )
        .toMatch(/Claude Code · \d+ files/)
    },

    '[UI-20] a right click on a row opens its menu, which stays until a choice or Escape': async () => {
      for (const [row, menu] of [
        [entry(page, /^Run, .*Add tax/), 'Row actions'],
        [fileRow(page, /total\.ts/), 'Actions for src/cart/total.ts']
      ] as const) {
        await row.first().click({ button: 'right' })
        await page.getByRole('menu', { name: menu }).waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('menu').waitFor({ state: 'detached' })
      }
    },

    '[UI-20] a menu closes when the window gets another size, which moves what it belongs to': async () => {
      await entry(page, /^Run, .*Add tax/).click()
      const findings = page.getByRole('button', { name: '2 findings' })
      await findings.click()
      await page.getByRole('menu').waitFor()
      await page.setViewportSize({ width: 2560, height: 1440 })
      await page.getByRole('menu').waitFor({ state: 'detached' })
      await findings.and(page.locator(':focus')).waitFor()
      await page.setViewportSize({ width: 1280, height: 800 })
    },

    '[UI-56] the palette finds and runs what changes how the diff is shown': async () => {
      await fileRow(page, /total\.ts/).click()
      const diff = page.locator('#diff-pane')
      await diff.locator('.editor.modified .view-line').first().waitFor()
      const inPalette = async (typed: string, title: string): Promise<void> => {
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox').fill(typed)
        await page.getByRole('option', { name: title, selected: true }).waitFor()
        await page.keyboard.press('Enter')
      }
      await inPalette('wrap', 'Wrap long lines or not')
      const wrap = () => page.evaluate(() => localStorage.getItem('driftline.diff.wrap'))
      await expect.poll(wrap, SOON).toBe('on')
      await inPalette('wrap', 'Wrap long lines or not')
      await expect.poll(wrap, SOON).toBe('off')
      await inPalette('who wrote', 'Who wrote each line')
      await page.locator('.bl').first().waitFor()
      await page.keyboard.press('Escape')
      await diff.locator('.editor.modified .view-line').first().waitFor()
    },

    'the page itself does not scroll': async () => {
      const places = await page.evaluate(() => {
        for (const each of [document.documentElement, document.body]) each.scrollTop = 50
        return [document.documentElement, document.body].map(({ scrollTop }) => scrollTop)
      })
      expect(places).toEqual([0, 0])
    },

    '[C4] the timeline is filtered by agent and by time; chips show what is chosen and remove it': async () => {
      await entry(page, /^Run, Codex/)
        .first()
        .waitFor()
      const all = await entry(page, /^Run/).count()
      const choose = async (item: string) => {
        await page.getByRole('button', { name: 'Choose what is shown' }).click()
        await page.getByRole('menuitemradio', { name: item }).click()
      }
      await choose('Runs of Codex')
      await expect.poll(() => entry(page, /^Run, (?!Codex)/).count(), SOON).toBe(0)
      await entry(page, /^Run, Codex/)
        .first()
        .waitFor()
      await choose('Last 7 days')
      const chips = page.getByRole('list', { name: 'Chosen filters' }).getByRole('button')
      await expect.poll(() => chips.allInnerTexts(), SOON).toEqual(['Runs of Codex', 'Last 7 days'])
      await page.getByRole('button', { name: 'Remove the filter: Runs of Codex' }).click()
      await page.getByRole('button', { name: 'Remove the filter: Last 7 days' }).click()
      await expect.poll(() => entry(page, /^Run/).count(), SOON).toBe(all)
      await expect.poll(() => chips.count(), SOON).toBe(0)
    },

    'the timeline is wider in a large window, until a person sets its width': async () => {
      await page.setViewportSize({ width: 1700, height: 800 })
      const width = async () =>
        Number(await page.getByRole('separator', { name: 'Timeline width' }).getAttribute('aria-valuenow'))
      await expect.poll(width, SOON).toBe(356)
      // Nothing else changes: the width of the window alone decides.
      await page.setViewportSize({ width: 1280, height: 800 })
      await expect.poll(width, SOON).toBe(284)
      await page.setViewportSize({ width: 1700, height: 800 })
      await expect.poll(width, SOON).toBe(356)
      await page.getByRole('separator', { name: 'Timeline width' }).press('ArrowLeft')
      await expect.poll(width, SOON).toBe(340)
    },

    'the filter of the files has the focus as soon as it is asked for: a letter that follows is no command':
      async () => {
        const focused = await page
          .getByRole('button', { name: 'Filter files' })
          .evaluate((button: HTMLButtonElement) => {
            button.click()
            return [document.activeElement?.tagName, document.activeElement?.ariaLabel]
          })
        expect(focused).toEqual(['INPUT', 'Filter files'])
        await page.keyboard.type('no')
        await expect.poll(() => page.getByRole('textbox', { name: 'Filter files' }).inputValue(), SOON).toBe('no')
      }
  })
})

async function middleOf(part: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  return { x: x + width / 2, y: y + height / 2 }
}

describe('the first screen', { tags: ['browser'] }, () => {
  const folder = tempFolder()
  const file = join(folder.path, 'README.md')
  beforeAll(() => writeFileSync(file, '# Ledger\n'))
  afterAll(() => folder[Symbol.dispose]())

  const open = async (variant: Variant = 'no-recents') => {
    const { page } = await site.open(`variant=${variant}&host=browser`)
    await page.setViewportSize({ width: 1180, height: 760 })
    return page
  }

  test('[ST-6] the notice of a rebuilt list stays, with the reason, when it could not be confirmed', async () => {
    const page = await open('rebuilt')
    const notice = page.getByRole('region', { name: 'Notice' })
    await notice.getByRole('button', { name: 'OK' }).click()
    await page.getByText('The disk is full, so nothing was changed.').waitFor()
    await notice.waitFor()
  })

  test('a path can be typed at once, and Browse lists folders from the home folder down', async () => {
    const page = await open()
    const field = page.getByRole('combobox', { name: 'Folder path' })
    await field.and(page.locator(':focus')).waitFor()
    await page.getByRole('button', { name: 'Browse…' }).click()
    const options = page.getByRole('listbox', { name: 'Folders' }).getByRole('option')
    await expect.poll(() => options.allInnerTexts(), SOON).toContain('/home/kim/code/shop-api')
    await field.and(page.locator(':focus')).waitFor()
  })

  test('for a file its folder is offered', async () => {
    const page = await open()
    const field = page.getByRole('combobox', { name: 'Folder path' })
    await field.fill('/home/kim/code/ledger/README.md')
    await field.press('Enter')
    await page.getByRole('button', { name: 'Use its folder, ~/code/ledger' }).waitFor()
  })

  test('what is dropped before the drag moved is taken, though the zone replaced the field below it', async () => {
    const page = await open()
    const drag = await dragFiles(page, [file], await middleOf(page.getByRole('combobox', { name: 'Folder path' })))
    await page.getByText('Release to record this folder').waitFor()
    await drag.drop()
    await page.getByRole('alert').getByText('README.md is a file').waitFor()
  })

  test('no drop can be lost with an element that is replaced under the pointer: one covers the window from the first drag event', async () => {
    const page = await open()
    const field = await middleOf(page.getByRole('combobox', { name: 'Folder path' }))
    await dragFiles(page, [file], field)
    const under = ({ x, y }: { x: number; y: number }) =>
      [document.elementFromPoint(x, y), document.elementFromPoint(1, 1)].map((element) => element?.className)
    expect(await page.evaluate(under, field)).toEqual(['drop-cover', 'drop-cover'])
    await page.mouse.move(5, 5)
    await expect.poll(() => page.evaluate(under, field), SOON).not.toContain('drop-cover')
  })

  test('a drag that ended elsewhere leaves the zone as it was', async () => {
    const page = await open()
    const field = page.getByRole('combobox', { name: 'Folder path' })
    const drag = await dragFiles(page, [file], await middleOf(field))
    await page.getByText('Release to record this folder').waitFor()
    await drag.over()
    await page.evaluate(() => document.body.dispatchEvent(new DragEvent('dragleave', { bubbles: true })))
    await field.waitFor()
    await drag.over()
    await page.getByText('Release to record this folder').waitFor()
    // The browser reports nothing of a drag that ended over an element which is gone.
    await page.mouse.move(5, 5)
    await field.waitFor()
  })
})
