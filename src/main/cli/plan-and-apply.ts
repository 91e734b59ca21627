/**
 * The one path from a restoring command to the disk: plan, print or confirm, apply, report.
 *
 * The applied plan is exactly the printed one: its hash goes back to the engine, which refuses any other plan (RS-2).
 */
import { DriftlineError, type ErrorCode, exitCodeOf } from '../../contract/errors.ts'
import type {
  Resolution,
  Resolutions,
  RestoreKind,
  RestorePlan,
  RestoreRequest,
  RestoreResult
} from '../../contract/restore.ts'
import { formatNumber } from '../../contract/words/numbers.ts'
import { queuedTitle } from '../../contract/words/queued-restores.ts'
import { listAll } from '../../contract/words/text.ts'
import type { Options, Values } from './command.ts'
import { canAsk, confirm } from './confirm.ts'
import type { Context } from './context.ts'
import { planDocument, refusedDocument, resultDocument } from './documents.ts'
import { escapeLine, escapeText } from './escape.ts'
import type { Given } from './invocation.ts'
import { HOW_TO_RECOVER, planLines, planQuestion, resultLines, writesOther } from './plan-text.ts'
import { describeQuietRun } from './quiet-run.ts'
import { newestRestore, outcomeAfterLoss } from './restore-after-loss.ts'

const REFUSED = 3
const PARTIAL = 4

/** Options of every restoring command. */
export const APPLY_OPTIONS = {
  'dry-run': { type: 'boolean', help: 'print the plan and write nothing' },
  yes: { type: 'boolean', short: 'y', help: 'write without confirmation' },
  plan: { type: 'string', value: 'HASH', help: 'write only if the plan still has this hash' },
  'when-turn-ends': {
    type: 'boolean',
    help: 'while a run is live: write when it ends; `driftline queued` lists these'
  },
  'while-live': { type: 'boolean', help: 'write even while a run is live; needs a terminal' }
} as const satisfies Options

/**
 * Options of the requests without a conflict rule of their own. The resolution applies to each conflict that offers it.
 */
export const RESOLUTION_OPTIONS = {
  'on-conflict': {
    type: 'string',
    value: 'HOW',
    choices: ['keep', 'replace', 'merge'],
    help: 'keep (default), replace or merge later changes'
  },
  ...APPLY_OPTIONS
} as const satisfies Options

/** The end of the usage line of such a command. */
export const RESOLUTION_USAGE =
  '[--on-conflict keep|replace|merge] [--dry-run] [--yes] [--plan HASH] [--when-turn-ends] [--while-live]'

/**
 * What is planned and applied: the request as the command line gives it, and a resolution for each conflict it decides.
 */
interface Change {
  readonly workspace: string
  readonly request: Given<RestoreRequest>
  readonly resolutions?: Resolutions
}

/**
 * Plans and applies one request in the context's workspace; later changes are kept by default. Resolves to the exit
 * code.
 */
export async function planAndApply(
  context: Context,
  request: Given<RestoreRequest>,
  values: Values<typeof APPLY_OPTIONS>,
  onConflict: Resolution = 'keep'
): Promise<number> {
  const workspace = (await context.workspace()).id
  const whileLive = values['while-live'] === true
  if (whileLive && process.stdin.isTTY !== true) {
    throw new DriftlineError(
      'NeedsConfirmation',
      '--while-live writes to a folder that an agent is working in, so it needs a terminal. Nothing was written.'
    )
  }
  let plan: RestorePlan
  let resolutions: Resolutions = {}
  try {
    plan = await createPlan(context, { workspace, request })
    resolutions = resolutionsFor(plan, onConflict)
    if (Object.keys(resolutions).length > 0) plan = await createPlan(context, { workspace, request, resolutions })
  } catch (error) {
    if (!isRefusal(error)) throw error
    return refuse(context, emptyPlan(request.kind), error.message, error.code)
  }
  if (values['dry-run'] === true) return showPlan(context, plan)
  if (values.plan !== undefined && values.plan !== plan.plan) {
    return refuse(context, plan, STALE, 'PlanStale')
  }
  if (request.kind === 'undo-run' && request.onConflict === 'fail' && plan.conflicts.length > 0)
    return refuse(context, plan, undecidedText(plan.conflicts))
  const [live] = plan.live
  const queues = live !== undefined && values['when-turn-ends'] === true
  if (live && !whileLive && !queues) {
    // Refuse before asking for confirmation: the engine would refuse the confirmed plan (RS-8).
    return refuse(context, plan, await liveRunMessage(context, workspace, live), 'RunIsLive')
  }
  if (values.yes !== true && !(await isConfirmed(context, plan))) return REFUSED
  const change = { workspace, request, resolutions }
  return queues ? queue(context, plan, change) : apply(context, plan, change, whileLive)
}

/** [RS-8] Names the run that blocks the restore and what a person can do. */
async function liveRunMessage(context: Context, workspace: string, live: RestorePlan['live'][number]): Promise<string> {
  const { activeRuns } = await context.call('workspace.status', { workspace, check: false })
  const run = activeRuns.find((activeRun) => activeRun.run === live.run)
  const message = `"${live.title}" is still running here and may overwrite restored files. Nothing was written. Wait until it ends, add --when-turn-ends to write then, or --while-live at a terminal.`
  return `${message} ${run ? describeQuietRun(run) : ''}`.trimEnd()
}

/** `resolution` for each conflict that offers it; the others are kept. */
function resolutionsFor({ conflicts }: RestorePlan, resolution: Resolution): Resolutions {
  if (resolution === 'keep') return {}
  return Object.fromEntries(
    conflicts
      .filter((conflict) => conflict.choices.includes(resolution))
      .map((conflict) => [conflict.path, resolution] as const)
  )
}

