/** Everything that changes the disk or the log from this screen, with the words that follow. */
import { useCallback, useState } from 'react'
import { toErrorShape } from '../../../contract/errors.ts'
import type { RestoreRequest, RestoreResult } from '../../../contract/restore.ts'
import type { WorkspaceStatus } from '../../../contract/status.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import { baseName, plural } from '../../ui/format.ts'
import { announce } from '../../ui/live-region.tsx'
import { useToasts } from '../toast/toasts.tsx'
import { outcomeText } from './outcome-words.ts'

export interface RestoreActions {
  /** The act whose preview is open. */
  readonly preview: RestoreRequest | null
  open(act: RestoreRequest): void
  close(): void
  done(result: RestoreResult): void
  /** Undo or redo: at once when the disk is untouched since, otherwise with the preview. */
  undoOrRedo(kind: 'undo' | 'redo'): void
  /** Leaves what changed outside as it is: all of it, or one path. */
  accept(drift: string, path?: string): void
  check(): void
  /** Starts or stops watching all folders. */
  setWatching(on: boolean): void
  pin(label: string): void
  /** Why there is nothing to undo or redo; null when there is, or when only the engine can know yet. */
  readonly undoUnavailable: string | null
  readonly redoUnavailable: string | null
  /** Copies the command that goes on with a conversation from where it stands. */
  copyResume(session: string): void
  /** Says what went wrong with something else on this screen. */
  reportError(error: unknown): void
}

export function useRestoreActions(
  workspace: WorkspaceId,
  status: WorkspaceStatus | null,
  refreshStatus: () => void
): RestoreActions {
  const { client } = useDriftline()
  const toasts = useToasts()
  const [preview, show] = useState<RestoreRequest | null>(null)
  // A message about the last restore must not lie over the next preview.
  const setPreview = useCallback(
    (act: RestoreRequest | null) => {
      if (act) toasts.hide('restore')
      show(act)
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
      // A plan that went stale between the two calls is looked at instead of tried again.
      if (toErrorShape(error).code === 'PlanStale') setPreview({ kind })
      else reportError(error)
    }
  }

  // The status on screen lags behind what was just written, so it is asked for; until then the engine decides.
  const [settling, setSettling] = useState(0)
  const [fresh, setFresh] = useState<WorkspaceStatus | null>(null)
  const settle = () => {
    setSettling((n) => n + 1)
    client
      .call('workspace.status', { workspace, check: false })
      .then(setFresh, refreshStatus)
      .finally(() => setSettling((n) => n - 1))
  }
  const newest = fresh && (!status || fresh.rev > status.rev) ? fresh : status
  const done = (result: RestoreResult, act: RestoreRequest | null = preview) => {
    setPreview(null)
    settle()
    const text = outcomeText(result, act)
    const redo = act?.kind === 'undo'
    const wrote = result.state === 'done' || result.state === 'partial'
    toasts.show({
      id: 'restore',
      icon: result.state === 'done' ? 'check' : 'warn',
      text,
      ...(wrote
        ? {
            act: redo
              ? { label: 'Redo', keys: 'Mod+Shift+Z', run: () => void step('redo') }
              : { label: 'Undo', keys: 'Mod+Z', run: () => void step('undo') }
          }
        : {})
    })
    if (result.state === 'partial' || result.state === 'failed') announce(text, 'assertive')
  }

  return {
    reportError,
    undoUnavailable: newest?.undo || settling > 0 ? null : 'no restore to undo',
    redoUnavailable: newest?.redo || settling > 0 ? null : 'no undo to redo',
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
