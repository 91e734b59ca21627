/**
 * The outcome of a restore on a host whose connection was lost during it. The recorder there completes what has begun,
 * whoever listens; only its answer is lost, so the outcome is read from the timeline.
 */
import { DriftlineError } from '../../contract/errors.ts'
import type { RestoreState } from '../../contract/restore.ts'
import type { RestoreEntry } from '../../contract/timeline.ts'
import { pathsText } from '../../contract/words/numbers.ts'
import type { Context } from './context.ts'
import { reachAgain } from './reach-again.ts'

/** How long it tries to reach the host again, ms. */
const TRY_FOR_MS = 120_000

/** The newest restore of the folder; null without one. */
export async function newestRestore(context: Context, workspace: string): Promise<RestoreEntry | null> {
  const { entries } = await context.call('timeline.list', { workspace, limit: 1, kinds: ['restore'] })
  return entries.find((entry) => entry.kind === 'restore') ?? null
}

/** Waits for the restore, and prints how it ended. `before`: the newest restore before it. */
export async function outcomeAfterLoss(
  context: Context,
  host: string,
  workspace: string,
  before: RestoreEntry | null
): Promise<RestoreState> {
  const { output } = context
  output.note(`The connection to ${host} was lost during the restore, which continues there if it had begun.`)
  if (!(await reachAgain(context, host, AbortSignal.timeout(TRY_FOR_MS)))) throw outOfReach(host)
  // A check waits until the restore has ended: both need the folder for themselves.
  await context.call('workspace.status', { workspace, check: true })
  const last = await newestRestore(context, workspace)
  if (last === null || last.id === before?.id) throw notBegun(host)
  const { id, state, guard, files } = last
  output.print({ restore: id, state, guard, items: [], conflicts: [], warnings: [], files, connectionLost: true }, [
    `The restore on ${host} ended as ${state}: ${pathsText({ files, folders: 0 })}.`,
    `\`driftline --host ${host} show ${id}\` shows it, \`driftline --host ${host} undo\` reverts it.`
  ])
  return state
}

function outOfReach(host: string): DriftlineError {
  return new DriftlineError(
    'HostUnreachable',
    `${host} stays out of reach. A restore that had begun there is completed there. Once it answers, \`driftline --host ${host} log --kind restore\` shows the outcome.`,
    { host }
  )
}

function notBegun(host: string): DriftlineError {
  return new DriftlineError(
    'Disconnected',
    `The connection to ${host} was lost before the restore began. Nothing was written there. Repeat the command.`,
    { host }
  )
}
