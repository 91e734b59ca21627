/**
 * Moving about in the window: from the click on a run or a file until its text is painted, runs of 50, 400 and 4,000
 * files in turn, then small and long files; the preview of the undo of 4,000 files; and a page that is loaded.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Browser, type CDPSession, chromium, type Locator, type Page } from 'playwright-core'
import { BROWSER_SWITCHES, findBrowser } from '../test/support/browser.ts'
import type { Figure, Row } from './figure.ts'
import { random, sourceText } from './generated-tree.ts'
import { type HostProcess, startHost } from './host-process.ts'
import { clickUntilPainted, DIFF_LINES } from './painted.ts'
import { openEngine, record, recordRun, workspaceOf } from './recorded.ts'
import { inSeconds, median } from './statistics.ts'

/** Files of a run, and the seconds that a switch to it may take. */
const RUNS = [
  [50, 0.15],
  [400, 0.25],
  [4000, 0.4]
] as const
/** Files that are switched to, and the seconds that it may take. */
const FILES = [
  ['small.ts', 40, 0.08],
  ['long.ts', 5000, 0.15],
  ['data.json', 4500, 0.4]
] as const
const PREVIEW_TARGET = 1
const LOAD_TARGET = 1.2
const EDITOR_LINES = '#diff-pane .view-line'
const LAST = 'texts'

export const SWITCHES: Figure = {
  name: 'switches',
  measure: async (setting) => {
    const browserPath = findBrowser()
    if (browserPath === undefined) {
      setting.log('  switches skipped: no browser found; set DRIFTLINE_BROWSER')
      return []
    }
    const rounds = setting.quick ? 2 : 4
    const tree = setting.folder('project')
    const data = await recordRuns(tree, rounds, (folder) => record(setting, folder))
    const host = await startHost(data, { args: ['--folder', tree] })
    const browser = await chromium.launch({ executablePath: browserPath, args: [...BROWSER_SWITCHES] })
    try {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
      await page.goto(host.url)
      await page.locator(EDITOR_LINES).first().waitFor()
      const click = await timedClicks(page)
      return [
        ...(await switchRuns(page, rounds, click)),
        await preview(page, rounds, click),
        ...(await switchFiles(page, rounds, click)),
        ...(await load(browser, host, rounds))
      ]
    } finally {
      await browser.close()
      await host.stop()
    }
  }
}

/** A folder with `rounds` runs of each size, and a last one of the long files. Returns its data folder. */
async function recordRuns(
  tree: string,
  rounds: number,
  recordFolder: (tree: string) => Promise<string>
): Promise<string> {
  const next = random(29)
  const most = Math.max(...RUNS.map(([files]) => files))
  const texts = Array.from({ length: most }, () => sourceText(500 + next() * 4000, next))
  const write = (files: number, mark: string): void => {
    for (const [n, text] of texts.slice(0, files).entries()) {
      const path = join(tree, `part-${n % 90}/module-${n}.ts`)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, `// ${mark}.\n${text}`)
    }
  }
  const writeLong = (mark: string): void => {
    for (const [name, lines] of FILES)
      for (const copy of Array(rounds).keys()) {
        const text = (n: number) =>
          n % 200 === 0 ? `  "${mark} ${name} ${copy}": ${n},` : `  "key${n}": [${n}, "value"],`
        writeFileSync(join(tree, `${copy}-${name}`), Array.from({ length: lines }, (_, n) => text(n)).join('\n'))
      }
  }
  write(most, 'original')
  writeLong('original')
  const data = await recordFolder(tree)
  const engine = await openEngine(data, false)
  const workspace = await workspaceOf(engine)
  for (const round of Array(rounds).keys())
    for (const [files] of RUNS) {
      const mark = markOf(files, round)
      await recordRun(engine, workspace, mark, () => write(files, mark))
    }
  await recordRun(engine, workspace, LAST, () => writeLong(LAST))
  await engine.close()
  return data
}

const markOf = (files: number, round: number): string => `run-${files}-${round}`

const row = (page: Page, title: string) =>
  page.getByRole('navigation', { name: 'Timeline' }).getByRole('treeitem', { name: title })

interface Spent {
  readonly seconds: number
  /** Processor time of the page's main thread, seconds. */
  readonly processor: number
}
type Click = (target: Locator, selector: string, text: string) => Promise<Spent>

