/** The token of the headless host, and one-time tickets that replace it in process arguments. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A new random token of 256 bits, URL-safe. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Compares in constant time. Hashing first makes the lengths equal, as timingSafeEqual requires. */
export function sameToken(given: string | undefined, token: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return given !== undefined && timingSafeEqual(hash(given), hash(token))
}

/** How long a ticket is valid, ms. */
const TICKET_LIFETIME_MS = 60_000

/**
 * Tickets for opening a browser. Every user of a computer can read the arguments of the browser's process, so its URL
 * contains a ticket: valid once, for a short time, and exchanged for the real URL by a redirect.
 */
export class Tickets {
  readonly #open = new Map<string, { readonly expiresAt: number; readonly target: string }>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  issue(target: string): string {
    const ticket = newToken()
    this.#open.set(ticket, { expiresAt: this.#now() + TICKET_LIFETIME_MS, target })
    return ticket
  }

  /** Returns the target of a valid ticket and invalidates it; else null. */
  redeem(ticket: string): string | null {
    const entry = this.#open.get(ticket)
    this.#open.delete(ticket)
    return entry && this.#now() <= entry.expiresAt ? entry.target : null
  }
}
