/** The header of an open workspace: its name, recording state, search, undo, settings and help. */
import { clockText, hostStateText } from '../../../contract/words/hosts.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { shortPath } from '../../../contract/words/paths.ts'
import type { WorkspaceSummary } from '../../../contract/workspace.ts'
import { useConnectionState, useDriftline } from '../../client/context.tsx'
import { usePlaces } from '../../client/places.ts'
import { useHome } from '../../client/use-query.ts'
import { AppButtons } from '../../commands/app-buttons.tsx'
import { useCommandHub } from '../../commands/hub.tsx'
import { isDrawerOpen, undoUnavailable } from '../../state/derived.ts'
import { useActions, useOpenWorkspace, useWorkspaceFields, useWorkspaceState } from '../../state/open-workspace.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon, Mark } from '../../ui/icon.tsx'
import { showKeys } from '../../ui/keys.ts'
import { MenuButton, type MenuEntry } from '../../ui/menu.tsx'
import { useNow } from '../../ui/use-now.ts'
import { RecordingPill, recordingIndicator } from '../status/recording-pill.tsx'

interface HeaderProps {
  readonly onSwitch: (workspace: string) => void
  readonly onHome: () => void
}

export function Header({ onSwitch, onHome }: HeaderProps) {
  const { workspace, actions } = useOpenWorkspace()
  const { host } = useDriftline()
  const home = useHome()
  const places = usePlaces()
  const place = places.hosts.find(({ name }) => name === host)
  const offset = -new Date().getTimezoneOffset()
  const hub = useCommandHub()
  const branch = useWorkspaceState(({ status }) => status?.branch ?? '')
  const hasDrawer = useWorkspaceState(({ layout }) => layout === 'medium')
  const drawer = useWorkspaceState(isDrawerOpen)
  const hasNear = (places.local ?? []).length + places.reviews.length > 0
  return (
    <header className="head">
      <Mark />
      {hasDrawer ? (
        <IconButton
          icon="sidebar"
          label={drawer ? 'Hide timeline' : 'Show timeline'}
          keys="Mod+B"
          aria-expanded={drawer}
          data-timeline-toggle
          onClick={actions.toggleTimeline}
        />
      ) : null}
      <MenuButton
        label="Switch folder"
        named
        className="switcher"
        items={[
          ...folderItems(places.local ?? [], { shown: workspace.id, home: host === null ? home : '', onSwitch }),
          ...places.reviews.map((review) => ({
            id: review.id,
            label: review.bundle?.title || review.name,
            about: `review of ${review.name}`,
            checked: review.id === workspace.id,
            run: () => onSwitch(review.id)
          })),
          ...places.hosts.flatMap((place, n): MenuEntry[] => [
            ...(n > 0 || hasNear ? (['separator'] as const) : []),
            { heading: place.name, about: hostStateText(place, Date.now()) },
            ...folderItems(place.workspaces, { shown: workspace.id, home: host === place.name ? home : '', onSwitch })
          ]),
          ...(places.all.length > 0 ? (['separator'] as const) : []),
          ...(places.hosts.length > 0
            ? [{ id: 'today', label: 'All hosts, today', icon: 'clock' as const, run: hub.state().showToday }]
            : []),
          { id: 'all', label: 'All folders…', icon: 'folder' as const, run: onHome },
          { id: 'hosts', label: 'Hosts…', icon: 'link', run: () => hub.state().openSettings({ page: 'hosts' }) }
        ]}
      >
        {host === null ? null : <span className="ell muted switcher-host">{host}</span>}
        <span className="ell">{workspace.name}</span> <Icon name="down" size="s" />
      </MenuButton>
      <div className="where">
        {branch ? (
          <>
            <Icon name="branch" size="s" label="Branch" />
            <span className="ell">{branch}</span>
          </>
        ) : null}
        <span className="ell wide-only" data-tip={workspace.root}>
          {[shortPath(workspace.root, home), clockText(place?.clock ?? null, offset)].filter(Boolean).join(' · ')}
        </span>
      </div>
      <span className="grow" />
      <WorkspacePill />
      <span className="head-line" />
      <AppButtons>
        <UndoRestoreButton />
      </AppButtons>
    </header>
  )
}

interface FolderItemsOptions {
  readonly shown: string
  /** "" where it is not known. */
  readonly home: string
  readonly onSwitch: (workspace: string) => void
}

function folderItems(
  workspaces: readonly WorkspaceSummary[],
  { shown, home, onSwitch }: FolderItemsOptions
): MenuEntry[] {
  return workspaces.map((summary) => ({
    id: summary.id,
    label: summary.name,
    about: aboutFolder(summary, home),
    checked: summary.id === shown,
    run: () => onSwitch(summary.id)
  }))
}

/** The path, which differs where names are equal, and the state of the folder. */
function aboutFolder({ root, live, openDrift }: WorkspaceSummary, home: string): string {
  const outside = openDrift > 0 ? plural(openDrift, 'outside change') : ''
  return [shortPath(root, home), live ? 'live' : '', outside].filter(Boolean).join(' · ')
}

function UndoRestoreButton() {
  const actions = useActions()
  const title = useWorkspaceState(({ status }) => status?.undo?.title)
  const unavailable = useWorkspaceState(undoUnavailable)
  return (
    <Button
      kind="ghost"
      icon="undo"
      className="undo-restore"
      data-tip={title === undefined ? undefined : `Undo last restore: ${title}`}
      data-tip-keys={showKeys('Mod+Z')}
      disabledReason={unavailable}
      onClick={() => actions.undoOrRedo('undo')}
    >
      Undo restore
    </Button>
  )
}

/** The recording state; shows how long a run has been working. */
function WorkspacePill() {
  const { store, actions } = useOpenWorkspace()
  const connection = useConnectionState()
  const { status, offline } = useWorkspaceFields('status', 'offline')
  const showsTime = connection.downSince !== null || (status?.activeRuns.length ?? 0) > 0
  const now = useNow(showsTime ? 'second' : 'never')
  const watching =
    status && status.host.watching !== 'off' ? { on: status.host.watching === 'on', set: actions.setWatching } : null
  return (
    <RecordingPill
      indicator={recordingIndicator(status, connection, now)}
      offline={offline}
      watching={watching}
      onCheck={actions.check}
      onCoverage={() => store.setState({ dialog: 'coverage' })}
    />
  )
}
