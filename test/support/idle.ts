/** Holds what the page does in its idle time: the editor gets a text then, see use-cover.ts. */
import type { Page } from 'playwright-core'

/** Keeps the page busy, as far as the editor knows, until `releaseIdle`. */
export function holdIdle(page: Page): Promise<void> {
  return page.evaluate(() => {
    const held: IdleRequestCallback[] = []
    Object.assign(window, { held, ownIdleCallback: window.requestIdleCallback })
    window.requestIdleCallback = (work) => held.push(work)
  })
}

export function releaseIdle(page: Page): Promise<void> {
  return page.evaluate(() => {
    const { held, ownIdleCallback } = window as unknown as {
      readonly held: readonly IdleRequestCallback[]
      readonly ownIdleCallback: typeof window.requestIdleCallback
    }
    // The page serves other tests: what stays replaced would be theirs, too.
    window.requestIdleCallback = ownIdleCallback
    for (const work of held) work({ didTimeout: false, timeRemaining: () => 10 })
  })
}
