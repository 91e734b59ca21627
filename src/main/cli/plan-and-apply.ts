/**
 * The one path from a restoring command to the disk: plan, print or confirm, apply, report.
 *
 * The applied plan is exactly the printed one: its hash goes back to the engine, which refuses any other plan (RS-2).
 */

import { DriftlineError, type ErrorShape, exitCodeOf } from '../../contract/errors.ts'
import type { Resolution, Resolutions, RestorePlan, RestoreRequest, RestoreResult } from '../../contract/restore.ts'
import { formatNumber } from '../../contract/words/numbers.ts'
import type { Options } from './command.ts'
import { canAsk, confirm } from './confirm.ts'
import type { Context } from './context.ts'
import { affectedMessages } from './conversation-text.ts'
import { planDocument, refusedDocument, resultDocument } from './documents.ts'
import { escapeText } from './escape.ts'
import { HOW_TO_RECOVER, planLines, planQuestion, resultLines } from './plan-text.ts'
import { describeQuietRun } from './quiet-run.ts'

const REFUSED = 3
const PARTIAL = 4

/** Options of every restoring command. */
export const APPLY_OPTIONS = {
  'dry-run': { type: 'boolean', help: 'print the plan and write nothing' },
  yes: { type: 'boolean', short: 'y', help: 'write without confirmation' },
  plan: { type: 'string', value: 'HASH', help: 'write only if the plan still has this hash' },
  'while-live': { type: 'boolean', help: 'write even while a run is live; needs a terminal' }
} as const satisfies Options

/** Options of the requests without a conflict rule of their own. The resolution applies to each conflict that offers it. */
export const RESOLUTION_OPTIONS = {
  'on-conflict': { type: 'string', value: 'HOW', help: 'keep (default), replace or merge later changes' },
  ...APPLY_OPTIONS
} as const satisfies Options

/** The end of the usage line of such a command. */
export const RESOLUTION_USAGE = '[--on-conflict keep|replace|merge] [--dry-run] [--yes] [--plan HASH] [--while-live]'

export interface ApplyValues {
  readonly 'dry-run'?: boolean
  readonly yes?: boolean
  readonly plan?: string
  readonly 'while-live'?: boolean
}

export interface ResolutionValues extends ApplyValues {
  readonly 'on-conflict'?: string
}

/** Runs undo, redo, drift restore or recover. Without --on-conflict, later changes are kept. Resolves to the exit code. */
export function planAndApplyResolving(
  context: Context,
  request: RestoreRequest,
  values: ResolutionValues
): Promise<number> {
  const resolution = values['on-conflict'] ?? 'keep'
  if (resolution !== 'keep' && resolution !== 'replace' && resolution !== 'merge')
    throw new DriftlineError('Usage', `--on-conflict takes keep, replace or merge, not "${resolution}".`)
  return planAndApply(context, request, values, resolution)
}

/** Plans and applies one request in the context's workspace. Resolves to the exit code. */
export async function planAndApply(
  context: Context,
  request: RestoreRequest,
  values: ApplyValues,
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
    return refuse(context, emptyPlan(request), error)
  }
  if (values['dry-run'] === true) return showPlan(context, plan, 0)
  if (values.plan !== undefined && values.plan !== plan.plan) {
    return refuse(context, plan, {
      code: 'PlanStale',
      message:
        'The plan is out of date: something changed after it was created. Nothing was written. Check the current plan.',
      data: {}
    })
  }
  if (request.kind === 'undo-run' && (request.onConflict ?? 'fail') === 'fail' && plan.conflicts.length > 0) {
    return refuseConflicts(context, plan)
  }
  const [live] = plan.live
  if (live && !whileLive) {
    // Refuse before asking for confirmation: the engine would refuse the confirmed plan (RS-8).
    return refuse(context, plan, {
      code: 'RunIsLive',
      message: await liveRunMessage(context, workspace, live),
      data: {}
    })
  }
  if (values.yes !== true && !(await isConfirmed(context, plan))) return REFUSED
  return apply(context, plan, { workspace, request, resolutions, plan: plan.plan, ...(whileLive ? { whileLive } : {}) })
}

