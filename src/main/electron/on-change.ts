/** Calls a listener with the state of all folders, now and after every change, at most twice a second. */
import type { Client } from '../../contract/api.ts'
import type { HostState, WorkspaceSummary } from '../../contract/workspace.ts'

const THROTTLE_MS = 500

export function onWorkspacesChange(
  client: Client,
  listener: (workspaces: readonly WorkspaceSummary[], state: HostState) => void
): void {
  let scheduled = false
  const update = async (): Promise<void> => {
    scheduled = false
    const [{ workspaces }, state] = await Promise.all([
      client.call('workspaces.list', {}),
      client.call('host.state', {})
    ])
    listener(workspaces, state)
  }
  const schedule = (): void => {
    if (scheduled) return
    scheduled = true
    setTimeout(() => {
      // Expected: Disconnected, when the engine was just restarted. It then sends workspaces.changed.
      update().catch(() => {})
    }, THROTTLE_MS).unref()
  }
  client.on('workspaces.changed', schedule)
  client.on('workspace.changed', ({ kinds }) => {
    if (kinds.some((kind) => kind === 'drift' || kind === 'status')) schedule()
  })
  client.on('coverage.changed', schedule)
  update().catch(() => schedule())
}
