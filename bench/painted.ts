/** Waiting in the page for what a click leads to, by the page's clock. */
import type { Locator } from 'playwright-core'

/** The lines of a diff: as they are drawn at first, and in the editor. */
export const DIFF_LINES = '#diff-pane .first-line, #diff-pane .view-line'

/**
 * Seconds from a click until the frame after an element of `selector` contains `text` and is seen: in the window, and with
 * nothing over it.
 */
export async function clickUntilPainted(target: Locator, selector: string, text: string): Promise<number> {
  const spent = await target.evaluate(
    (element, { selector, text }) =>
      new Promise<number>((resolve, reject) => {
        const started = performance.now()
        /** Its text begins in its left half. */
        const isSeen = (each: Element): boolean => {
          const { left, top, width, height } = each.getBoundingClientRect()
          const over = document.elementFromPoint(left + Math.min(width / 4, 120), top + height / 2)
          const isOpaque = each.checkVisibility({ visibilityProperty: true, opacityProperty: true })
          return isOpaque && over !== null && (each.contains(over) || over.contains(each))
        }
        const poll = (): void => {
          const found = [...document.querySelectorAll(selector)]
          if (found.some((each) => (each.textContent ?? '').replace(/\u00a0/g, ' ').includes(text) && isSeen(each)))
            requestAnimationFrame(() => resolve(performance.now() - started))
          else if (performance.now() - started > 20_000) reject(new Error(`“${text}” did not appear within 20 s`))
          else requestAnimationFrame(poll)
        }
        ;(element as HTMLElement).click()
        poll()
      }),
    { selector, text }
  )
  return spent / 1000
}
