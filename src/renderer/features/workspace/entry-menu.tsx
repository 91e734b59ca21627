/** The menu of the entry bar. */
import { runItems } from '../../commands/run-items.ts'
import { commandLineId, isLiveRun, runIdOf, sessionIdOf } from '../../model/row-targets.ts'
import type { SelectableRow } from '../../model/timeline-rows.ts'
import { isFollowing } from '../../state/derived.ts'
import { useOpenWorkspace, useWorkspaceFields, useWorkspaceState } from '../../state/open-workspace.tsx'
import type { WorkspaceDialog } from '../../state/store.ts'
import { Icon } from '../../ui/icon.tsx'
import { MenuButton, type MenuEntry } from '../../ui/menu.tsx'

interface EntryMenuProps {
  readonly node: SelectableRow
  readonly offline: string | null
  readonly isReview: boolean
}

/** What else can be done with the selected row. */
export function EntryMenu({ node, offline: given, isReview }: EntryMenuProps) {
  const { store, actions } = useOpenWorkspace()
  const { live, layout } = useWorkspaceFields('live', 'layout')
  const follows = useWorkspaceState(isFollowing)
  const session = isReview ? null : sessionIdOf(node)
  // What only reads works in a review, too.
  const offline = isReview ? null : given
  const pin = () => store.setState({ dialog: 'pin' })
  const copyId = () => actions.copy(commandLineId(node))
  const items: MenuEntry[] = [
    ...(isReview
      ? []
      : [
          { id: 'pin', label: 'Pin a checkpoint…', icon: 'pin' as const, keys: 'P', disabled: offline, run: pin },
          {
            id: 'bisect',
            label: 'Find the edit that broke it…',
            icon: 'search' as const,
            keys: 'B',
            disabled: offline,
            run: () => store.setState({ dialog: 'bisect' })
          }
        ]),
    { id: 'patch', label: 'Copy as patch', icon: 'copy', disabled: offline, run: actions.copyPatch }
  ]
  const runId = runIdOf(node)
  if (runId !== null) {
    items.unshift({
      id: 'replay',
      label: 'Replay',
      icon: 'play',
      keys: 'Alt+R',
      disabled: offline,
      run: actions.openReplay
    })
    const run = () => actions.copyReport(runId)
    items.push({ id: 'report', label: 'Copy as Markdown', icon: 'copy', disabled: offline, run })
    if (!isReview) {
      const open = (dialog: WorkspaceDialog) => store.setState({ dialog })
      const { describe, save } = runItems({ isLive: isLiveRun(node), offline, open })
      items.unshift(describe)
      items.push(save)
    }
  }
  if (session !== null) {
    const run = () => actions.copyResume(session)
    items.push({ id: 'resume', label: 'Copy resume command', icon: 'terminal', disabled: offline, run })
  }
  if (live && layout === 'tabs') {
    const label = follows ? 'Stop following edits' : 'Follow edits'
    items.unshift({ id: 'follow', label, icon: 'eye', run: () => actions.setFollow(!follows) })
  }
  items.push({ id: 'id', label: 'Copy ID', icon: 'link', run: copyId })
  return (
    <MenuButton label="More actions" align="right" items={items}>
      <Icon name="more" />
    </MenuButton>
  )
}
