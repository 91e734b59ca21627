/** Every state of the window that the gallery can show: a scene, and what a person does in it. */
import type { Locator, Page } from 'playwright-core'
import { HEADER_PX } from '../../src/renderer/features/diff/content-fit.ts'
import { dragFiles } from '../support/drop.ts'
import { VARIANTS, type Variant } from './scene.ts'

export interface WindowState {
  readonly name: string
  readonly variant: Variant
  /** Takes the window from the scene into the state; without it, the scene is the state. */
  readonly enter?: (page: Page) => Promise<void>
  /** The tab with what the state is about, in a window that is too narrow for several panes; else the one that is shown. */
  readonly tab?: string
  /** What a change of the size ends: a menu is open, or a place is scrolled to. */
  readonly again?: (page: Page) => Promise<void>
  /** A movement of the mouse ends it. */
  readonly isDrag?: true
}

/** The widths that every state is looked at in, px: a phone or 400 % zoom, half a screen, a laptop, a large screen. */
export const WIDTHS = [360, 760, 1280, 2560] as const

const timeline = (page: Page) => page.getByRole('navigation', { name: 'Timeline' })
const file = (page: Page, name: RegExp) =>
  page.getByRole('complementary', { name: 'Changed files' }).getByRole('treeitem', { name }).first()
const textOf = (page: Page) => page.locator('#diff-pane .editor.modified .view-line').first()
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()

async function showFile(page: Page, name = /cart\.ts|total\.ts/): Promise<void> {
  await file(page, name).click()
  await textOf(page).waitFor()
}

async function openPreview(page: Page): Promise<void> {
  await showFile(page)
  await button(page, /^Restore to start/).click()
  await page.locator('.restore-list [role="treeitem"]').first().waitFor()
  await page.locator('.restore-diff .view-line').first().waitFor()
}

async function showAllFiles(page: Page): Promise<void> {
  await showFile(page)
  await button(page, 'All files in one scroll').click()
  await page.locator('.file-section[data-shown]').first().waitFor()
}

const TAX = /^Add tax to the cart/

const choose = (page: Page, entry: RegExp) => timeline(page).getByText(entry).first().click()

async function openSearch(page: Page): Promise<void> {
  await choose(page, TAX)
  await press(page, 'b')
  await page.getByRole('dialog').waitFor()
}

async function search(page: Page, command: string): Promise<void> {
  await openSearch(page)
  await page.getByRole('dialog').getByRole('textbox').fill(command)
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.locator('.tl-search').first().waitFor({ state: 'attached' })
}

/** A line of a function is at the top of the text. Scrolled by the wheel: until a person scrolls, the chosen file stays where it is. */
async function scrollIntoDefinition(page: Page): Promise<void> {
  const section = page.locator('.file-section[data-path="src/cart/total.ts"]')
  const row = file(page, /total\.ts/)
  const areTabs = await page.locator('[data-layout="tabs"]').isVisible()
  if (areTabs) await page.getByRole('tab', { name: 'Files' }).click()
  await row.click()
  if (areTabs) await page.getByRole('tab', { name: 'Diff' }).click()
  const line = section.locator('.editor.modified .view-line', { hasText: 'const taxTotal' })
  await line.waitFor()
  const scroller = page.locator('.all-files')
  await scroller.hover({ position: { x: 100, y: 200 } })
  const [{ y: top }, { y }] = await Promise.all([boxOf(scroller), boxOf(line)])
  await page.mouse.wheel(0, y - top - HEADER_PX)
  await section.locator('.scope-line').getByText('cartTotal').waitFor()
}

async function boxOf(element: Locator): Promise<{ readonly y: number }> {
  const box = await element.boundingBox()
  if (!box) throw new Error('the element is not on screen')
  return box
}

async function selectLines(page: Page): Promise<void> {
  await textOf(page).click()
  await press(page, 'Control+A')
}

async function selectFiles(page: Page): Promise<void> {
  await file(page, /\.ts/).focus()
  await press(page, 'Control+A')
  await page
    .getByText(/files selected/)
    .first()
    .waitFor()
}

/** Another layout of the window has the files without their filter. */
async function filterFiles(page: Page, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Filter files' })
  if (!(await field.isVisible())) await button(page, 'Filter files').click()
  await field.fill(text)
  if (text !== 'cart') await page.getByText(/Nothing matches/).waitFor()
}

async function press(page: Page, keys: string): Promise<void> {
  await page.keyboard.press(keys)
}

/** What has a menu, by the name of its state. */
const MENUS: Readonly<Record<string, (page: Page) => Locator>> = {
  'the menu of a file': (page) => file(page, /total\.ts/),
  'the menu of a line': textOf
}

