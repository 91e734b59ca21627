/** Messages about what ended meanwhile: a run, a queued restore. */
import { useEffect } from 'react'
import { plural } from '../../../contract/words/numbers.ts'
import { queuedDoneText } from '../../../contract/words/queued-restores.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import { useOpenWorkspace } from '../../state/open-workspace.tsx'
import { announce } from '../../ui/live-region.tsx'
import { useToasts } from '../toast/toasts.tsx'

/** Announces the end of runs to screen readers; single edits are not announced. */
export function useRunAnnouncements(workspace: WorkspaceId): void {
  const { client } = useDriftline()
  useEffect(
    () =>
      client.on('run.ended', (run) => {
        if (run.workspace === workspace) announce(`“${run.title}” ended, ${plural(run.files, 'file')} changed.`)
      }),
    [client, workspace]
  )
}

/** Says that a queued restore was applied; one that is held is a banner. */
export function useQueuedRestores(workspace: WorkspaceId): void {
  const { client } = useDriftline()
  const { actions } = useOpenWorkspace()
  const toasts = useToasts()
  useEffect(
    () =>
      client.on('restore.queue-ended', ({ workspace: of, queued, state, files }) => {
        if (of !== workspace || state === 'held') return
        const undo = { label: 'Undo', keys: 'Mod+Z', run: () => actions.undoOrRedo('undo') }
        const text = queuedDoneText(queued, state !== 'partial', files)
        const icon = state === 'partial' ? 'warn' : 'check'
        toasts.show({ id: 'restore', icon, text, ...(files > 0 ? { action: undo } : {}) })
      }),
    [client, workspace, actions, toasts]
  )
}
