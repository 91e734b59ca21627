/**
 * The event that "Test connection" sends through an agent's registered command. It proves that events arrive, and
 * belongs to no session.
 */

const KEY = 'driftline_test'

export function createTestEvent(nonce: string): string {
  return JSON.stringify({ [KEY]: nonce })
}

/** The nonce of a test event; null for an agent's own event. */
export function readTestNonce(payload: unknown): string | null {
  if (typeof payload !== 'object' || payload === null) return null
  const nonce = (payload as Readonly<Record<string, unknown>>)[KEY]
  return typeof nonce === 'string' && /^[\w-]{1,64}$/.test(nonce) ? nonce : null
}