/** In a window of half a screen it is a drawer. */
async function showTimeline(page: Page): Promise<void> {
  const isHidden = await page.locator('[data-layout="medium"]').isVisible()
  if (isHidden && !(await timeline(page).isVisible())) await press(page, 'Control+b')
}

async function openMenu(page: Page, target: Locator): Promise<void> {
  const menu = page.getByRole('menu')
  if (await menu.isVisible()) await press(page, 'Escape')
  await target.click({ button: 'right' })
  await menu.waitFor()
}

async function openMenuOf(page: Page, button: Locator): Promise<void> {
  const menu = page.getByRole('menu')
  if (await menu.isVisible()) await press(page, 'Escape')
  await button.click()
  await menu.waitFor()
}

const openFolders = (page: Page) => openMenuOf(page, button(page, /shop-api/))

/** What a change of the size ends. */
const AGAIN: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'the menu of an entry': async (page) => {
    await showTimeline(page)
    await openMenu(page, timeline(page).getByRole('treeitem').first())
  },
  'the filters of the timeline': async (page) => {
    await showTimeline(page)
    await openMenuOf(page, button(page, 'Choose what is shown'))
  },
  'the findings of a run': (page) => openMenuOf(page, button(page, '2 findings')),
  'the menu of folders': openFolders,
  'an empty filter': showTimeline,
  'the definition around the first line': scrollIntoDefinition,
  'a comment on a message': async (page) => {
    const row = page.locator('.conversation [data-key="m4"]')
    // Where the width ends the conversation, the text waits as a draft.
    const box = row.locator('.comment-box')
    const draft = row.locator('.draft-bar')
    await box.or(draft).scrollIntoViewIfNeeded()
    if (await draft.isVisible()) await draft.getByRole('button', { name: 'Edit' }).click()
    await box.scrollIntoViewIfNeeded()
  },
  'selected lines': selectLines,
  'who wrote a line': showWriter,
  'selected files': selectFiles,
  'filtered files': (page) => filterFiles(page, 'cart'),
  'no file matches': (page) => filterFiles(page, 'nothing like this')
}

const scrollToBackup = (page: Page) => page.getByText('Last backup', { exact: true }).scrollIntoViewIfNeeded()
const scrollToGit = (page: Page) => page.getByRole('heading', { name: 'Git', exact: true }).scrollIntoViewIfNeeded()

