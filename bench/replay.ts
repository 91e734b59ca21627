/**
 * The replay of a run of 5,000 edits: until it is open, from a seek until the painted diff, and what a frame of a drag costs.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ownProcess } from '../src/main/engine/ports/processes.ts'
import { BROWSER_SWITCHES, findBrowser } from '../test/support/browser.ts'
import type { Figure, Row, Setting } from './figure.ts'
import { random, sourceText } from './generated-tree.ts'
import { startHost } from './host-process.ts'
import { openEngine, record, workspaceOf } from './recorded.ts'
import { inSeconds, median } from './statistics.ts'

const [FILES, ROUNDS, QUICK_ROUNDS] = [40, 125, 10]
/** Seconds. */
const [OPEN_TARGET, SEEK_TARGET, FRAME_TARGET] = [0.3, 0.05, 1 / 60]
const SEEKS = 100
const DRAGGED_FRAMES = 120

export const REPLAY: Figure = {
  name: 'replay',
  measure: async (setting) => {
    const browserPath = findBrowser()
    if (browserPath === undefined) {
      setting.log('  replay skipped: no browser found; set DRIFTLINE_BROWSER')
      return []
    }
    const rounds = setting.quick ? QUICK_ROUNDS : ROUNDS
    const tree = setting.folder('project')
    const data = await recordEdits(setting, tree, rounds)
    const host = await startHost(data, { args: ['--folder', tree] })
    const browser = await chromium.launch({ executablePath: browserPath, args: [...BROWSER_SWITCHES] })
    try {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
      await page.goto(host.url)
      await page.locator('#diff-pane .view-line').first().waitFor()
      const edits = rounds * FILES
      const opened = await timedKey(page, 'Alt+r', '.scrub-slider')
      await seek(page, [1])
      const next = random(7)
      const processor = await processorOf(page)
      const before = await processor()
      const seeks = await seek(
        page,
        Array.from({ length: SEEKS }, () => 1 + Math.floor(next() * edits))
      )
      const spent = ((await processor()) - before) / SEEKS
      const on = `${edits} edits`
      const late = seeks.toSorted((a, b) => a - b)[Math.floor(SEEKS * 0.95)] ?? Number.NaN
      return [
        rowOf('replay until it is on screen', on, opened, OPEN_TARGET),
        rowOf('- seek until its diff is painted, median', on, median(seeks), SEEK_TARGET, seeks),
        rowOf('- the same, 95 %', on, late, SEEK_TARGET),
        rowOf('- processor time of the page for a seek', on, spent, SEEK_TARGET),
        rowOf(
          '- processor time of the page for a frame of a drag',
          on,
          await dragFrame(page, edits, processor),
          FRAME_TARGET
        )
      ]
    } finally {
      await browser.close()
      await host.stop()
    }
  }
}

function rowOf(figure: string, on: string, seconds: number, target: number, all: readonly number[] = [seconds]): Row {
  return {
    figure,
    on,
    ours: inSeconds(seconds),
    theirs: '',
    result: inSeconds(seconds),
    target: `<= ${inSeconds(target)}`,
    reached: seconds <= target,
    note: `shortest ${inSeconds(Math.min(...all))}, longest ${inSeconds(Math.max(...all))}; headless browser without a graphics card`,
    numbers: { seconds: all }
  }
}

/** Reads the processor time of the page's main thread, seconds. */
async function processorOf(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }
}

/** Seconds from a key until an element is painted. */
async function timedKey(page: Page, keys: string, selector: string): Promise<number> {
  await page.evaluate((selector) => {
    const started = new Promise<number>((resolve) =>
      addEventListener('keydown', () => resolve(performance.now()), { once: true, capture: true })
    )
    const seen = started.then(
      (from) =>
        new Promise<number>((resolve) => {
          const poll = (): void => {
            if (document.querySelector(selector)) requestAnimationFrame(() => resolve(performance.now() - from))
            else requestAnimationFrame(poll)
          }
          poll()
        })
    )
    Object.assign(window, { seen })
  }, selector)
  await page.keyboard.press(keys)
  return (await page.evaluate(() => (window as unknown as { seen: Promise<number> }).seen)) / 1000
}

/**
 * Seconds from each seek until the line of its edit is painted, one after the other: a replay that rests loads the editor. Each
 * round has one edit of each file.
 */
async function seek(page: Page, edits: readonly number[]): Promise<number[]> {
  const spent = await page.evaluate(
    async (seeks) => {
      const slider = document.querySelector('.scrub-slider') as HTMLInputElement
      const seekTo = ({ edit, round }: (typeof seeks)[number]): Promise<number> =>
        new Promise((resolve, reject) => {
          const started = performance.now()
          // A frame of the page is only counted if it is drawn for the replay: nothing is polled.
          const changes = new MutationObserver(() => {
            const path = document.querySelector('.scrub-path')?.textContent ?? ''
            const line = `// round ${round}, file ${/module-(\d+)/.exec(path)?.[1]}.`
            const texts = [...document.querySelectorAll('#diff-pane .first-text .first-code')]
            if (!texts.some(({ textContent }) => textContent?.includes(line))) return
            changes.disconnect()
            clearTimeout(timer)
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - started)))
          })
          const timer = setTimeout(() => reject(new Error(`edit ${edit} did not appear within 20 s`)), 20_000)
          changes.observe(document.body, { subtree: true, childList: true, characterData: true })
          Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(slider, edit)
          slider.dispatchEvent(new Event('input', { bubbles: true }))
        })
      const all: number[] = []
      for (const each of seeks) all.push(await seekTo(each))
      return all
    },
    edits.map((edit) => ({ edit, round: Math.floor((edit - 1) / FILES) }))
  )
  return spent.map((ms) => ms / 1000)
}

/** Seconds of processor time of the page's main thread for each frame while the slider is dragged from end to end. */
async function dragFrame(page: Page, edits: number, processor: () => Promise<number>): Promise<number> {
  const before = await processor()
  await page.evaluate(
    async ({ edits, frames }) => {
      const slider = document.querySelector('.scrub-slider') as HTMLInputElement
      for (let frame = 0; frame <= frames; frame++) {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(
          slider,
          Math.round((edits * frame) / frames)
        )
        slider.dispatchEvent(new Event('input', { bubbles: true }))
        await new Promise(requestAnimationFrame)
      }
    },
    { edits, frames: DRAGGED_FRAMES }
  )
  return ((await processor()) - before) / DRAGGED_FRAMES
}

/** Each round changes a line of every file, so that each is one edit. */
async function recordEdits(setting: Setting, tree: string, rounds: number): Promise<string> {
  const next = random(11)
  const texts = Array.from({ length: FILES }, () => sourceText(4000, next).split('\n'))
  const write = (file: number): void =>
    writeFileSync(join(tree, 'src', `module-${file}.ts`), texts[file]?.join('\n') ?? '')
  mkdirSync(join(tree, 'src'))
  for (const file of texts.keys()) write(file)
  const data = await record(setting, tree)
  const engine = await openEngine(data, false)
  const workspace = await workspaceOf(engine)
  const { pid, start: pidStart } = ownProcess()
  const { run } = await engine.call('run.begin', { workspace, title: 'Many edits', agent: 'bench', pid, pidStart })
  for (let round = 0; round < rounds; round++) {
    for (const [file, lines] of texts.entries()) {
      lines[Math.floor(next() * lines.length)] = `// round ${round}, file ${file}.`
      write(file)
    }
    await engine.call('drift.list', { workspace, check: true })
  }
  await engine.call('run.end', { workspace, run, exitCode: 0 })
  await engine.close()
  return data
}
