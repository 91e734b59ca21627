/** What the buttons of a banner do. */
import type { Workspace } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import type { BannerAct } from '../banners/banners.ts'
import { useToasts } from '../toast/toasts.tsx'
import type { Panes } from './use-panes.ts'
import type { WorkspaceModel } from './use-workspace.ts'
import type { Writes } from './use-writes.ts'
import type { SmallDialog } from './workspace-dialogs.tsx'

interface Deps {
  readonly workspace: Workspace
  readonly model: WorkspaceModel
  readonly writes: Writes
  readonly panes: Panes
  readonly open: (dialog: SmallDialog) => void
}

export function useBannerActs({ workspace, model, writes, panes, open }: Deps): (act: BannerAct) => void {
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

  return (act) => {
    switch (act.do) {
      case 'retry':
        return connection.retry()
      case 'copy-details':
        return copy(JSON.stringify({ connection: connection.state(), host: platform.kind }, null, 2))
      case 'copy-text':
        copy(act.text)
        return toasts.show({ id: 'copy', icon: 'check', text: 'Copied. Run it in a terminal to continue.' })
      case 'locate':
        return void locate().catch(writes.failed)
      case 'forget':
        return open('forget')
      case 'recover-finish':
        return writes.open({ kind: 'recover', how: 'finish' })
      case 'recover-undo':
        return writes.open({ kind: 'recover', how: 'undo' })
      case 'show-coverage':
        return open('coverage')
      case 'finish-copy':
        return void client.call('workspaces.add', { folder: workspace.root, wait: false }).catch(writes.failed)
      case 'record':
        for (const folder of act.folders)
          void client.call('workspaces.add', { folder, wait: false }).catch(writes.failed)
        return toasts.show({ id: 'record', icon: 'check', text: 'Recorded from now on. The first copy is under way.' })
      case 'watch':
        return writes.watch(true)
      case 'review-drift':
        return review(act.drift)
      case 'review-run':
        return review(act.run)
      case 'undo-run':
        return writes.open({ kind: 'undo-run', run: act.run })
      case 'review-restore':
        return review(act.restore)
      case 'accept-drift':
        return writes.accept(act.drift)
      case 'put-back':
        return writes.open({ kind: 'drift', drift: act.drift })
    }
  }
}

function copy(text: string): void {
  void navigator.clipboard?.writeText(text)
}