/** [RS-8] Names the run that blocks the restore and what a person can do. */
async function liveRunMessage(context: Context, workspace: string, live: RestorePlan['live'][number]): Promise<string> {
  const { activeRuns } = await context.call('workspace.status', { workspace, check: false })
  const run = activeRuns.find((activeRun) => activeRun.run === live.run)
  const message = `"${live.title}" is still running here and may overwrite restored files. Nothing was written. Wait until it ends, or add --while-live at a terminal.`
  return `${message} ${run ? describeQuietRun(run, context.now()) : ''}`.trimEnd()
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

async function createPlan(
  context: Context,
  params: { workspace: string; request: RestoreRequest; resolutions?: Resolutions }
): Promise<RestorePlan> {
  const plan = await context.call('restore.plan', params)
  if (plan.live.length === 0) return plan
  // A killed recorder leaves its run live; a status check marks it as interrupted, so plan again if one ended.
  const { activeRuns } = await context.call('workspace.status', { workspace: params.workspace, check: true })
  return activeRuns.length === plan.live.length ? plan : context.call('restore.plan', params)
}

async function apply(
  context: Context,
  plan: RestorePlan,
  params: { workspace: string; request: RestoreRequest; resolutions: Resolutions; plan: string; whileLive?: boolean }
): Promise<number> {
  const { output } = context
  const { client, where } = await context.open()
  const interrupted = (): void => {
    output.note(where === 'host' ? CONTINUES_IN_HOST : STOPPED)
    process.exit(130)
  }
  process.once('SIGINT', interrupted)
  const stop = client.on('restore.progress', (progress) => {
    if (progress.workspace !== params.workspace) return
    output.progress(`${PHASES[progress.phase]} ${formatNumber(progress.done)} of ${formatNumber(progress.total)}`)
  })
  let result: RestoreResult
  try {
    result = await client.call('restore.apply', params)
  } catch (error) {
    if (!isRefusal(error)) throw error
    // The folder changed after the plan was printed: print the current plan with the refusal.
    const { workspace, request, resolutions } = params
    const current =
      error.code === 'PlanStale' ? await client.call('restore.plan', { workspace, request, resolutions }) : plan
    return refuse(context, current, error)
  } finally {
    process.off('SIGINT', interrupted)
    stop()
    output.progress('')
  }
  output.document(resultDocument(result))
  output.lines(resultLines(params.request.kind, result, output.paint))
  return exitCodeOfResult(result)
}

const CONTINUES_IN_HOST =
  'The app continues the restore. `driftline status` shows the outcome, `driftline undo` undoes it.'
const STOPPED = `Restore interrupted. ${HOW_TO_RECOVER}`
const PHASES = { stage: 'Preparing', write: 'Writing', verify: 'Checking' } as const

/** 0: everything was done or kept on request. 3: refused, nothing was written. 4: something failed. */
export function exitCodeOfResult(result: Pick<RestoreResult, 'state' | 'items'>): number {
  if (result.state === 'refused') return REFUSED
  if (result.items.some((item) => item.result === 'failed')) return PARTIAL
  return result.state === 'done' || result.state === 'nothing-to-do' ? 0 : PARTIAL
}

function showPlan(context: Context, plan: RestorePlan, code: number): number {
  context.output.document(planDocument(plan))
  context.output.lines(planLines(plan, context.output.paint, context.output.width))
  return code
}

/**
 * Prints the plan and, on a terminal, asks for confirmation unless there is nothing to write. Without a terminal and with
 * `--json` the answer is no: the caller runs the command again with `--yes`.
 */
async function isConfirmed(context: Context, plan: RestorePlan): Promise<boolean> {
  const { output } = context
  showPlan(context, plan, REFUSED)
  const empty = plan.items.every((item) => item.action === 'keep') && affectedMessages(plan) === ''
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

function refuse(context: Context, plan: RestorePlan, error: ErrorShape): number {
  const { output } = context
  output.document(refusedDocument(plan, error.message, error))
  if (plan.plan !== '') output.lines(planLines(plan, output.paint, output.width))
  output.note(escapeText(error.message))
  return REFUSED
}

function refuseConflicts(context: Context, plan: RestorePlan): number {
  const { output } = context
  const message =
    'Later edits changed the same lines. Nothing was written. Choose --on-conflict keep, replace or merge.'
  output.document(refusedDocument(plan, message, null))
  output.lines(planLines(plan, output.paint, output.width))
  output.note(message)
  return REFUSED
}

function isRefusal(error: unknown): error is DriftlineError {
  return error instanceof DriftlineError && exitCodeOf(error.code) === REFUSED
}

/** Stands in for the plan of a request that was refused before planning, such as undo without a restore. */
function emptyPlan(request: RestoreRequest): RestorePlan {
  return {
    plan: '',
    act: request.kind,
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
    conversation: null
  }
}