async function createPlan(context: Context, params: Change): Promise<RestorePlan> {
  const plan = await context.call('restore.plan', params)
  if (plan.live.length === 0) return plan
  // A killed recorder leaves its run live; a status check marks it as interrupted, so plan again if one ended.
  const { activeRuns } = await context.call('workspace.status', { workspace: params.workspace, check: true })
  return activeRuns.length === plan.live.length ? plan : context.call('restore.plan', params)
}

/** [RS-22] */
async function queue(context: Context, { plan }: RestorePlan, change: Change): Promise<number> {
  const { queued } = await context.call('restore.queue', { ...change, plan })
  return context.output.print({ queued }, [
    `${escapeLine(queuedTitle(queued))}: waits until no run is live. Nothing was written yet.`,
    `  driftline queued                       lists what waits`,
    `  driftline queued cancel ${queued.id}   cancels it`
  ])
}

async function apply(context: Context, plan: RestorePlan, change: Change, whileLive: boolean): Promise<number> {
  const { output } = context
  const { client, where } = await context.open()
  const interrupted = (): void => {
    output.note(where === 'host' ? CONTINUES_IN_HOST : STOPPED)
    process.exit(130)
  }
  process.once('SIGINT', interrupted)
  const stop = client.on('restore.progress', (progress) => {
    if (progress.workspace !== change.workspace) return
    output.progress(`${PHASES[progress.phase]} ${formatNumber(progress.done)} of ${formatNumber(progress.total)}`)
  })
  const before = context.host === null ? null : await newestRestore(context, change.workspace)
  let result: RestoreResult
  try {
    result = await context.call('restore.apply', { ...change, plan: plan.plan, whileLive: whileLive || undefined })
  } catch (error) {
    if (context.host !== null && isLoss(error))
      return exitCodeOfResult({
        state: await outcomeAfterLoss(context, context.host, change.workspace, before),
        items: [],
        git: []
      })
    if (isLoss(error)) throw new DriftlineError('Disconnected', LOST)
    if (!isRefusal(error)) throw error
    // The folder changed after the plan was printed: print the current plan with the refusal.
    const current = error.code === 'PlanStale' ? await context.call('restore.plan', change) : plan
    return refuse(context, current, error.message, error.code)
  } finally {
    process.off('SIGINT', interrupted)
    stop()
    output.progress('')
  }
  output.print(resultDocument(result), resultLines(change.request.kind, result, output.paint))
  return exitCodeOfResult(result)
}

const STALE =
  'The plan is out of date: something changed after it was created. Nothing was written. Check the current plan.'
const CONTINUES_IN_HOST =
  'The recorder continues the restore. `driftline status` shows the outcome, `driftline undo` undoes it.'
const LOST =
  'The connection to the recorder was lost during the restore. Nothing recorded was lost: `driftline status` says whether it was completed, or was interrupted and how to recover.'
const STOPPED = `Restore interrupted. ${HOW_TO_RECOVER}`
const PHASES = { stage: 'Preparing', write: 'Writing', verify: 'Checking' } as const

/** 0: everything was done or kept on request. 3: refused, nothing was written. 4: something failed. */
export function exitCodeOfResult(result: Pick<RestoreResult, 'state' | 'items' | 'git'>): number {
  if (result.state === 'refused') return REFUSED
  if ([...result.items, ...result.git].some((item) => item.result === 'failed')) return PARTIAL
  return result.state === 'done' || result.state === 'nothing-to-do' ? 0 : PARTIAL
}

/** Names only what is possible for one of them at least. */
function undecidedText(conflicts: RestorePlan['conflicts']): string {
  const possible = (['keep', 'merge', 'replace'] as const).filter((choice) =>
    conflicts.some(({ choices }) => choices.includes(choice))
  )
  return `Nothing was written, because of the conflicts. Choose --on-conflict ${listAll(possible, 'or')}.`
}

function showPlan({ output }: Context, plan: RestorePlan): number {
  return output.print(planDocument(plan), planLines(plan, output.paint, output.width))
}

/**
 * Prints the plan and, on a terminal, asks for confirmation unless there is nothing to write. Without a terminal and
 * with `--json` the answer is no: the caller runs the command again with `--yes`.
 */
async function isConfirmed(context: Context, plan: RestorePlan): Promise<boolean> {
  const { output } = context
  showPlan(context, plan)
  const empty = plan.items.every((item) => item.action === 'keep') && !writesOther(plan)
  if (!canAsk(output)) {
    output.note(
      `Nothing was written. ${empty ? 'There is nothing to write.' : 'Run the command again with --yes to apply this plan.'}`
    )
    return false
  }
  if (empty) return true
  await output.flush()
  if (await confirm(`${planQuestion(plan)}?`)) return true
  output.note('Nothing was written.')
  return false
}

function refuse({ output }: Context, plan: RestorePlan, message: string, code?: ErrorCode): number {
  output.document(refusedDocument(plan, message, code))
  if (plan.plan !== '') output.lines(planLines(plan, output.paint, output.width))
  output.note(escapeText(message))
  return REFUSED
}

function isLoss(error: unknown): boolean {
  return error instanceof DriftlineError && error.code === 'Disconnected'
}

function isRefusal(error: unknown): error is DriftlineError {
  return error instanceof DriftlineError && exitCodeOf(error.code) === REFUSED
}

/** Stands in for the plan of a request that was refused before planning, such as undo without a restore. */
function emptyPlan(act: RestoreKind): RestorePlan {
  return {
    plan: '',
    act,
    target: '',
    title: '',
    targetAt: null,
    items: [],
    conflicts: [],
    warnings: [],
    unchanged: 0,
    live: [],
    mode: 'files',
    modes: [],
    conversation: null,
    git: []
  }
}
