/** Connects to a host again after a loss: a network comes back, and what was asked for continues there meanwhile. */
import { setTimeout as pause } from 'node:timers/promises'
import { DriftlineError } from '../../contract/errors.ts'
import type { Context } from './context.ts'

const PAUSES_MS = [250, 500, 1000, 2000, 4000, 8000] as const

/** False once `signal` ends the attempts. Fails with any error but HostUnreachable. */
export async function reachAgain(context: Context, host: string, signal: AbortSignal): Promise<boolean> {
  for (let attempt = 0; !signal.aborted; attempt++) {
    await context.reconnect()
    try {
      await context.open()
      return true
    } catch (error) {
      if (!(error instanceof DriftlineError) || error.code !== 'HostUnreachable') throw error
      if (attempt === 0) context.output.note(`${host} is out of reach. Trying again until it answers.`)
      // Expected: AbortError.
      await pause(PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)], undefined, { signal }).catch(() => {})
    }
  }
  return false
}
