/**
 * Rescans the folders after the system wakes up. During sleep, other computers may have written to a shared folder, and
 * its watcher does not report these changes.
 */
import { powerMonitor } from 'electron'
import type { Client } from '../../contract/api.ts'
import type { WorkspaceSummary } from '../../contract/workspace.ts'
import { log } from '../engine/ports/log.ts'

/** On battery, folders without a change in this time are not rescanned. They are checked when they are opened. */
const RECENT_MS = 24 * 3600_000

export function rescanAfterSleep(client: Client, now: () => number = Date.now): void {
  powerMonitor.on('resume', () => {
    rescanFolders(client, powerMonitor.onBatteryPower, now()).catch((error: unknown) =>
      log.error('the folders could not be scanned after sleep', error)
    )
  })
}

async function rescanFolders(client: Client, onBattery: boolean, now: number): Promise<void> {
  const { workspaces } = await client.call('workspaces.list', {})
  // One at a time: nobody waits for the result, and the system is busy after waking up.
  for (const workspace of workspaces)
    if (shouldRescan(workspace, onBattery, now))
      await client.call('drift.list', { workspace: workspace.id, check: true })
}

export function shouldRescan({ folder, addedAt, lastAt }: WorkspaceSummary, onBattery: boolean, now: number): boolean {
  const since = onBattery ? now - RECENT_MS : Number.NEGATIVE_INFINITY
  return folder === 'present' && (lastAt ?? addedAt) >= since
}
