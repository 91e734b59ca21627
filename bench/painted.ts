/** Waiting in the page for what a click leads to, by the page's clock. */
import type { Locator } from 'playwright-core'

/** Seconds from a click until the frame after an element of `selector` contains `text`. */
export async function clickUntilPainted(target: Locator, selector: string, text: string): Promise<number> {
  const spent = await target.evaluate(
    (element, { selector, text }) =>
      new Promise<number>((resolve, reject) => {
        const started = performance.now()
        const poll = (): void => {
          const found = [...document.querySelectorAll(selector)]
          const shown = found.some((one) => (one.textContent ?? '').replace(/\u00a0/g, ' ').includes(text))
          if (shown) requestAnimationFrame(() => resolve(performance.now() - started))
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
