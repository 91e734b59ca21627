/** Tells the tray, the menu and the dock of how the folders stand, now and after every change; never more than twice a second. */
import type { Client } from '../../contract/api.ts'
import type { HostState, WorkspaceSummary } from '../../contract/workspace.ts'

const CALM_MS = 500

export function onChange(
  client: Client,
  listener: (workspaces: readonly WorkspaceSummary[], state: HostState) => void
): void {
  let waiting = false
  const tell = async (): Promise<void> => {
    waiting = false
    const [{ workspaces }, state] = await Promise.all([
      client.call('workspaces.list', {}),
      client.call('host.state', {})
    ])
    listener(workspaces, state)
  }
  const soon = (): void => {
    if (waiting) return
    waiting = true
    setTimeout(() => {
      // Expected: Disconnected, when the recorder was just started again; it tells of itself then.
      tell().catch(() => {})
    }, CALM_MS).unref()
  }
  client.on('workspaces.changed', soon)
  client.on('workspace.changed', ({ kinds }) => {
    if (kinds.some((kind) => kind === 'drift' || kind === 'status')) soon()
  })
  client.on('coverage.changed', soon)
  tell().catch(() => soon())
}
