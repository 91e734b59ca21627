/** The first screen: the drop zone, the recorded folders and the agents. */
import { useEffect, useState } from 'react'
import { type ErrorShape, toErrorShape } from '../../../contract/errors.ts'
import { hostOf } from '../../../contract/hosts.ts'
import { rebuiltListText, rebuiltSettingsText } from '../../../contract/words/folder-list.ts'
import { hostStateText } from '../../../contract/words/hosts.ts'
import { shortPath } from '../../../contract/words/paths.ts'
import type { WorkspaceSummary } from '../../../contract/workspace.ts'
import { useConnectionState, useDriftline } from '../../client/context.tsx'
import { HostScope } from '../../client/host-scope.tsx'
import { usePlaces } from '../../client/places.ts'
import { useCommandHere, useHome, useQuery } from '../../client/use-query.ts'
import { AppButtons } from '../../commands/app-buttons.tsx'
import { useCommandHub } from '../../commands/hub.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeText } from '../../ui/code-text.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FailedNotice } from '../../ui/failed-notice.tsx'
import { Mark } from '../../ui/icon.tsx'
import { useNow } from '../../ui/use-now.ts'
import { AgentChips } from '../agents/agent-chips.tsx'
import { RunCommand } from '../agents/run-command.tsx'
import { useAgents } from '../agents/use-agents.ts'
import { AppStatusBar } from '../status/status-bar.tsx'
import { useToasts } from '../toast/toasts.tsx'
import { LocateDialog, StopRecordingDialog } from '../workspace/folder-dialogs.tsx'
import type { Dropped } from './drop.ts'
import { DropZone, SafetyPromise } from './drop-zone.tsx'
import { ConnectStep, useFirstRun } from './first-run.tsx'
import { Nearby } from './nearby.tsx'
import { Recent } from './recent.tsx'
import { StoryPicture } from './story-picture.tsx'
import { type AddFolder, useAddFolder } from './use-add-folder.ts'
import { useIsUnreachable } from './use-is-unreachable.ts'

/** A folder to open, asked for on any screen: what was dropped on the window, or null to choose one. */
export interface FolderRequest {
  readonly dropped: Promise<Dropped | null> | null
}

export interface WelcomeScreenProps {
  /** Whether something is dragged over the window. */
  readonly dragging: boolean
  readonly request: FolderRequest | null
  readonly onRequestHandled: () => void
  readonly onOpen: (workspace: string) => void
}

/** With more recorded folders than this, others are not offered. */
const FEW = 2

interface FolderDialog {
  readonly view: typeof LocateDialog
  readonly workspace: WorkspaceSummary
}

