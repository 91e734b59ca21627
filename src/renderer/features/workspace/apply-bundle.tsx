/** Applies the run of a review to a recorded folder: an ordinary preview there, and where it ended. */
import type { RestoreResult } from '../../../contract/restore.ts'
import { outcomeText } from '../../../contract/words/restores.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { useOpenWorkspace } from '../../state/open-workspace.tsx'
import { useToasts } from '../toast/toasts.tsx'
import { RestoreDialog } from './restore-dialog.ts'

interface ApplyBundleProps {
  readonly target: Workspace
  readonly onClose: () => void
  readonly onSwitch: (workspace: string) => void
}

/** The preview of an ordinary restore, in the chosen folder. */
export function ApplyBundle({ target, onClose, onSwitch }: ApplyBundleProps) {
  const { workspace } = useOpenWorkspace()
  const toasts = useToasts()
  const request = { kind: 'apply', bundle: workspace.id } as const
  const done = (result: RestoreResult) => {
    onClose()
    toasts.show({
      id: 'restore',
      icon: result.state === 'done' ? 'check' : 'warn',
      text: `${target.name}: ${outcomeText(result, request)}`,
      action: { label: `Open ${target.name}`, run: () => onSwitch(target.id) }
    })
  }
  return <RestoreDialog workspace={target.id} request={request} onClose={onClose} onDone={done} onQueued={onClose} />
}
