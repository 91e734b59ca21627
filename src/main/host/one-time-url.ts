/** An address of a running headless host that works once: the token itself never becomes an argument of a process. */
import { DriftlineError } from '../../contract/errors.ts'

/** Asks the host at `url` (from engine.json) for one, on a workspace if one is named. Throws `Disconnected`. */
export async function oneTimeUrlOf(url: string, workspace: string): Promise<string> {
  const { origin, hash } = new URL(url)
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? ''
  try {
    const answer = await fetch(`${origin}/open/?open=${encodeURIComponent(workspace)}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(3000)
    })
    if (answer.ok) return await answer.text()
    throw new Error(`it answered ${answer.status}`)
  } catch (error) {
    // Expected: it just left, or does not answer in time.
    const reason = error instanceof Error ? error.message : String(error)
    throw new DriftlineError(
      'Disconnected',
      `The running Driftline at ${origin} cannot be shown: ${reason}. Start it again.`
    )
  }
}
