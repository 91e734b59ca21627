/** What the buttons of the banners do. */
import type { RestoreResult } from '../../../contract/restore.ts'
import { decidedText } from '../../../contract/words/brake.ts'
import { useDriftline } from '../../client/context.tsx'
import { useCommandHub } from '../../commands/hub.tsx'
import { useOpenWorkspace } from '../../state/open-workspace.tsx'
import { useToasts } from '../toast/toasts.tsx'
import type { BannerAction } from './banner-parts.ts'

/** Does what a button of a banner says. */
export function useBannerActions(onSwitch: (workspace: string) => void): (action: BannerAction) => void {
  const { workspace, store, actions } = useOpenWorkspace()
  const { client, connection, platform } = useDriftline()
  const hub = useCommandHub()
  const toasts = useToasts()
  const decide = useBrakeDecision()
  const restoreRepository = useRestoreRepository()
  const record = (folder: string) =>
    void client.call('workspaces.add', { folder, wait: false }).catch(actions.reportError)
  return (action) => {
    switch (action.do) {
      case 'restore-repository':
        return void restoreRepository(action.name)
      case 'brake':
        return void decide(action)
      case 'retry':
        return connection.retry()
      case 'hosts':
        return hub.state().openSettings({ page: 'hosts' })
      case 'copy-details':
        return actions.copy(JSON.stringify({ connection: connection.state(), host: platform.kind }, null, 2))
      case 'copy-text':
        actions.copy(action.text)
        return toasts.show({ id: 'copy', icon: 'check', text: 'Copied. Run it in a terminal to resume.' })
      case 'open':
        return store.setState({ dialog: action.dialog })
      case 'preview':
        return actions.openPreview(action.request)
      case 'review':
        return actions.reviewEntry(action.entry)
      case 'accept':
        return actions.accept(action.drift)
      case 'unqueue':
        return actions.cancelQueued(action.queued)
      case 'cancel-search':
        return void client.call('bisect.cancel', { workspace: workspace.id }).catch(actions.reportError)
      case 'dismiss-search':
        return void client.call('bisect.dismiss', { workspace: workspace.id }).catch(actions.reportError)
      case 'tell-agent':
        return actions.commentOnRun(action)
      case 'pin-position':
        return actions.pin(action.label, action.target)
      case 'watch':
        return actions.setWatching(true)
      case 'confirm-list':
        return void client.call('workspaces.confirmList', {}).catch(actions.reportError)
      case 'finish-copy':
        return record(workspace.root)
      case 'worktrees':
        return void client
          .call('settings.set', { key: `git.worktrees/${workspace.id}`, value: action.mode })
          .catch(actions.reportError)
      case 'switch':
        return onSwitch(action.workspace)
      case 'record':
        action.folders.forEach(record)
        return toasts.show({ id: 'record', icon: 'check', text: 'Recording started. Creating the initial snapshot…' })
    }
  }
}

/** Decides what the brake asks: a restore that needs a review is opened. */
function useBrakeDecision() {
  const { workspace, actions } = useOpenWorkspace()
  const { client } = useDriftline()
  const toasts = useToasts()
  return async ({ run, decision }: BannerAction & { readonly do: 'brake' }): Promise<void> => {
    try {
      const call = { workspace: workspace.id, run }
      let done: RestoreResult | null = null
      if (decision === 'restore') done = (await client.call('brake.restore', { ...call, dryRun: false })).result
      else await client.call('brake.decide', { ...call, decision })
      if (done && done.state !== 'done' && done.state !== 'nothing-to-do') return actions.reviewEntry(done.restore)
      const files = done?.items.filter(({ action }) => action !== 'mkdir').length ?? 0
      toasts.show({ id: 'brake', icon: 'check', text: decidedText(decision, files) })
    } catch (error) {
      actions.reportError(error)
    }
  }
}

/** Restores a saved git repository; the toast offers to undo it. */
function useRestoreRepository() {
  const { workspace, actions } = useOpenWorkspace()
  const { client, queries } = useDriftline()
  const toasts = useToasts()
  return async (name: string): Promise<void> => {
    const call = { workspace: workspace.id }
    // Git's own state is no part of the log: no change of it is reported.
    const refresh = () => queries.repeat(['workspace.status', { ...call, check: false }])
    const undo = () => void client.call('git.undo', call).then(refresh).catch(actions.reportError)
    try {
      await client.call('git.restore', { ...call, names: [name], all: false, dryRun: false })
      refresh()
      const text = 'The git repository was restored.'
      toasts.show({ id: 'git', icon: 'check', text, action: { label: 'Undo', run: undo } })
    } catch (error) {
      actions.reportError(error)
    }
  }
}
