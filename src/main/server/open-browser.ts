/** Opens a URL in the default browser, where there is a display. */
import { spawn } from 'node:child_process'
import { oneTimeUrlOf } from '../host/one-time-url.ts'

/** False when no window can be shown, as on a Linux server. */
export function hasDisplay(env: NodeJS.ProcessEnv = process.env, platform: string = process.platform): boolean {
  return platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
}

/** Starts the default browser without waiting. Errors are ignored, because the URL is already printed. */
export function openBrowser(url: string): void {
  const [command, args] =
    process.platform === 'darwin'
      ? (['open', [url]] as const)
      : process.platform === 'win32'
        ? (['rundll32', ['url.dll,FileProtocolHandler', url]] as const)
        : (['xdg-open', [url]] as const)
  const child = spawn(command, [...args], { stdio: 'ignore', detached: true })
  // Expected: ENOENT on a system without xdg-open.
  child.once('error', () => {})
  child.unref()
}

/**
 * Opens the running host at `url` (from engine.json) in the browser; `workspace` is shown first, unless "". Throws
 * `Disconnected`.
 */
export async function openRunningHost(url: string, workspace: string): Promise<void> {
  openBrowser(await oneTimeUrlOf(url, workspace))
}
