/** Shows an address in the person's browser, where there is a screen. */
import { spawn } from 'node:child_process'

/** Whether a browser could be shown here at all. */
export function hasDisplay(env: NodeJS.ProcessEnv = process.env, platform: string = process.platform): boolean {
  return platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
}

/** Starts the default browser on `url` and does not wait. Says nothing when there is none: the line with the URL is out. */
export function openBrowser(url: string): void {
  const [command, args] =
    process.platform === 'darwin'
      ? (['open', [url]] as const)
      : process.platform === 'win32'
        ? (['rundll32', ['url.dll,FileProtocolHandler', url]] as const)
        : (['xdg-open', [url]] as const)
  const child = spawn(command, [...args], { stdio: 'ignore', detached: true })
  // Expected: ENOENT, a machine without xdg-open.
  child.once('error', () => {})
  child.unref()
}

/**
 * Shows the running host at `url` (from engine.json), on a workspace if one is named. Asks it for an address that works
 * once first, so that the token is never an argument of a process. Throws when the host does not answer.
 */
export async function openRunningHost(url: string, workspace: string): Promise<void> {
  const { origin, hash } = new URL(url)
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? ''
  const answer = await fetch(`${origin}/open/?open=${encodeURIComponent(workspace)}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(3000)
  })
  if (!answer.ok) throw new Error(`the running host answered ${answer.status}`)
  openBrowser(await answer.text())
}