export function WelcomeScreen({ dragging, request, onRequestHandled, onOpen }: WelcomeScreenProps) {
  const list = useQuery('workspaces.list', {})
  const agents = useAgents(null)
  const [begun, setBegun] = useState(false)
  const firstRun = useFirstRun(agents, begun)
  const adding = useAddFolder(onOpen, firstRun.on === true)
  const [dialog, setDialog] = useState<FolderDialog | null>(null)
  const { state } = adding
  const added = state.at === 'copying' || state.at === 'protected' ? state.workspace : null
  const connecting = firstRun.on ? added : null
  useEffect(() => setBegun(added !== null), [added])
  /** Opens the protected folder; a folder still being copied opens when its snapshot is complete. */
  const endFirstRun = () => {
    firstRun.end()
    if (state.at === 'protected') onOpen(state.workspace.id)
  }
  const openAdded = (id: string) => {
    if (connecting) firstRun.end()
    onOpen(id)
  }
  const closeDialog = () => setDialog(null)
  const choose = useFolderChoice(adding, request, onRequestHandled)
  const workspaces = list.data?.workspaces ?? []

  return (
    <div className="app welcome">
      <AppHead />
      <main className="work solo hello">
        <div className="story">
          <RebuiltListNotice />
          <Spine mode={dragging ? 'drag' : 'rest'} />
          <h1>
            See what your agents changed.
            <br />
            Undo any part.
          </h1>
          <section className="spot" aria-label="Open a folder">
            <i className="knot spot-knot" data-dragging={dragging || undefined} />
            <DropZone adding={adding} dragging={dragging} onChoose={() => void choose()} onOpen={openAdded} />
            {added ? null : <SafetyPromise />}
            <ConnectionNotice error={list.error} onRetry={list.refetch} />
          </section>
          {connecting ? <ConnectStep agents={agents} workspace={connecting} onSkip={endFirstRun} /> : null}
          {workspaces.length > 0 && !connecting ? (
            <Recent
              workspaces={workspaces}
              onOpen={onOpen}
              onLocate={(workspace) => setDialog({ view: LocateDialog, workspace })}
              onRemove={(workspace) => setDialog({ view: StopRecordingDialog, workspace })}
            />
          ) : null}
          {connecting ? null : (
            <HostFolders
              onOpen={onOpen}
              onRemove={(workspace) => setDialog({ view: StopRecordingDialog, workspace })}
            />
          )}
          {connecting || workspaces.length > FEW ? null : (
            <Nearby recorded={workspaces.map(({ root }) => root)} onAdd={adding.add} />
          )}
          {connecting ? null : <HostButtons />}
          {list.data && workspaces.length === 0 && !connecting ? <StoryPicture /> : null}
          {connecting ? null : <AgentsSection agents={agents.agents} />}
        </div>
      </main>
      <AppStatusBar />
      <RecordAllDialog adding={adding} />
      {dialog ? (
        <HostScope host={hostOf(dialog.workspace.id)}>
          <dialog.view
            workspace={dialog.workspace}
            onDone={() => {
              closeDialog()
              list.refetch()
            }}
            onClose={closeDialog}
          />
        </HostScope>
      ) : null}
    </div>
  )
}

interface HostFoldersProps {
  readonly onOpen: (workspace: string) => void
  readonly onRemove: (workspace: WorkspaceSummary) => void
}

/** The folders of each host, below its name. */
function HostFolders({ onOpen, onRemove }: HostFoldersProps) {
  const { hosts } = usePlaces()
  const now = useNow('minute')
  return hosts.map((place) => (
    <HostScope key={place.name} host={place.name}>
      <Recent
        title={place.name}
        about={hostStateText(place, now)}
        workspaces={place.workspaces}
        onOpen={onOpen}
        onLocate={onRemove}
        onRemove={onRemove}
      />
    </HostScope>
  ))
}

/** After the folders of this computer: a newcomer has no other. */
function HostButtons() {
  const { hosts } = usePlaces()
  const hub = useCommandHub()
  return (
    <section aria-label="Hosts" className="welcome-hosts">
      {hosts.length > 0 ? (
        <Button size="sm" icon="clock" onClick={() => hub.state().showToday()}>
          All hosts, today
        </Button>
      ) : null}
      <Button
        size="sm"
        kind="ghost"
        icon="link"
        className="welcome-host"
        onClick={() => hub.state().openSettings({ page: 'hosts' })}
      >
        {hosts.length > 0 ? 'Hosts…' : 'Add a host…'}
      </Button>
    </section>
  )
}

function AppHead() {
  return (
    <header className="head">
      <Mark />
      <b>Driftline</b>
      <span className="grow" />
      <AppButtons />
    </header>
  )
}

function AgentsSection({ agents }: { readonly agents: ReturnType<typeof useAgents>['agents'] }) {
  return (
    <section aria-label="Agents">
      <h2 className="label">Agents</h2>
      {agents ? <AgentChips agents={agents} /> : null}
      <p className="small welcome-run">
        Record any agent or command as one run: <RunCommand copy />
      </p>
    </section>
  )
}

