/** Shows an address in the person's browser, where there is a screen. */
import { spawn } from 'node:child_process'
import { oneTimeUrlOf } from '../host/one-time-url.ts'

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

/** Shows the running host at `url` (from engine.json), on a workspace if one is named. Throws `Disconnected`. */
export async function openRunningHost(url: string, workspace: string): Promise<void> {
  openBrowser(await oneTimeUrlOf(url, workspace))
}
