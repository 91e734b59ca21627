/**
 * Actions that restore: previews, and undo and redo. Owns the queue of undo and redo steps: they are written one at a time,
 * in the order of the keys, and while one is pending the status it changes is not trusted.
 */
import { toErrorShape } from '../../contract/errors.ts'
import type { RestoreRequest, RestoreResult } from '../../contract/restore.ts'
import type { WorkspaceStatus } from '../../contract/status.ts'
import { agentIdentity } from '../../contract/words/agents.ts'
import { outcomeText } from '../../contract/words/restores.ts'
import type { Toast } from '../features/toast/toasts.tsx'
import { restoreAction, undoAction } from '../model/row-actions.ts'
import { runIdOf } from '../model/row-targets.ts'
import type { SelectableRow } from '../model/timeline-rows.ts'
import { announce } from '../ui/live-region.tsx'
import type { ActionDeps } from './action-deps.ts'
import { createFirstPlans } from './first-plan.ts'
import type { WorkspaceStore } from './store.ts'

export function createRestoreActions(deps: ActionDeps) {
  const { id: workspace, store, client, queries, toasts, statusKey, reportError } = deps
  const get = store.getState

  const plans = createFirstPlans(client, workspace)

  const setPreview = (preview: RestoreRequest | null) => {
    if (preview) {
      plans.ask(preview)
      // The toast of the last restore must not cover the next preview.
      toasts.hide('restore')
    }
    store.setState({ preview })
  }
  const openPreview = (request: RestoreRequest) => {
    if (!get().offline) setPreview(request)
  }
  const openAction = (request: RestoreRequest | null) => {
    if (request) openPreview(request)
  }
  const prepareAction = (request: RestoreRequest | null) => {
    if (request && !get().offline) plans.ask(request)
  }

  const whilePending = createPending(deps)
  const reloadStatus = () => whilePending(queries.cache.refetchQueries({ queryKey: statusKey, exact: true }))

  const step = async (kind: 'undo' | 'redo'): Promise<void> => {
    // The step before this one asks for a decision: that comes first.
    if (get().preview) return
    try {
      const plan = await client.call('restore.plan', { workspace, request: { kind } })
      const untouched = plan.conflicts.length === 0 && plan.warnings.length === 0 && plan.live.length === 0
      if (!untouched) return setPreview({ kind })
      finish(await client.call('restore.apply', { workspace, request: { kind }, plan: plan.plan }), { kind })
    } catch (error) {
      // The disk changed between the two calls: the person reviews the new plan.
      if (toErrorShape(error).code === 'PlanStale') setPreview({ kind })
      else reportError(error)
    }
  }
  // One at a time, in the order of the keys: a step pressed while another is written follows it.
  let steps: Promise<void> = Promise.resolve()
  const undoOrRedo = (kind: 'undo' | 'redo') => {
    steps = whilePending(steps.then(() => step(kind)))
  }

  const finish = (result: RestoreResult, request: RestoreRequest | null) => {
    setPreview(null)
    void reloadStatus()
    const toast = restoreToast(result, request, undoOrRedo)
    toasts.show(toast.action ? { ...toast, second: sendAction(request, store) } : toast)
    if (result.state === 'partial' || result.state === 'failed') announce(toast.text, 'assertive')
  }

  const cancelQueued = (queued: string) => {
    client.call('restore.unqueue', { workspace, queued }).catch(reportError)
  }

  return {
    /** Opens the preview of a restore or undo; does nothing while disconnected. */
    openPreview,
    closePreview: () => setPreview(null),
    /** The plan of the preview that was opened, requested before its dialog is drawn; null without one. */
    takePlan: plans.take,
    /** A restore ended. */
    finishRestore: (result: RestoreResult) => finish(result, get().preview),
    /** A restore waits for the end of the run: a banner says so. */
    finishQueued: () => {
      setPreview(null)
      void reloadStatus()
    },
    cancelQueued,
    /** Opens the preview of a row's restore. */
    restoreRow: (row: SelectableRow) => openAction(restoreAction(row).request),
    undoRow: (row: SelectableRow) => openAction(undoAction(row, get()).request),
    /** What the engine does for these previews begins when a button is pressed, not when it is released. */
    prepareRestore: (row: SelectableRow) => prepareAction(restoreAction(row).request),
    prepareUndo: (row: SelectableRow) => prepareAction(undoAction(row, get()).request),
    /**
     * Undoes or redoes the last restore, after those asked before: at once if the disk has not changed since, else with
     * a preview.
     */
    undoOrRedo
  }
}

/**
 * The status lags behind a restore: until the one after it is here, undo and redo stay enabled and the engine decides.
 * Returns a function that counts the work it is given as pending until it ends.
 */
function createPending({ store, queries, statusKey, reportError }: ActionDeps) {
  return async (work: Promise<unknown>): Promise<void> => {
    store.setState(({ pendingRestores }) => ({ pendingRestores: pendingRestores + 1 }))
    await work.catch(reportError)
    // In one step with the newer status: a key pressed in between would find nothing to undo.
    const newer = queries.cache.getQueryData<WorkspaceStatus>(statusKey)
    store.setState(({ pendingRestores, status }) => ({
      pendingRestores: pendingRestores - 1,
      status: newer ?? status
    }))
  }
}

/** Opens the review for the agent whose run was undone or restored; undefined without one. */
function sendAction(request: RestoreRequest | null, store: WorkspaceStore): Toast['action'] {
  const target = request?.kind === 'undo-run' ? request.run : request?.kind === 'restore' ? request.target : ''
  const id = target.split(':', 1)[0] ?? ''
  const entries = store.getState().timeline?.pages?.entries ?? []
  const run = entries.find(
    (entry) => entry.kind === 'run' && (entry.id === id || entry.id === runOfSelected(store, id))
  )
  if (run?.kind !== 'run' || run.session === null) return undefined
  const { session } = run
  return { label: `Send to ${agentIdentity(run.agent).name}…`, run: () => store.setState({ review: session }) }
}

/** The run of a turn: that of the selected row. */
function runOfSelected(store: WorkspaceStore, target: string): string | null {
  return target.startsWith('turn_') ? runIdOf(store.getState().selected?.node ?? null) : null
}

/** The outcome of a restore, and the button that reverts it if it wrote anything. */
function restoreToast(
  result: RestoreResult,
  request: RestoreRequest | null,
  undoOrRedo: (kind: 'undo' | 'redo') => void
): Toast {
  const wrote = result.state === 'done' || result.state === 'partial'
  const action =
    request?.kind === 'undo'
      ? { label: 'Redo', keys: 'Mod+Shift+Z', run: () => undoOrRedo('redo') }
      : { label: 'Undo', keys: 'Mod+Z', run: () => undoOrRedo('undo') }
  return {
    id: 'restore',
    icon: result.state === 'done' ? 'check' : 'warn',
    text: outcomeText(result, request),
    ...(wrote ? { action } : {})
  }
}