/** What a person does in the state "shop": a run of an agent, ended, with a decision to make in the preview. */
const IN_THE_SHOP: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'a run': (page) => showFile(page),
  'two columns': async (page) => {
    await showFile(page)
    await button(page, 'Split').click()
    await page.locator('.monaco-diff-editor.side-by-side').first().waitFor()
  },
  'all files in one scroll': showAllFiles,
  'the definition around the first line': async (page) => {
    await showAllFiles(page)
    await scrollIntoDefinition(page)
  },
  'selected lines': async (page) => {
    await showFile(page, /shop\.json/)
    await page.locator('.change-bar').first().waitFor()
    await selectLines(page)
  },
  'selected files': async (page) => {
    await showFile(page)
    await selectFiles(page)
  },
  'filtered files': (page) => filterFiles(page, 'cart'),
  'no file matches': (page) => filterFiles(page, 'nothing like this'),
  'the menu of a file': showFile,
  'the menu of a line': showFile,
  'the menu of an entry': async (page) => {
    await timeline(page).getByRole('treeitem').first().waitFor()
  },
  'the filters of the timeline': showFile,
  'an empty filter': async (page) => {
    await timeline(page).getByRole('textbox').fill('nothing like this')
    await page
      .getByText(/Nothing matches/)
      .first()
      .waitFor()
  },
  'a comment that waits for the next prompt': async (page) => {
    await showFile(page, /index\.ts/)
    await page.getByText('Export the rates, too.').waitFor()
  },
  conversation: async (page) => {
    await showFile(page)
    await page.getByRole('tab', { name: 'Conversation' }).click()
    await page
      .getByRole('tree', { name: 'Conversation' })
      .or(page.getByRole('list', { name: 'Conversation' }))
      .first()
      .waitFor()
  },
  'a comment on a message': async (page) => {
    await choose(page, TAX)
    await page.getByRole('tab', { name: 'Conversation' }).click()
    const row = page.locator('.conversation [data-key="m4"]')
    await row.focus()
    await press(page, 'c')
    await row.getByRole('textbox').fill('And the `roundHalfEven` of it?')
  },
  replay: async (page) => {
    await showFile(page)
    await press(page, 'Alt+r')
    const slider = page.getByRole('slider', { name: 'Position in the replay' })
    // Without edits yet, it has one place only.
    await page.locator('[aria-valuetext="start, before 48 edits"]').waitFor()
    await slider.fill('31')
    await page.locator('.replay-diff .view-line').first().waitFor()
  },
  'history of a file': async (page) => {
    await showFile(page)
    await file(page, /total\.ts/).focus()
    await press(page, 'h')
    await page
      .getByRole('heading', { name: /total\.ts/ })
      .first()
      .waitFor()
  },
  'the preview of a restore': openPreview,
  'the preview of a restore, folded': async (page) => {
    await openPreview(page)
    await page.locator('.restore-list .dir').first().focus()
    await press(page, ' ')
    await press(page, 'ArrowLeft')
  },
  'a message with Undo': async (page) => {
    await openPreview(page)
    await press(page, 'Control+Enter')
    await page.locator('.toast').waitFor()
  },
  'the name and the note of a run': async (page) => {
    await choose(page, /^How the checkout works/)
    await press(page, 'F2')
    await page.getByRole('dialog').waitFor()
  },
  'the export of a run': async (page) => {
    await choose(page, TAX)
    await page.getByRole('region', { name: 'Selected entry' }).getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Export…' }).click()
    await page.getByText(/^Contains/).waitFor()
  },
  'the dialog of a search': openSearch,
  'a search': (page) => search(page, 'npm run check'),
  'the answer of a search': (page) => search(page, 'npm test'),
  'a run without changes': (page) => choose(page, /^How the checkout works/),
  'two compared entries': async (page) => {
    await choose(page, TAX)
    await timeline(page)
      .getByText(/^Before the tax work/)
      .click({ modifiers: ['Shift'] })
    await button(page, 'Stop comparing').waitFor()
  },
  'a file that is not stored': (page) => file(page, /tax-rates\.csv/).click(),
  'a binary file': async (page) => {
    await file(page, /receipt-logo\.png/).click()
    await page.getByText('PNG image').waitFor()
  },
  'the findings of a run': async (page) => {
    await choose(page, TAX)
    await openMenuOf(page, button(page, '2 findings'))
  },
  'who wrote each line': async (page) => {
    await showFile(page, /total\.ts/)
    await file(page, /total\.ts/).focus()
    await press(page, 'h')
    await button(page, 'Who wrote each line').click()
    await page.locator('.bl').first().waitFor()
  },
  'who wrote a line': async (page) => {
    await IN_THE_SHOP['who wrote each line']?.(page)
    await showWriter(page)
  },
  'the review': async (page) => {
    await choose(page, TAX)
    await button(page, 'Review').click()
    await page.getByRole('dialog').waitFor()
  },
  'why restores wait': async (page) => {
    await page.getByRole('contentinfo').getByRole('button', { name: /Why\?/ }).click()
    await page.getByRole('dialog').waitFor()
  },
  'the pin of a checkpoint': async (page) => {
    await choose(page, TAX)
    await press(page, 'p')
    await page.getByRole('dialog').waitFor()
  },
  'a search in the palette': async (page) => {
    await showFile(page)
    await press(page, 'Control+k')
    await page.getByRole('combobox').fill('tax')
    await page.getByRole('option').first().waitFor()
  },
  palette: async (page) => {
    await showFile(page)
    await press(page, 'Control+k')
    await page.getByRole('option').first().waitFor()
  },
  help: async (page) => {
    await button(page, 'Keyboard shortcuts').click()
    await page.getByRole('dialog').waitFor()
  },
  'the menu of folders': openFolders
}

const TABS: Readonly<Record<string, string>> = {
  'a run': 'Diff',
  'two columns': 'Diff',
  'all files in one scroll': 'Diff',
  'the definition around the first line': 'Diff',
  'selected lines': 'Diff',
  'selected files': 'Files',
  'the findings of a run': 'Diff',
  'the menu of a file': 'Files',
  'the menu of a line': 'Diff',
  'the menu of an entry': 'Timeline',
  'the filters of the timeline': 'Timeline',
  'filtered files': 'Files',
  'no file matches': 'Files',
  conversation: 'Conversation',
  'a comment on a message': 'Conversation',
  replay: 'Diff',
  'history of a file': 'Diff',
  'who wrote each line': 'Diff',
  'who wrote a line': 'Diff',
  'a run without changes': 'Diff',
  'two compared entries': 'Diff',
  'a file that is not stored': 'Diff',
  'a binary file': 'Diff'
}

/** Changes the size of the window, and shows what the state is about there. */
export async function resize(page: Page, { tab, again }: WindowState, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height })
  if (width < 760 && tab !== undefined) await page.getByRole('tab', { name: tab }).click()
  await again?.(page)
}

/** A scene that is a state by itself. */
async function settled(page: Page, variant: Variant): Promise<void> {
  const dialog = variant.startsWith('settings-')
  const screen = dialog ? page.getByRole('dialog') : page.getByRole('banner').or(page.locator('.welcome'))
  await (variant === 'unreachable' ? page.getByText('Not connected to the recorder.') : screen).first().waitFor()
}

