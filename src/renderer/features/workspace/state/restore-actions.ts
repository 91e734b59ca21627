/** Actions that change the disk or the log, and the toasts that report them. */
import { toErrorShape } from '../../../../contract/errors.ts'
import type { RestoreRequest, RestoreResult } from '../../../../contract/restore.ts'
import type { WorkspaceStatus } from '../../../../contract/status.ts'
import { resumeNoteText } from '../../../../contract/words/conversation.ts'
import { plural } from '../../../../contract/words/numbers.ts'
import { baseName } from '../../../../contract/words/paths.ts'
import { outcomeText } from '../../../../contract/words/restore-dialog.ts'
import { announce } from '../../../ui/live-region.tsx'
import { restoreAction, undoAction } from '../../timeline/row-actions.ts'
import type { SelectableRow } from '../../timeline/timeline-rows.ts'
import type { ActionDeps } from './action-deps.ts'

export function createRestoreActions({ id: workspace, store, client, queries, toasts }: ActionDeps) {
  const get = store.getState
  const statusKey = ['workspace.status', { workspace, check: false }]

  const reportError = (error: unknown) => {
    const { message } = toErrorShape(error)
    toasts.show({ id: 'error', icon: 'warn', text: message })
    announce(message, 'assertive')
  }
  const setPreview = (preview: RestoreRequest | null) => {
    // The toast of the last restore must not cover the next preview.
    if (preview) toasts.hide('restore')
    store.setState({ preview })
  }
  const openPreview = (request: RestoreRequest) => {
    if (!get().offline) setPreview(request)
  }
  const openAction = (request: RestoreRequest | null) => {
    if (request) openPreview(request)
  }

  // The status lags behind a restore: until the one after it is here, undo and redo stay enabled and the engine
  // decides.
  const whilePending = async (work: Promise<unknown>): Promise<void> => {
    store.setState(({ pendingRestores }) => ({ pendingRestores: pendingRestores + 1 }))
    await work.catch(reportError)
    // In one step with the newer status: a key pressed in between would find nothing to undo.
    const newer = queries.cache.getQueryData<WorkspaceStatus>(statusKey)
    store.setState(({ pendingRestores, status }) => ({
      pendingRestores: pendingRestores - 1,
      status: newer ?? status
    }))
  }
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
    const text = outcomeText(result, request)
    const offersRedo = request?.kind === 'undo'
    const wrote = result.state === 'done' || result.state === 'partial'
    toasts.show({
      id: 'restore',
      icon: result.state === 'done' ? 'check' : 'warn',
      text,
      ...(wrote
        ? {
            action: offersRedo
              ? { label: 'Redo', keys: 'Mod+Shift+Z', run: () => undoOrRedo('redo') }
              : { label: 'Undo', keys: 'Mod+Z', run: () => undoOrRedo('undo') }
          }
        : {})
    })
    if (result.state === 'partial' || result.state === 'failed') announce(text, 'assertive')
  }

  return {
    /** Shows an error of another action on this screen. */
    reportError,
    /** Opens the preview of a restore or undo; does nothing while disconnected. */
    openPreview,
    closePreview: () => setPreview(null),
    /** A restore ended. */
    finishRestore: (result: RestoreResult) => finish(result, get().preview),
    /** Opens the preview of a row's restore. */
    restoreRow: (row: SelectableRow) => openAction(restoreAction(row).request),
    undoRow: (row: SelectableRow) => openAction(undoAction(row, get().status).request),
    /**
     * Undoes or redoes the last restore, after those asked before: at once if the disk has not changed since, else with
     * a preview.
     */
    undoOrRedo,
    /** Accepts outside changes: all, or one path. */
    accept: (drift: string, path?: string) => {
      client.call('drift.accept', { workspace, drift, ...(path === undefined ? {} : { paths: [path] }) }).then(
        (accepted) =>
          toasts.show({
            id: 'drift',
            icon: 'check',
            text: `Accepted ${path === undefined ? plural(accepted.drift.count, 'outside change') : baseName(path)}. Earlier versions are saved.`
          }),
        reportError
      )
    },
    /** Starts or pauses watching, for all workspaces. */
    setWatching: (on: boolean) => {
      client.call('host.watch', { on }).catch(reportError)
    },
    /** Compares the disk with the log. */
    check: () => {
      client.call('workspace.status', { workspace, check: true }).then(({ drift, folder }) => {
        queries.repeat(statusKey)
        if (folder === 'missing') return
        const open = drift.filter(({ state }) => state === 'open').reduce((sum, { count }) => sum + count, 0)
        toasts.show({
          id: 'check',
          icon: open > 0 ? 'drift' : 'check',
          text: open > 0 ? `${plural(open, 'file')} changed outside of runs.` : 'No outside changes found.'
        })
      }, reportError)
    },
    /** Copies the patch of the comparison. */
    copyPatch: () => {
      const { query } = get()
      if (!query) return
      client
        .call('diff.patch', { workspace, ...query })
        .then(({ patch }) => navigator.clipboard.writeText(patch))
        .catch(reportError)
    },
    /** Copies the command that resumes a session. */
    copyResume: (session: string) => {
      client
        .call('sessions.resume', { workspace, session, fork: false })
        .then(async ({ command, note }) => {
          await navigator.clipboard?.writeText(command)
          toasts.show({
            id: 'copy',
            icon: 'check',
            text: `Copied. Run it in a terminal to resume. ${resumeNoteText(note)}`.trim()
          })
        })
        .catch(reportError)
    },
    pin: (label: string) => {
      client
        .call('checkpoint.create', { workspace, label })
        .then(
          () => toasts.show({ id: 'pin', icon: 'pin', text: label ? `Pinned “${label}”` : 'Pinned a checkpoint' }),
          reportError
        )
    }
  }
}
