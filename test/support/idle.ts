/** Holds what the page does in its idle time: the editor gets a text then, see use-cover.ts. */
import type { Page } from 'playwright-core'

/** Keeps the page busy, as far as the editor knows, until `releaseIdle`. */
export function holdIdle(page: Page): Promise<void> {
  return page.evaluate(() => {
    const held: IdleRequestCallback[] = []
    window.requestIdleCallback = (work) => held.push(work)
    Object.assign(window, { held })
  })
}

export function releaseIdle(page: Page): Promise<void> {
  return page.evaluate(() => {
    const { held } = window as unknown as { readonly held: readonly IdleRequestCallback[] }
    for (const work of held) work({ didTimeout: false, timeRemaining: () => 10 })
    window.requestIdleCallback = (work) => window.setTimeout(work)
  })
}