/** What a button of a scene opens. */
const DIALOGS: Readonly<Record<string, readonly [Variant, string | RegExp]>> = {
  'the removal of a folder': ['missing', 'Stop recording…'],
  'the new place of a folder': ['missing', 'Locate…'],
  'the connection of an agent': ['settings-agents', /^Connect /],
  'the entries of an agent': ['settings-agents', 'Show entries'],
  'a cleanup': ['settings-storage', 'Preview cleanup…'],
  'the deletion of a history': ['settings-privacy', /^Delete everything recorded for/],
  'a folder on a host': ['settings-hosts', 'Record a folder…']
}

async function enterFolder(page: Page, path: string): Promise<void> {
  const field = page.getByRole('combobox', { name: 'Folder path' })
  await field.fill(path)
  await field.press('Enter')
  await page.getByRole('alert').or(page.getByRole('alertdialog')).first().waitFor()
}

/** Over the middle of the window. */
async function dragFolder(page: Page): Promise<void> {
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  await dragFiles(page, [import.meta.dirname], { x: width / 2, y: height / 2 })
  await page.getByText('Release to record this folder').waitFor()
}

async function showWriter(page: Page): Promise<void> {
  const popover = page.getByRole('dialog', { name: /^lines? / })
  if (await popover.isVisible()) await press(page, 'Escape')
  await page.locator('.bl .w').nth(3).click()
  await popover.waitFor()
}

export const STATES: readonly WindowState[] = [
  ...VARIANTS.filter((variant) => variant !== 'shop').map((variant) => ({
    name: variant,
    variant,
    enter: (page: Page) => settled(page, variant)
  })),
  {
    name: 'the run that was interrupted',
    variant: 'interrupted',
    tab: 'Diff',
    enter: async (page) => {
      await choose(page, TAX)
      await textOf(page).waitFor()
    }
  },
  {
    name: 'a folder over the window',
    variant: 'welcome',
    enter: dragFolder,
    again: dragFolder,
    isDrag: true
  },
  {
    name: 'a restore of which a part failed',
    variant: 'partial',
    enter: async (page) => {
      await choose(page, TAX)
      await openPreview(page)
      await press(page, 'Control+Enter')
      await page.getByRole('button', { name: 'Undo all' }).waitFor()
    }
  },
  {
    name: 'masked secrets',
    variant: 'secrets',
    tab: 'Diff',
    enter: async (page) => {
      await choose(page, TAX)
      await showFile(page, /^\.env/)
    }
  },
  {
    name: 'the review of a bundle',
    variant: 'bundle',
    tab: 'Diff',
    enter: async (page) => {
      await choose(page, TAX)
      await showFile(page)
    }
  },
  {
    name: 'coverage',
    variant: 'drift',
    enter: async (page) => {
      await page
        .getByRole('contentinfo')
        .getByRole('button', { name: /covered/ })
        .click()
      await page.getByRole('dialog', { name: 'Coverage' }).waitFor()
    }
  },
  {
    name: 'backup settings',
    variant: 'settings-storage',
    enter: scrollToBackup,
    again: scrollToBackup
  },
  {
    name: 'git settings',
    variant: 'settings-capture',
    enter: scrollToGit,
    again: scrollToGit
  },
  ...Object.entries(DIALOGS).map(([name, [variant, control]]) => ({
    name,
    variant,
    enter: async (page: Page) => {
      await button(page, control).click()
      await page
        .getByRole('dialog')
        .or(page.getByRole('alertdialog'))
        .or(page.locator('.inline-panel'))
        .last()
        .waitFor()
    }
  })),
  {
    name: 'a file in place of a folder',
    variant: 'welcome',
    enter: (page) => enterFolder(page, '~/code/ledger/README.md')
  },
  {
    name: 'a folder to confirm',
    variant: 'welcome',
    enter: (page) => enterFolder(page, '~')
  },
  {
    name: 'hosts in the switcher',
    variant: 'hosts',
    enter: openFolders,
    again: openFolders
  },
  {
    name: 'a host that could not be added',
    variant: 'settings-hosts',
    enter: async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('build')
      await page.getByLabel('Command that ends in a shell there').fill('ssh build sh')
      await button(page, 'Add host').click()
      await page
        .getByText(/Couldn’t reach build/)
        .first()
        .waitFor()
    }
  },
  ...Object.entries(IN_THE_SHOP).map(([name, enter]) => {
    const menu = MENUS[name]
    const again = menu ? (page: Page) => openMenu(page, menu(page)) : AGAIN[name]
    return {
      name,
      variant: 'shop' as const,
      enter,
      ...(TABS[name] === undefined ? {} : { tab: TABS[name] }),
      ...(again ? { again } : {})
    }
  })
]
