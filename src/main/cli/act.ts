/** The one way from a restoring command to the disk: plan, show or ask, apply exactly that plan, report. */

import { DriftlineError, type ErrorShape, exitCodeOf } from '../../contract/errors.ts'
import type { Act, Choice, Choices, RestorePlan, RestoreResult } from '../../contract/restore.ts'
import type { Options } from './command.ts'
import { canAsk, confirm } from './confirm.ts'
import type { Context } from './context.ts'
import { talkWords } from './conversation-text.ts'
import { planDocument, refusedDocument, resultDocument } from './documents.ts'
import { escapeText } from './escape.ts'
import { actWords, HOW_TO_RECOVER, planLines, resultLines } from './plan-text.ts'
import { silentWords } from './silent.ts'
import { grouped } from './words.ts'

const REFUSED = 3
const PARTIAL = 4

/** Options every restoring command takes. */
export const ACT_OPTIONS = {
  'dry-run': { type: 'boolean', help: 'print the plan and write nothing' },
  yes: { type: 'boolean', short: 'y', help: 'write without asking' },
  plan: { type: 'string', value: 'HASH', help: 'write only if the plan still is this one' },
  'while-live': { type: 'boolean', help: 'write although a run is live; needs a terminal' }
} as const satisfies Options

/** Of the acts that say nothing of conflicts themselves: the choice is made for each conflict of their plan that offers it. */
export const STEP_OPTIONS = {
  'on-conflict': { type: 'string', value: 'HOW', help: 'keep (default), replace or merge what was changed since' },
  ...ACT_OPTIONS
} as const satisfies Options

/** How the usage of such a command ends. */
export const STEP_USAGE = '[--on-conflict keep|replace|merge] [--dry-run] [--yes] [--plan HASH] [--while-live]'

export interface ActValues {
  readonly 'dry-run'?: boolean
  readonly yes?: boolean
  readonly plan?: string
  readonly 'while-live'?: boolean
}

export interface StepValues extends ActValues {
  readonly 'on-conflict'?: string
}

/** Carries out undo, redo, drift restore or recover, which leave what was changed since unless told otherwise. */
export function carryOutStep(context: Context, act: Act, values: StepValues): Promise<number> {
  const wanted = values['on-conflict'] ?? 'keep'
  if (wanted !== 'keep' && wanted !== 'replace' && wanted !== 'merge')
    throw new DriftlineError('Usage', `--on-conflict takes keep, replace or merge, not "${wanted}".`)
  return carryOut(context, act, values, wanted)
}

/** Carries out one act in the context's workspace. Resolves to the exit code. */
export async function carryOut(
  context: Context,
  act: Act,
  values: ActValues,
  onConflict: Choice = 'keep'
): Promise<number> {
  const workspace = (await context.workspace()).id
  const whileLive = values['while-live'] === true
  if (whileLive && process.stdin.isTTY !== true) {
    throw new DriftlineError(
      'NeedsConfirmation',
      '--while-live writes into a folder an agent is working in, so a person has to be at the terminal. Nothing was written.'
    )
  }
  let plan: RestorePlan
  let choices: Choices = {}
  try {
    plan = await planNow(context, { workspace, act })
    choices = chosen(plan, onConflict)
    if (Object.keys(choices).length > 0) plan = await planNow(context, { workspace, act, choices })
  } catch (error) {
    if (!isRefusal(error)) throw error
    return refuse(context, noPlan(act), error)
  }
  if (values['dry-run'] === true) return showPlan(context, plan, 0)
  if (values.plan !== undefined && values.plan !== plan.plan) {
    return refuse(context, plan, {
      code: 'PlanStale',
      message:
        'The plan is no longer that one: something changed since it was made. Nothing was written; this is the plan now.',
      data: {}
    })
  }
  if (act.kind === 'undo-run' && (act.onConflict ?? 'fail') === 'fail' && plan.conflicts.length > 0) {
    return refuseConflicts(context, plan)
  }
  const [live] = plan.live
  if (live && !whileLive) {
    // Told before anybody is asked: the engine would refuse the answer (RS-8).
    return refuse(context, plan, {
      code: 'RunIsLive',
      message: await liveWords(context, workspace, live),
      data: {}
    })
  }
  if (values.yes !== true && !(await agreed(context, plan))) return REFUSED
  return apply(context, plan, { workspace, act, choices, plan: plan.plan, ...(whileLive ? { whileLive } : {}) })
}