/** Clicks that are measured by the page's clock and by the processor time that the page takes. */
async function timedClicks(page: Page): Promise<Click> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async (target, selector, text) => {
    // What the click before has left to do belongs to it.
    await page.locator('#diff-pane .first-text').waitFor({ state: 'detached' })
    await page.waitForFunction(() => new Promise((done) => requestIdleCallback(() => done(true))))
    const before = await taskSeconds(session)
    const seconds = await clickUntilPainted(target, selector, text)
    return { seconds, processor: (await taskSeconds(session)) - before }
  }
}

async function taskSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
}

async function switchRuns(page: Page, rounds: number, click: Click): Promise<Row[]> {
  const times = RUNS.map((): Spent[] => [])
  for (const round of Array(rounds).keys())
    for (const [at, [files]] of RUNS.entries()) {
      const mark = markOf(files, round)
      times[at]?.push(await click(row(page, mark), DIFF_LINES, `// ${mark}.`))
    }
  return RUNS.map(([files, target], at) =>
    rowOf(`${at === 0 ? 'run switch until its first diff' : '-'}, ${files} files`, times[at] ?? [], target, times[0])
  )
}

/** Of the run that is selected: the last of the largest. */
async function preview(page: Page, rounds: number, click: Click): Promise<Row> {
  const times: Spent[] = []
  for (const _ of Array(rounds).keys()) {
    const button = page.getByRole('button', { name: /^Undo this run/ })
    times.push(await click(button, '.restore-list [role="treeitem"]', 'module-'))
    await page.keyboard.press('Escape')
    await page.locator('.restore-list').waitFor({ state: 'detached' })
  }
  return rowOf('- undo preview of it, until its files are listed', times, PREVIEW_TARGET)
}

async function switchFiles(page: Page, rounds: number, click: Click): Promise<Row[]> {
  await click(row(page, LAST), DIFF_LINES, LAST)
  const times = FILES.map((): Spent[] => [])
  for (const copy of Array(rounds).keys())
    for (const [at, [name]] of FILES.entries()) {
      const file = page.locator('.files').getByRole('treeitem', { name: `${copy}-${name}` })
      times[at]?.push(await click(file, DIFF_LINES, `${LAST} ${name} ${copy}`))
    }
  return FILES.map(([name, lines, target], at) =>
    rowOf(`${at === 0 ? 'file switch' : '-'}, ${name} of ${lines} lines`, times[at] ?? [], target, times[0])
  )
}

/** Cold: a browser profile of its own, without a cache, for each. */
async function load(browser: Browser, host: HostProcess, rounds: number): Promise<Row[]> {
  const times = { text: [] as Spent[], editor: [] as Spent[] }
  for (const _ of Array(rounds).keys()) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    await page.addInitScript(() => {
      const seen: Record<string, number> = {}
      const check = (): void => {
        if (document.querySelector('.first-line, #diff-pane .view-line')) seen.text ??= performance.now()
        if (document.querySelector('#diff-pane .view-line')) seen.editor ??= performance.now()
        if (seen.editor === undefined) requestAnimationFrame(check)
      }
      requestAnimationFrame(check)
      Object.assign(window, { seen })
    })
    await page.goto(host.url)
    await page.locator(EDITOR_LINES).first().waitFor()
    const seen = await page.evaluate(() => (window as unknown as { seen: Record<'text' | 'editor', number> }).seen)
    const processor = await taskSeconds(session)
    times.text.push({ seconds: seen.text / 1000, processor })
    times.editor.push({ seconds: seen.editor / 1000, processor })
    await context.close()
  }
  return [
    rowOf('page load until the text of its first diff', times.text, LOAD_TARGET),
    rowOf('- until the editor is there', times.editor, LOAD_TARGET, times.text)
  ]
}

/** `beside`: the fastest of the kind, measured in turn with these. */
function rowOf(figure: string, spent: readonly Spent[], target: number, beside?: readonly Spent[]): Row {
  const times = spent.map(({ seconds }) => seconds)
  const middle = median(times)
  const processor = spent.map((each) => each.processor)
  const reference = beside ? median(beside.map(({ seconds }) => seconds)) : null
  return {
    figure,
    on: `${times.length} times`,
    ours: inSeconds(middle),
    theirs: reference === null ? '' : inSeconds(reference),
    result: reference === null ? inSeconds(middle) : `${(middle / reference).toFixed(1)} x`,
    target: `<= ${inSeconds(target)}`,
    reached: middle <= target,
    note: `processor time of the page ${inSeconds(median(processor))}; shortest ${inSeconds(Math.min(...times))}, longest ${inSeconds(Math.max(...times))}; headless browser without a graphics card`,
    numbers: { seconds: times, processor }
  }
}
