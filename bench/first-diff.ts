/** Opening a run of 1,000 files in the browser: from the click on its row until its first change is painted. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { BROWSER_SWITCHES, findBrowser } from '../test/support/browser.ts'
import type { Figure } from './figure.ts'
import { random, sourceText } from './generated-tree.ts'
import { startHost } from './host-process.ts'
import { clickUntilPainted, DIFF_LINES } from './painted.ts'
import { openEngine, record, recordRun, workspaceOf } from './recorded.ts'
import { inSeconds, median } from './statistics.ts'

const FILES = 1000
const TARGET = 0.3

export const FIRST_DIFF: Figure = {
  name: 'first-diff',
  measure: async (setting) => {
    const browserPath = findBrowser()
    if (browserPath === undefined) {
      setting.log('  first-diff skipped: no browser found; set DRIFTLINE_BROWSER')
      return []
    }
    const runs = setting.quick ? 2 : 6
    const tree = setting.folder('project')
    const next = random(17)
    const paths = Array.from({ length: FILES }, (_, n) => join(tree, `part-${n % 90}/module-${n}.ts`))
    const texts = paths.map(() => sourceText(500 + next() * 5000, next))
    const writeAll = (head: string): void => {
      for (const [n, path] of paths.entries()) {
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, `${head}\n${texts[n]}`)
      }
    }
    writeAll('// original')
    const data = await record(setting, tree)
    const engine = await openEngine(data, false)
    const workspace = await workspaceOf(engine)
    for (let run = 0; run < runs; run++) {
      await recordRun(engine, workspace, `rewrite-${run}.`, () => writeAll(`// written by rewrite-${run}.`))
    }
    await engine.close()

    const host = await startHost(data, { args: ['--folder', tree] })
    const browser = await chromium.launch({ executablePath: browserPath, args: [...BROWSER_SWITCHES] })
    try {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
      await page.goto(host.url)
      await row(page, runs - 1).waitFor()
      // The newest run may be open already, so it is skipped. The others are opened for the first time, newest first.
      const opened: number[] = []
      for (let run = runs - 2; run >= 0; run--) opened.push(await open(page, run))
      const [first, ...later] = opened as [number, ...number[]]
      const middle = median(later.length > 0 ? later : [first])
      return [
        {
          figure: 'opening a run until its first diff',
          on: `${FILES} files, ${opened.length} runs`,
          ours: inSeconds(middle),
          theirs: '',
          result: inSeconds(middle),
          target: `<= ${inSeconds(TARGET)}`,
          reached: null,
          note: `first run after the page was opened ${inSeconds(first)}; headless browser without a graphics card`,
          numbers: { median: middle, first, all: opened }
        }
      ]
    } finally {
      await browser.close()
      await host.stop()
    }
  }
}

function row(page: Page, run: number) {
  return page.getByRole('navigation', { name: 'Timeline' }).getByRole('treeitem', { name: `rewrite-${run}.` })
}

/** Until the text of this run appears in the diff. */
const open = (page: Page, run: number): Promise<number> =>
  clickUntilPainted(row(page, run), DIFF_LINES, `written by rewrite-${run}.`)