/** Returns what chooses a folder: the system's dialog, or the path field. Handles requests from other screens. */
function useFolderChoice(adding: AddFolder, request: FolderRequest | null, onRequestHandled: () => void) {
  const { platform } = useDriftline()
  const choose = async () => {
    if (!platform.chooseFolder) return document.getElementById('folder-path')?.focus()
    const folder = await platform.chooseFolder()
    if (folder) adding.add(folder)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: each request is handled once.
  useEffect(() => {
    if (!request) return
    onRequestHandled()
    if (request.dropped) adding.dropped(request.dropped)
    else void choose()
  }, [request])
  return choose
}

/** Asks before a folder that is not a project, such as the home folder, is recorded. */
function RecordAllDialog({ adding }: { readonly adding: AddFolder }) {
  const home = useHome()
  const { state } = adding
  if (state.at !== 'asking') return null
  const isLost = state.error.code === 'HistoryLost'
  const folder = shortPath(state.folder, home)
  return (
    <ConfirmDialog
      title={
        isLost ? 'Continue without the lost history?' : `Record all of ${folder === '~' ? 'your home folder' : folder}?`
      }
      confirmLabel={isLost ? 'Start a new history' : 'Record it anyway'}
      onConfirm={() => adding.add(state.folder, true)}
      onClose={adding.reset}
    >
      <p>{state.error.message}</p>
    </ConfirmDialog>
  )
}

/** [ST-6] */
function RebuiltListNotice() {
  const { client } = useDriftline()
  const toasts = useToasts()
  const list = useQuery('host.state', {}).data?.rebuiltList
  if (!list) return null
  const { lead, rest } = rebuiltListText(list)
  const confirm = () =>
    client.call('workspaces.confirmList', {}).catch((error: unknown) => {
      toasts.show({ id: 'list', icon: 'warn', text: toErrorShape(error).message })
    })
  return (
    <section className="notice welcome-notice" data-tone="warn" aria-label="Notice">
      <span className="grow">
        <b>{lead}</b>
        {rest} {rebuiltSettingsText(list)}
      </span>
      <Button size="sm" onClick={() => void confirm()}>
        OK
      </Button>
    </section>
  )
}

const OLD_ADDRESS =
  'This tab has an old address: Driftline was restarted. Nothing recorded is lost. Run `driftline open` in a terminal, or open the address it printed.'

/** `error`: why the list of folders could not be loaded. */
function ConnectionNotice({ error, onRetry }: { readonly error: ErrorShape | null; readonly onRetry: () => void }) {
  const { connection, platform } = useDriftline()
  const { generation, refused } = useConnectionState()
  const command = useCommandHere()
  if (!useIsUnreachable())
    return error ? <FailedNotice error={error} className="welcome-notice" onRetry={onRetry} /> : null
  if (refused)
    return (
      <p className="notice welcome-notice" data-tone="warn" role="alert">
        <span className="grow">
          <CodeText text={OLD_ADDRESS} command={command} />
        </span>
      </p>
    )
  const address =
    generation === 0 && platform.kind === 'browser'
      ? 'Open the address that `driftline serve` printed, including its token. '
      : ''
  return (
    <p className="notice welcome-notice" data-tone="warn" role="alert">
      <span className="grow">
        Not connected to the recorder. <CodeText text={address} command={command} />
        Nothing recorded is lost.
      </span>
      <Button size="sm" onClick={connection.retry}>
        Retry
      </Button>
    </p>
  )
}

/** Decoration: a line that bends while a folder is dragged. */
function Spine({ mode }: { readonly mode: 'rest' | 'drag' }) {
  return (
    <svg className="spine" aria-hidden="true">
      {mode === 'rest' ? (
        <line x1="18" x2="18" y2="100%" />
      ) : (
        <>
          <line x1="18" x2="18" y2="96" />
          <line x1="18" x2="18" y1="312" y2="100%" />
          <path className="spine-off" d="M18 100V310" />
          <path className="spine-on" d="M18 96C18 156 48 146 48 204S18 252 18 312" />
        </>
      )}
    </svg>
  )
}
