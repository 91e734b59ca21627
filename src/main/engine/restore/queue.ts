/**
 * [RS-22] Restores that a person confirmed while an agent worked. They are stored, and applied in their order once no
 * run may write any more. What would now need another decision than the person made is held instead: it waits for the
 * person.
 */
import { DriftlineError } from '../../../contract/errors.ts'
import type {
  QueuedRestore,
  Resolutions,
  RestorePlan,
  RestoreRequest,
  RestoreResult
} from '../../../contract/restore.ts'
import { resultText } from '../../../contract/words/restores.ts'
import { busyRuns } from '../runs/run-state.ts'
import { newId } from '../store/ids.ts'
import { addQueuedRestore, holdQueuedRestore, queuedRestores, removeQueuedRestore } from '../store/queued-restores.ts'
import { transact } from '../store/sql.ts'
import { performRestore, type RestoreOptions } from './perform.ts'
import { planStale } from './preflight.ts'
import { previewRestore } from './prepare.ts'
import type { RestoreContext } from './restore-context.ts'

interface QueueRequest {
  readonly request: RestoreRequest
  readonly resolutions: Resolutions
  /** Hash of the plan that the person confirmed. */
  readonly plan?: string | undefined
}

/** Stores a restore to be applied later. Throws PlanStale if its plan is not the confirmed one any more. */
export async function queueRestore(context: RestoreContext, wanted: QueueRequest): Promise<QueuedRestore> {
  const { request, resolutions } = wanted
  const plan = await previewRestore(context, request, resolutions)
  if (wanted.plan !== undefined && wanted.plan !== plan.plan) throw planStale('The files changed', { plan })
  const queued: QueuedRestore = {
    id: newId('qr'),
    at: context.now(),
    request,
    resolutions,
    title: plan.title,
    target: plan.target,
    targetAt: plan.targetAt,
    conflicts: plan.conflicts.map(({ path }) => path),
    held: null
  }
  transact(context.store, (tx) => addQueuedRestore(tx, queued))
  context.notifyChanged(['status'])
  return queued
}

/** Throws UnknownTarget when it was applied or cancelled before. */
export function cancelQueuedRestore(context: RestoreContext, id: string): void {
  const wasQueued = transact(context.store, (tx) => removeQueuedRestore(tx, id))
  if (!wasQueued) throw notWaiting(id)
  context.notifyChanged(['status'])
}

function notWaiting(id: string): DriftlineError {
  return new DriftlineError('UnknownTarget', `No restore "${id}" is waiting. It was applied or cancelled before.`, {
    queued: id
  })
}

/** A person did what was held for them. */
export function dropHeldRestores(context: RestoreContext, request: RestoreRequest): void {
  const wanted = JSON.stringify(request)
  const done = queuedRestores(context.store).filter((each) => each.held && JSON.stringify(each.request) === wanted)
  if (done.length === 0) return
  transact(context.store, (tx) => done.forEach(({ id }) => void removeQueuedRestore(tx, id)))
  context.notifyChanged(['status'])
}

interface ApplyQueued extends Pick<RestoreOptions, 'progress'> {
  /** One ended: `result` null if it is held now. */
  onEnded(queued: QueuedRestore, result: RestoreResult | null): void
  isClosed(): boolean
}

/** Applies what waits, oldest first, until a run may write again. */
export async function applyQueuedRestores(context: RestoreContext, options: ApplyQueued): Promise<void> {
  const { store } = context
  while (!options.isClosed()) {
    const next = queuedRestores(store).find(({ held }) => held === null)
    if (!next || busyRuns(store).length > 0) return
    let begun = false
    const outcome = await applyOne(context, next, {
      progress: options.progress,
      // From here on it cannot be cancelled, and a process that dies leaves an interrupted restore.
      onJournal(tx) {
        if (!removeQueuedRestore(tx, next.id)) throw notWaiting(next.id)
        begun = true
      }
    })
    if (outcome === 'later') return
    const wasWaiting = transact(store, (tx) => {
      if (!('held' in outcome)) return removeQueuedRestore(tx, next.id)
      const isWaiting = holdQueuedRestore(tx, next.id, outcome.held)
      // Its journal had taken it out of the queue. If that could not be written, it is still there.
      if (begun && !isWaiting) addQueuedRestore(tx, { ...next, held: outcome.held })
      return isWaiting
    })
    if (!begun && !wasWaiting) continue
    context.notifyChanged(['status'])
    options.onEnded(next, 'held' in outcome ? null : outcome)
  }
}

type Outcome = RestoreResult | { readonly held: NonNullable<QueuedRestore['held']> } | 'later'

/** How often the files may change between its plan and its writing. */
const MAX_ATTEMPTS = 3

async function applyOne(
  context: RestoreContext,
  queued: QueuedRestore,
  options: Pick<RestoreOptions, 'progress' | 'onJournal'>
): Promise<Outcome> {
  const { request, resolutions } = queued
  for (let attempt = 1; ; attempt++) {
    try {
      const plan = await previewRestore(context, request, resolutions)
      const held = reasonToHold(queued, plan)
      if (held) return { held }
      const confirmed = { request, resolutions, plan: plan.plan, whileLive: false }
      const result = await performRestore(context, { ...confirmed, ...options })
      const isOver = result.state === 'done' || result.state === 'partial' || result.state === 'nothing-to-do'
      return isOver ? result : { held: { code: 'refused', message: resultText(result).title } }
    } catch (error) {
      if (!(error instanceof DriftlineError)) throw error
      if (error.code === 'RunIsLive') return 'later'
      if (error.code === 'PlanStale' && attempt < MAX_ATTEMPTS) continue
      return { held: { code: 'refused', message: error.message } }
    }
  }
}

/** Null if it may be applied: it is about the same restore or run, and every conflict was decided by the person. */
function reasonToHold({ target, conflicts, resolutions }: QueuedRestore, plan: RestorePlan): QueuedRestore['held'] {
  if (plan.target !== target) return { code: 'other-target' }
  const undecided = plan.conflicts.filter(
    ({ path, choice }) => !conflicts.includes(path) || (resolutions[path] ?? choice) !== choice
  )
  if (undecided.length === 0) return null
  return { code: 'conflicts', paths: undecided.slice(0, MOST_NAMED).map(({ path }) => path), count: undecided.length }
}

const MOST_NAMED = 5
