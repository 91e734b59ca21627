/** After sleep the watcher may have missed what other machines wrote to a shared folder: every folder is looked at once. */
import { powerMonitor } from 'electron'
import type { Client } from '../../contract/api.ts'

/** On battery only what was touched in the last day is looked at; the rest waits until somebody looks at it. */
const RECENT_MS = 24 * 3600_000

export function checkAfterSleep(client: Client, now: () => number = Date.now): void {
  powerMonitor.on('resume', () => {
    lookAtAll(client, powerMonitor.onBatteryPower ? now() - RECENT_MS : 0).catch((error: unknown) =>
      console.error(error)
    )
  })
}

async function lookAtAll(client: Client, since: number): Promise<void> {
  const { workspaces } = await client.call('workspaces.list', {})
  // One after another: nobody is waiting, and the machine has just woken up.
  for (const { id, folder, lastAt } of workspaces) {
    if (folder === 'present' && (lastAt ?? 0) >= since) await client.call('drift.list', { workspace: id, check: true })
  }
}
