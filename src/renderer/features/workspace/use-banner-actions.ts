/** Runs the actions of banners. */
import type { Workspace } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import type { BannerAction } from '../banners/banners.ts'
import { useToasts } from '../toast/toasts.tsx'
import type { Panes } from './use-panes.ts'
import type { RestoreActions } from './use-restore-actions.ts'
import type { WorkspaceModel } from './use-workspace.ts'
import type { WorkspaceDialog } from './workspace-dialogs.tsx'

interface Deps {
  readonly workspace: Workspace
  readonly model: WorkspaceModel
  readonly restoreActions: RestoreActions
  readonly panes: Panes
  readonly open: (dialog: WorkspaceDialog) => void
}

export function useBannerActions({ workspace, model, restoreActions, panes, open }: Deps): (act: BannerAction) => void {
  const { client, connection, platform } = useDriftline()
  const toasts = useToasts()

  const locate = async (): Promise<void> => {
    if (!platform.chooseFolder) return open('locate')
    const folder = await platform.chooseFolder()
    if (folder) await client.call('workspaces.locate', { workspace: workspace.id, folder })
  }
  const review = (entry: string) => {
    model.goTo({ entry })
    panes.goTo('files')
  }

  return (action) => {
    switch (action.do) {
      case 'retry':
        return connection.retry()
      case 'copy-details':
        return copy(JSON.stringify({ connection: connection.state(), host: platform.kind }, null, 2))
      case 'copy-text':
        copy(action.text)
        return toasts.show({ id: 'copy', icon: 'check', text: 'Copied. Run it in a terminal to resume.' })
      case 'locate':
        return void locate().catch(restoreActions.reportError)
      case 'remove':
        return open('remove')
      case 'recover-finish':
        return restoreActions.open({ kind: 'recover', how: 'finish' })
      case 'recover-undo':
        return restoreActions.open({ kind: 'recover', how: 'undo' })
      case 'show-coverage':
        return open('coverage')
      case 'finish-copy':
        return void client
          .call('workspaces.add', { folder: workspace.root, wait: false })
          .catch(restoreActions.reportError)
      case 'record':
        for (const folder of action.folders)
          void client.call('workspaces.add', { folder, wait: false }).catch(restoreActions.reportError)
        return toasts.show({ id: 'record', icon: 'check', text: 'Recording started. Creating the initial snapshot…' })
      case 'watch':
        return restoreActions.setWatching(true)
      case 'review-drift':
        return review(action.drift)
      case 'review-run':
        return review(action.run)
      case 'undo-run':
        return restoreActions.open({ kind: 'undo-run', run: action.run })
      case 'review-restore':
        return review(action.restore)
      case 'accept-drift':
        return restoreActions.accept(action.drift)
      case 'undo-drift':
        return restoreActions.open({ kind: 'drift', drift: action.drift })
    }
  }
}

function copy(text: string): void {
  void navigator.clipboard?.writeText(text)
}
