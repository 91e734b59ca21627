/** Actions of this screen that change the disk or the log, and the toasts that report them. */

import { useCallback, useState } from 'react'
import { toErrorShape } from '../../../contract/errors.ts'
import type { RestoreRequest, RestoreResult } from '../../../contract/restore.ts'
import type { WorkspaceStatus } from '../../../contract/status.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { baseName } from '../../../contract/words/paths.ts'
import { outcomeText } from '../../../contract/words/restore-outcome.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import { announce } from '../../ui/live-region.tsx'
import { useToasts } from '../toast/toasts.tsx'

export interface RestoreActions {
  /** The request whose preview is open, null if none is. */
  readonly preview: RestoreRequest | null
  open(request: RestoreRequest): void
  close(): void
  done(result: RestoreResult): void
  /** Undoes or redoes the last restore: at once if the disk has not changed since, else with a preview. */
  undoOrRedo(kind: 'undo' | 'redo'): void
  /** Accepts outside changes: all, or one path. */
  accept(drift: string, path?: string): void
  check(): void
  /** Starts or pauses watching, for all workspaces. */
  setWatching(on: boolean): void
  pin(label: string): void
  /** Why there is nothing to undo or redo; null if there is, or if only the engine knows. */
  readonly undoUnavailable: string | null
  readonly redoUnavailable: string | null
  /** Copies the command that resumes a session. */
  copyResume(session: string): void
  /** Shows an error of another action on this screen. */
  reportError(error: unknown): void
}

export function useRestoreActions(
  workspace: WorkspaceId,
  status: WorkspaceStatus | null,
  refreshStatus: () => void
): RestoreActions {
  const { client } = useDriftline()
  const toasts = useToasts()
  const [preview, setPreviewState] = useState<RestoreRequest | null>(null)
  // The toast of the last restore must not cover the next preview.
  const setPreview = useCallback(
    (request: RestoreRequest | null) => {
      if (request) toasts.hide('restore')
      setPreviewState(request)
    },
    [toasts]
  )

  const reportError = useCallback(
    (error: unknown) => {
      const { message } = toErrorShape(error)
      toasts.show({ id: 'error', icon: 'warn', text: message })
      announce(message, 'assertive')
    },
    [toasts]
  )

  const step = async (kind: 'undo' | 'redo'): Promise<void> => {
    try {
      const plan = await client.call('restore.plan', { workspace, request: { kind } })
      const untouched = plan.conflicts.length === 0 && plan.warnings.length === 0 && plan.live.length === 0
      if (!untouched) return setPreview({ kind })
      done(await client.call('restore.apply', { workspace, request: { kind }, plan: plan.plan }), { kind })
    } catch (error) {
      // The disk changed between the two calls: the person reviews the new plan.
      if (toErrorShape(error).code === 'PlanStale') setPreview({ kind })
      else reportError(error)
    }
  }

  // The status lags behind a restore: until it is reloaded, undo and redo stay enabled and the engine decides.
  const [reloads, setReloads] = useState(0)
  const [fresh, setFresh] = useState<WorkspaceStatus | null>(null)
  const reloadStatus = () => {
    setReloads((n) => n + 1)
    client
      .call('workspace.status', { workspace, check: false })
      .then(setFresh, refreshStatus)
      .finally(() => setReloads((n) => n - 1))
  }
  const newest = fresh && (!status || fresh.rev > status.rev) ? fresh : status
  const done = (result: RestoreResult, request: RestoreRequest | null = preview) => {
    setPreview(null)
    reloadStatus()
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
              ? { label: 'Redo', keys: 'Mod+Shift+Z', run: () => void step('redo') }
              : { label: 'Undo', keys: 'Mod+Z', run: () => void step('undo') }
          }
        : {})
    })
    if (result.state === 'partial' || result.state === 'failed') announce(text, 'assertive')
  }

  return {
    reportError,
    undoUnavailable: newest?.undo || reloads > 0 ? null : 'no restore to undo',
    redoUnavailable: newest?.redo || reloads > 0 ? null : 'no undo to redo',
    preview,
    open: setPreview,
    close: () => setPreview(null),
    done: (result) => done(result),
    undoOrRedo: (kind) => void step(kind),
    accept: (drift, path) => {
      const files = path === undefined ? (status?.drift.find(({ id }) => id === drift)?.count ?? 0) : 1
      client.call('drift.accept', { workspace, drift, ...(path === undefined ? {} : { paths: [path] }) }).then(
        () =>
          toasts.show({
            id: 'drift',
            icon: 'check',
            text: `Accepted ${path === undefined ? plural(files, 'outside change') : baseName(path)}. Earlier versions are saved.`
          }),
        reportError
      )
    },
    setWatching: (on) => {
      client.call('host.watch', { on }).catch(reportError)
    },
    check: () => {
      client.call('workspace.status', { workspace, check: true }).then(({ drift, folder }) => {
        refreshStatus()
        if (folder === 'missing') return
        const open = drift.filter(({ state }) => state === 'open').reduce((sum, { count }) => sum + count, 0)
        toasts.show({
          id: 'check',
          icon: open > 0 ? 'drift' : 'check',
          text: open > 0 ? `${plural(open, 'file')} changed outside of runs.` : 'No outside changes found.'
        })
      }, reportError)
    },
    copyResume: (session) => {
      client
        .call('sessions.resume', { workspace, session, fork: false })
        .then(async ({ command, note }) => {
          await navigator.clipboard?.writeText(command)
          toasts.show({ id: 'copy', icon: 'check', text: `Copied. Run it in a terminal to resume. ${note}`.trim() })
        })
        .catch(reportError)
    },
    pin: (label) => {
      client
        .call('checkpoint.create', { workspace, label })
        .then(
          () => toasts.show({ id: 'pin', icon: 'pin', text: label ? `Pinned “${label}”` : 'Pinned a checkpoint' }),
          reportError
        )
    }
  }
}
