/**
 * Reading a run of 400 files in one scroll, in the browser: the frames while the view moves at the speed of a wheel that
 * is turned without a pause, and how long a file in view is blank. Beside it the frames of the same page at rest, which
 * the rest of the computer's load costs.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { BROWSER_SWITCHES, findBrowser } from '../test/support/browser.ts'
import type { Figure } from './figure.ts'
import { random, sourceText } from './generated-tree.ts'
import { startHost } from './host-process.ts'
import { openEngine, record, recordRun, workspaceOf } from './recorded.ts'
import { inSeconds, median, percentile } from './statistics.ts'

const FILES = 400
/** Each changed file has a changed line in every so many. */
const CHANGED_EVERY = 25
/** What the view moves in a frame, px: 1,800 a second at 60 frames. */
const STEP_PX = 30
/** 60 frames a second, with what a clock is off. */
const FRAME_TARGET = 0.018
const BLANK_TARGET = 0.1

interface Scrolled {
  /** Seconds between two frames. */
  readonly frames: readonly number[]
  /** How long an unfolded file in view was not shown, seconds; each time. */
  readonly blanks: readonly number[]
  readonly px: number
}

export const CONTINUOUS_REVIEW: Figure = {
  name: 'continuous-review',
  measure: async (setting) => {
    const browserPath = findBrowser()
    if (browserPath === undefined) {
      setting.log('  continuous-review skipped: no browser found; set DRIFTLINE_BROWSER')
      return []
    }
    const seconds = setting.quick ? 4 : 20
    const tree = setting.folder('project')
    const data = await recordReviewedRun(tree, (folder) => record(setting, folder))
    const host = await startHost(data, { args: ['--folder', tree] })
    const browser = await chromium.launch({ executablePath: browserPath, args: [...BROWSER_SWITCHES] })
    try {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
      await page.goto(host.url)
      await page.getByRole('navigation', { name: 'Timeline' }).getByRole('treeitem', { name: 'rewrite' }).click()
      await page.getByRole('button', { name: 'All files in one scroll' }).click()
      await page.locator('.file-section[data-shown]').first().waitFor()
      const rest = await scroll(page, 0, seconds / 2)
      const { frames, blanks, px } = await scroll(page, STEP_PX, seconds)
      const longest = Math.max(0, ...blanks)
      const middle = median(frames)
      const shared = {
        on: `${FILES} files, ${Math.round(px / 1000)} k px in ${seconds} s`,
        theirs: '',
        reached: null
      }
      return [
        {
          ...shared,
          figure: 'continuous review: a frame while scrolling, p50',
          ours: inSeconds(middle),
          result: inSeconds(middle),
          target: `<= ${inSeconds(FRAME_TARGET)}`,
          note:
            `${Math.round(frames.length / seconds)} frames a second; p95 ${inSeconds(percentile(frames, 0.95))}, p99 ${inSeconds(percentile(frames, 0.99))}; the page at rest: p95 ` +
            `${inSeconds(percentile(rest.frames, 0.95))}, p99 ${inSeconds(percentile(rest.frames, 0.99))}; headless browser without a graphics card`,
          numbers: { frames, rest: rest.frames }
        },
        {
          ...shared,
          figure: '- longest time that a file in view is blank',
          ours: inSeconds(longest),
          result: inSeconds(longest),
          target: `<= ${inSeconds(BLANK_TARGET)}`,
          note: `${blanks.length} times`,
          numbers: { blanks }
        }
      ]
    } finally {
      await browser.close()
      await host.stop()
    }
  }
}

/** A folder with one run that changed every file in several places. Returns its data folder. */
async function recordReviewedRun(tree: string, recordFolder: (tree: string) => Promise<string>): Promise<string> {
  const next = random(23)
  const files = Array.from({ length: FILES }, (_, n) => ({
    path: join(tree, `part-${n % 40}/module-${n}.ts`),
    text: sourceText(1000 + next() * 8000, next)
  }))
  const write = (change: (line: string, n: number) => string): void => {
    for (const { path, text } of files) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text.split('\n').map(change).join('\n'))
    }
  }
  write((line) => line)
  const data = await recordFolder(tree)
  const engine = await openEngine(data, false)
  await recordRun(engine, await workspaceOf(engine), 'rewrite', () =>
    write((line, n) => (n % CHANGED_EVERY === 3 ? `${line} // rewritten` : line))
  )
  await engine.close()
  return data
}

/** Moves the view by `step` px a frame for some seconds, and observes every frame. */
function scroll(page: Page, step: number, seconds: number): Promise<Scrolled> {
  return page.evaluate(
    ({ step, seconds }) =>
      new Promise<Scrolled>((resolve) => {
        const box = document.querySelector('.all-files') as HTMLElement
        const frames: number[] = []
        const blanks: number[] = []
        const from = box.scrollTop
        const started = performance.now()
        let last = started
        let blankSince: number | null = null
        const isBlank = (): boolean => {
          const view = box.getBoundingClientRect()
          return [...box.querySelectorAll<HTMLElement>('.file-section')].some((section) => {
            const { top, bottom } = section.getBoundingClientRect()
            const inView = bottom > view.top + 1 && top < view.bottom - 1
            return inView && !section.dataset.shown && section.querySelector('[aria-expanded="true"]') !== null
          })
        }
        const frame = (now: number): void => {
          frames.push((now - last) / 1000)
          last = now
          const blank = isBlank()
          if (blank) blankSince ??= now
          else if (blankSince !== null) {
            blanks.push((now - blankSince) / 1000)
            blankSince = null
          }
          if (now - started > seconds * 1000) {
            resolve({ frames: frames.slice(1), blanks, px: box.scrollTop - from })
            return
          }
          box.scrollTop += step
          requestAnimationFrame(frame)
        }
        requestAnimationFrame(frame)
      }),
    { step, seconds }
  )
}
