/** An event of our own, sent the way an agent sends its own: it shows that the way is open, and belongs to no session. */

const KEY = 'driftline_test'

export function createTestEvent(nonce: string): string {
  return JSON.stringify({ [KEY]: nonce })
}

/** The test an event belongs to; null for an agent's own. */
export function readTestNonce(payload: unknown): string | null {
  if (typeof payload !== 'object' || payload === null) return null
  const nonce = (payload as Readonly<Record<string, unknown>>)[KEY]
  return typeof nonce === 'string' && /^[\w-]{1,64}$/.test(nonce) ? nonce : null
}
