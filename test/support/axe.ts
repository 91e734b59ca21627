/** Runs axe-core in a page. The debugger evaluates it, because the content security policy forbids it to the page. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] as const

interface AxeResults {
  readonly violations: readonly {
    readonly id: string
    readonly help: string
    readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[]
  }[]
}

/** Violations of WCAG 2.2 AA on the current page, one line per element. */
export async function violations(page: Page): Promise<string[]> {
  // What is being replaced is dimmed for a moment and not meant to be read.
  await page.waitForFunction(() => !document.querySelector('.late-dim'))
  const devTools = await page.context().newCDPSession(page)
  try {
    await devTools.send('Runtime.evaluate', { expression: SOURCE })
    const run = `axe.run(document, { runOnly: ${JSON.stringify(TAGS)}, resultTypes: ['violations'] }).then((r) => JSON.stringify({ violations: r.violations }))`
    const { result, exceptionDetails } = await devTools.send('Runtime.evaluate', {
      expression: run,
      awaitPromise: true,
      returnByValue: true
    })
    if (exceptionDetails) throw new Error(`axe: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`)
    const found = JSON.parse(String(result.value)) as AxeResults
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`)
    )
  } finally {
    await devTools.detach()
  }
}
