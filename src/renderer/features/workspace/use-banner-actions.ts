/** Runs the actions of banners. */
import { useDriftline } from '../../client/context.tsx'
import type { BannerAction } from '../banners/banners.ts'
import { useToasts } from '../toast/toasts.tsx'
import { useOpenWorkspace } from './state/context.tsx'
import type { WorkspaceDialog } from './state/store.ts'

export function useBannerActions(): (action: BannerAction) => void {
  const { workspace, store, actions } = useOpenWorkspace()
  const { client, connection, platform } = useDriftline()
  const toasts = useToasts()

  const open = (dialog: WorkspaceDialog) => store.setState({ dialog })
  const locate = async (): Promise<void> => {
    if (!platform.chooseFolder) return open('locate')
    const folder = await platform.chooseFolder()
    if (folder) await client.call('workspaces.locate', { workspace: workspace.id, folder })
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
        return void locate().catch(actions.reportError)
      case 'remove':
        return open('remove')
      case 'recover-finish':
        return actions.openPreview({ kind: 'recover', how: 'finish' })
      case 'recover-undo':
        return actions.openPreview({ kind: 'recover', how: 'undo' })
      case 'show-coverage':
        return open('coverage')
      case 'finish-copy':
        return void client.call('workspaces.add', { folder: workspace.root, wait: false }).catch(actions.reportError)
      case 'record':
        for (const folder of action.folders)
          void client.call('workspaces.add', { folder, wait: false }).catch(actions.reportError)
        return toasts.show({ id: 'record', icon: 'check', text: 'Recording started. Creating the initial snapshot…' })
      case 'watch':
        return actions.setWatching(true)
      case 'review-drift':
        return actions.reviewEntry(action.drift)
      case 'review-run':
        return actions.reviewEntry(action.run)
      case 'undo-run':
        return actions.openPreview({ kind: 'undo-run', run: action.run })
      case 'review-restore':
        return actions.reviewEntry(action.restore)
      case 'accept-drift':
        return actions.accept(action.drift)
      case 'undo-drift':
        return actions.openPreview({ kind: 'drift', drift: action.drift })
    }
  }
}

function copy(text: string): void {
  void navigator.clipboard?.writeText(text)
}
