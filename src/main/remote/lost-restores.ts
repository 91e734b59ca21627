/**
 * [RH-5] Restores on a host whose connection is lost. The recorder there completes what has begun, whoever listens; only
 * its answer is lost, so the outcome is read from the timeline once the host answers again.
 */
import type { Client, EngineEvents, EventName, Params, Result } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import { idOnHost } from '../../contract/hosts.ts'
import type { RestoreEntry } from '../../contract/timeline.ts'

interface LostRestore {
  /** On the host. */
  readonly workspace: string
  /** The newest restore before it; null without one. */
  readonly before: string | null
}

export function createLostRestores(
  host: string,
  emit: <E extends EventName>(event: E, payload: EngineEvents[E]) => void
) {
  const lost: LostRestore[] = []

  const reportOne = async (client: Client, { workspace, before }: LostRestore): Promise<void> => {
    // A check waits until the restore has ended: both need the folder for themselves.
    await client.call('workspace.status', { workspace, check: true })
    const last = await newestRestore(client, workspace)
    const begun = last !== null && last.id !== before
    emit('host.restored', {
      host,
      workspace: idOnHost(host, workspace),
      state: begun ? last.state : 'not-begun',
      files: begun ? last.files : 0
    })
  }

  return {
    /** Applies a restore. Fails with Disconnected when its outcome is reported later. */
    async apply(client: Client, params: Params<'restore.apply'>): Promise<Result<'restore.apply'>> {
      const { workspace } = params
      const before = (await newestRestore(client, workspace))?.id ?? null
      try {
        return await client.call('restore.apply', params)
      } catch (error) {
        if (!(error instanceof DriftlineError) || error.code !== 'Disconnected') throw error
        lost.push({ workspace, before })
        throw new DriftlineError(
          'Disconnected',
          `The connection to ${host} was lost during the restore, which is completed there if it had begun. Its outcome is reported here once ${host} answers.`,
          { host, workspace }
        )
      }
    },
    /** Reports the outcomes on a new connection; those that it cannot stay for the next one. */
    report(client: Client): void {
      for (const restore of lost.splice(0)) {
        reportOne(client, restore).catch(() => {
          // Expected: Disconnected.
          lost.push(restore)
        })
      }
    }
  }
}

async function newestRestore(client: Client, workspace: string): Promise<RestoreEntry | null> {
  const { entries } = await client.call('timeline.list', { workspace, limit: 1, kinds: ['restore'] })
  return entries.find((entry) => entry.kind === 'restore') ?? null
}
