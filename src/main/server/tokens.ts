/** The secret a browser must know, and one-time tickets that stand in for it on command lines others can read. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A fresh secret of 256 bits, URL-safe. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Compares in constant time, whatever the lengths. */
export function sameToken(given: string | undefined, token: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return given !== undefined && timingSafeEqual(hash(given), hash(token))
}

/** How long a ticket can be used, in ms. */
const TICKET_LIFE = 60_000

/**
 * Tickets for opening a browser: every user of a machine can read the arguments of the browser's process, so these
 * hold a ticket that works once, soon, and is exchanged for the real address by a redirect.
 */
export class Tickets {
  readonly #open = new Map<string, { readonly until: number; readonly leadsTo: string }>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  issue(leadsTo: string): string {
    const ticket = newToken()
    this.#open.set(ticket, { until: this.#now() + TICKET_LIFE, leadsTo })
    return ticket
  }

  /** Where the ticket leads, once and in time; else null. */
  redeem(ticket: string): string | null {
    const found = this.#open.get(ticket)
    this.#open.delete(ticket)
    return found && this.#now() <= found.until ? found.leadsTo : null
  }
}
