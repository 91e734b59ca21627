/**
 * URLs of a running headless host: the one in engine.json with the workspace to open, and one-time URLs. Other users can
 * read process arguments, so the token itself never becomes one.
 */
import { DriftlineError } from '../../contract/errors.ts'

/** Adds the workspace to open first to a URL with a fragment; "" adds nothing. */
export function withWorkspace(url: string, workspace: string): string {
  return workspace ? `${url}&open=${encodeURIComponent(workspace)}` : url
}

/**
 * Requests a one-time URL from the host at `url` (from engine.json); `workspace` is shown first, unless "". Throws
 * `Disconnected`.
 */
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
    // Expected: the host just exited, or does not answer in time.
    const reason = error instanceof Error ? error.message : String(error)
    throw new DriftlineError(
      'Disconnected',
      `Couldn’t open the running Driftline at ${origin}: ${reason}. Start it again.`
    )
  }
}
