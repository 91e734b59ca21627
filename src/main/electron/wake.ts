/** After sleep the watcher may have missed what other machines wrote to a shared folder: every folder is looked at once. */
import { powerMonitor } from 'electron'
import type { Client } from '../../contract/api.ts'
import type { WorkspaceSummary } from '../../contract/workspace.ts'

/** On battery only what was touched in the last day is looked at; the rest waits until somebody looks at it. */
const RECENT_MS = 24 * 3600_000

export function checkAfterSleep(client: Client, now: () => number = Date.now): void {
  powerMonitor.on('resume', () => {
    lookAtAll(client, powerMonitor.onBatteryPower, now()).catch((error: unknown) => console.error(error))
  })
}

async function lookAtAll(client: Client, onBattery: boolean, now: number): Promise<void> {
  const { workspaces } = await client.call('workspaces.list', {})
  // One after another: nobody is waiting, and the machine has just woken up.
  for (const { id } of worthALook(workspaces, onBattery, now))
    await client.call('drift.list', { workspace: id, check: true })
}

export function worthALook(
  workspaces: readonly WorkspaceSummary[],
  onBattery: boolean,
  now: number
): readonly WorkspaceSummary[] {
  const since = onBattery ? now - RECENT_MS : Number.NEGATIVE_INFINITY
  return workspaces.filter(({ folder, addedAt, lastAt }) => folder === 'present' && (lastAt ?? addedAt) >= since)
}