/** [RS-8] Who is in the way, and what a person can do. */
async function liveWords(context: Context, workspace: string, live: RestorePlan['live'][number]): Promise<string> {
  const { activeRuns } = await context.call('workspace.status', { workspace, check: false })
  const run = activeRuns.find((activeRun) => activeRun.run === live.run)
  const words = `"${live.title}" is still running here and may overwrite what is restored. Nothing was written; wait until it ends, or add --while-live at a terminal.`
  return `${words} ${run ? silentWords(run, context.now()) : ''}`.trimEnd()
}

/** `wanted` for each conflict that offers it; the rest is kept. */
function chosen({ conflicts }: RestorePlan, wanted: Choice): Choices {
  if (wanted === 'keep') return {}
  return Object.fromEntries(
    conflicts
      .filter((conflict) => conflict.choices.includes(wanted))
      .map((conflict) => [conflict.path, wanted] as const)
  )
}

async function planNow(
  context: Context,
  params: { workspace: string; act: Act; choices?: Choices }
): Promise<RestorePlan> {
  const plan = await context.call('restore.plan', params)
  if (plan.live.length === 0) return plan
  // A recorder that was killed leaves its run open until somebody looks.
  const { activeRuns } = await context.call('workspace.status', { workspace: params.workspace, check: true })
  return activeRuns.length === plan.live.length ? plan : context.call('restore.plan', params)
}

async function apply(
  context: Context,
  plan: RestorePlan,
  params: { workspace: string; act: Act; choices: Choices; plan: string; whileLive?: boolean }
): Promise<number> {
  const { output } = context
  const { client, where } = await context.open()
  const interrupted = (): void => {
    output.note(where === 'host' ? GOES_ON : STOPPED)
    process.exit(130)
  }
  process.once('SIGINT', interrupted)
  const stop = client.on('restore.progress', (progress) => {
    if (progress.workspace !== params.workspace) return
    output.progress(`${PHASES[progress.phase]} ${grouped(progress.done)} of ${grouped(progress.total)}`)
  })
  let result: RestoreResult
  try {
    result = await client.call('restore.apply', params)
  } catch (error) {
    if (!isRefusal(error)) throw error
    // Refused by the engine: the plan of this moment says more than the one that was shown.
    const now = error.code === 'PlanStale' ? await client.call('restore.plan', params) : plan
    return refuse(context, now, error)
  } finally {
    process.off('SIGINT', interrupted)
    stop()
    output.progress('')
  }
  output.document(resultDocument(result))
  output.lines(resultLines(params.act.kind, result, output.paint))
  return exitCodeOfResult(result)
}

const GOES_ON = 'The app goes on with it. `driftline status` shows how it ended, `driftline undo` takes it back.'
const STOPPED = `Stopped in the middle. ${HOW_TO_RECOVER}`
const PHASES = { stage: 'Preparing', write: 'Writing', verify: 'Checking' } as const

/** 0 when everything asked for was done or kept, 3 when nothing was written on purpose, 4 when something failed. */
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

/** Asks on a terminal, unless nothing is to be written. Elsewhere, and with `--json`, prints the plan for a second call with `--yes`. */
async function agreed(context: Context, plan: RestorePlan): Promise<boolean> {
  const { output } = context
  showPlan(context, plan, REFUSED)
  const empty = plan.items.every((item) => item.action === 'keep') && talkWords(plan) === ''
  if (!canAsk(output)) {
    output.note(
      `Nothing was written. ${empty ? 'There is nothing to write.' : 'Run it again with --yes to write this plan.'}`
    )
    return false
  }
  if (empty) return true
  await output.flush()
  if (await confirm(`${actWords(plan)}?`)) return true
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
    'Others changed the same places since, so nothing was written. Choose with --on-conflict keep, replace or merge.'
  output.document(refusedDocument(plan, message, null))
  output.lines(planLines(plan, output.paint, output.width))
  output.note(message)
  return REFUSED
}

function isRefusal(error: unknown): error is DriftlineError {
  return error instanceof DriftlineError && exitCodeOf(error.code) === REFUSED
}

/** The plan of an act that has none, such as undo with nothing to undo. */
function noPlan(act: Act): RestorePlan {
  return {
    plan: '',
    act: act.kind,
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
