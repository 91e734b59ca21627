/** Runs axe-core in a page. The debugger evaluates it, because the content security policy forbids it to the page. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { LONG } from './scale.ts'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] as const

interface AxeResults {
  readonly violations: readonly {
    readonly id: string
    readonly help: string
    readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[]
  }[]
}

/** Rules whose result the theme can change. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'] as const

/** Violations of WCAG 2.2 AA on the current page, or in the parts of it that a selector names, one line per element. */
export function violations(page: Page, part?: string): Promise<string[]> {
  return found(page, TAGS, {}, part)
}

/** Half of the time axe takes, which the gallery spends once for every state. */
const WITHOUT_CONTRAST = { 'color-contrast': { enabled: false } }

/**
 * The same but for contrast, which the gallery has of every state; with `npm run test:long` contrast, too, and what breaks it in
 * the dark theme, for a page whose theme is the system's.
 */
export async function violationsInBothThemes(page: Page): Promise<string[]> {
  if (!LONG) return found(page, TAGS, WITHOUT_CONTRAST)
  const light = await found(page, TAGS)
  // Without motion: hundreds of colours would be on their way to another one.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  try {
    // The texts of the diff get their colours in the next frame.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    const dark = await found(page, OF_COLOURS)
    return [...light, ...dark.map((line) => `dark: ${line}`)]
  } finally {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.emulateMedia({ reducedMotion: 'no-preference' })
  }
}

/** The same of a screen that nearly equals one that is checked in another step or test: with `npm run test:long` only. */
export async function violationsInLongForm(page: Page): Promise<string[]> {
  return LONG ? violationsInBothThemes(page) : []
}

/** `only`: tags or names of rules; `rules`: switches for some; `part`: a selector, which has to find something. */
async function found(page: Page, only: readonly string[], rules: object = {}, part?: string): Promise<string[]> {
  // What is being replaced is dimmed for a moment and not meant to be read, nor is a colour on its way to another one.
  await page.waitForFunction(
    () =>
      !document.querySelector('.late-dim:not([hidden] *)') &&
      !document.getAnimations().some((animation) => animation instanceof CSSTransition)
  )
  const devTools = await page.context().newCDPSession(page)
  try {
    if (!(await page.evaluate(() => 'axe' in window))) await devTools.send('Runtime.evaluate', { expression: SOURCE })
    const options = { runOnly: only, rules, reporter: 'no-passes', resultTypes: ['violations'], preload: false }
    const within = part === undefined ? 'document' : JSON.stringify({ include: [part] })
    const run = `axe.run(${within}, ${JSON.stringify(options)}).then((r) => JSON.stringify({ violations: r.violations }))`
    const { result, exceptionDetails } = await devTools.send('Runtime.evaluate', {
      expression: run,
      awaitPromise: true,
      returnByValue: true
    })
    if (exceptionDetails) throw new Error(`axe: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`)
    const results = JSON.parse(String(result.value)) as AxeResults
    return results.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`)
    )
  } finally {
    await devTools.detach()
  }
}
