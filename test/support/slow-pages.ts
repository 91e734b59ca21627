/**
 * `DRIFTLINE_SLOW_PAGES=N`: pages run N times slower, and each message reaches them up to N x 20 ms late, in its order. A test that
 * is faster than the page then fails, as on a busy computer, with nothing else to run.
 */
import type { Page } from 'playwright-core'

const TIMES = Number(process.env.DRIFTLINE_SLOW_PAGES ?? 1)
const LATENCY = 20

export async function slowDown(page: Page): Promise<void> {
  if (!(TIMES > 1)) return
  await page.addInitScript(delayMessages, TIMES * LATENCY)
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: TIMES })
}

/** Runs in the page. */
function delayMessages(most: number): void {
  const { set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, 'onmessage') ?? {}
  Object.defineProperty(WebSocket.prototype, 'onmessage', {
    set(this: WebSocket, listener: (event: MessageEvent) => void) {
      let last = 0
      set?.call(this, (event: MessageEvent) => {
        const now = performance.now()
        last = Math.max(last, now + Math.random() * most)
        setTimeout(() => listener.call(this, event), last - now)
      })
    }
  })
}
