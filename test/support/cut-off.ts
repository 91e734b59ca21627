/** What does not fit into the window, for tests of its widths. */
import type { Page } from 'playwright-core'

/** Controls that reach out of the window, or whose words do not fit where nothing shortens them on purpose. */
export function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    if (document.documentElement.scrollWidth > innerWidth) {
      found.push(`the page scrolls sideways: ${document.documentElement.scrollWidth} in ${innerWidth}`)
    }
    const modal = document.querySelector('dialog:modal')
    const scrolls = (element: Element | null): boolean =>
      element !== null && (/auto|scroll/.test(getComputedStyle(element).overflowY) || scrolls(element.parentElement))
    for (const element of (modal ?? document).querySelectorAll<HTMLElement>('button, input, h1, [role="tab"]')) {
      if (element.closest('.monaco-editor, [role="tree"], .acts') || !element.checkVisibility()) continue
      const box = element.getBoundingClientRect()
      if (box.width === 0) continue
      const name = element.ariaLabel || element.textContent?.trim() || element.className
      if (box.right > innerWidth + 0.5 || box.left < -0.5 || (box.bottom > innerHeight + 0.5 && !scrolls(element))) {
        found.push(
          `out of the window: ${name} ${Math.round(box.left)}-${Math.round(box.right)}, ${Math.round(box.bottom)}`
        )
      }
      const shortened = element.matches('.ell') || element.querySelector('.ell') !== null || element.matches('input')
      if (!shortened && element.scrollWidth > element.clientWidth + 1) {
        found.push(`words cut off: ${name} ${element.scrollWidth} in ${element.clientWidth}`)
      }
    }
    return found
  })
}
