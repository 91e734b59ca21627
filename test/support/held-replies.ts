/** Holds back the engine's replies to one method, so that a test sees a page that waits for them. */
import type { Page } from 'playwright-core'
import { keepPrivate } from './shared-browser.ts'

export interface HeldReplies {
  /** From now on replies to this method wait. */
  hold(method: string): void
  /** How many wait; of calls with this parameter only, if one is named. */
  count(parameter?: string): number
  /** Sends those that wait for a call with this parameter. */
  releaseOf(parameter: string): void
  /** Sends those that wait, and holds no more. */
  release(): void
}

/** For a page of the server host that is loaded afterwards, because its connection must be a new one. */
export async function interceptReplies(page: Page): Promise<HeldReplies> {
  let method: string | null = null
  let waiting: { readonly params: object; send(): void }[] = []
  // Playwright has no way to end a route of WebSockets, and frames of the next user went missing.
  keepPrivate(page)
  await page.routeWebSocket(/./, (client) => {
    // A page that is loaded again gets every reply.
    method = null
    waiting = []
    const engine = client.connectToServer()
    const calls = new Map<number, { readonly method: string; readonly params: object }>()
    client.onMessage((frame) => {
      const call = JSON.parse(String(frame))
      calls.set(call.id, call)
      engine.send(frame)
    })
    engine.onMessage((frame) => {
      const called = calls.get(JSON.parse(String(frame)).id)
      if (called && called.method === method)
        waiting.push({ params: called.params, send: () => void client.send(frame) })
      else client.send(frame)
    })
  })
  return {
    hold: (held) => {
      method = held
    },
    count: (parameter) => waiting.filter(({ params }) => parameter === undefined || parameter in params).length,
    releaseOf: (parameter) => {
      for (const { params, send } of waiting) if (parameter in params) send()
      waiting = waiting.filter(({ params }) => !(parameter in params))
    },
    release: () => {
      method = null
      for (const { send } of waiting) send()
      waiting = []
    }
  }
}

/** For a page of the server host; loads the page again. */
export async function holdReplies(page: Page): Promise<HeldReplies> {
  const replies = await interceptReplies(page)
  await page.reload()
  return replies
}
