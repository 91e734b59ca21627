/** The first screen: the drop zone, the recorded folders and the agents. */

import { useCallback, useEffect, useState } from 'react'
import { toErrorShape } from '../../../contract/errors.ts'
import { shortPath } from '../../../contract/words/paths.ts'
import type { WorkspaceSummary } from '../../../contract/workspace.ts'
import { SettingsButton } from '../../app/settings-button.tsx'
import { useConnectionState, useDriftline } from '../../client/context.tsx'
import { useQuery } from '../../client/use-query.ts'
import { useCommandHub } from '../../commands/hub.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { FailedNotice } from '../../ui/failed-notice.tsx'
import { Mark } from '../../ui/icon.tsx'
import { requireText, TextDialog } from '../../ui/text-dialog.tsx'
import { useNow } from '../../ui/use-now.ts'
import { AgentChips } from '../agents/agent-chips.tsx'
import { useAgents } from '../agents/use-agents.ts'
import { SearchButton } from '../workspace/header.tsx'
import { ConnectStep } from './connect-step.tsx'
import type { Dropped } from './drop.ts'
import { DropZone, SafetyPromise } from './drop-zone.tsx'
import { Recent } from './recent.tsx'
import { Spine } from './spine.tsx'
import { useAddFolder } from './use-add-folder.ts'
import { useFirstRun } from './use-first-run.ts'

interface WelcomeScreenProps {
  readonly home: string
  readonly version: string
  /** Whether something is dragged over the window. */
  readonly dragging: boolean
  /** What was dropped on the window, on this or the previous screen. */
  readonly dropped: Promise<Dropped | null> | null
  readonly onDropHandled: () => void
  readonly onOpen: (workspace: string) => void
  /** "Open a folder" was run: ask for a folder when this screen appears. */
  readonly folderRequested: boolean
  readonly onFolderRequestHandled: () => void
}

interface FolderDialog {
  readonly kind: 'locate' | 'remove'
  readonly workspace: WorkspaceSummary
}

const RUN_COMMAND = 'driftline run -- your-agent'
/** Shorter interruptions are not shown. */
const DISCONNECTED_MS = 2000

export function WelcomeScreen({
  home,
  version,
  dragging,
  dropped,
  onDropHandled,
  onOpen,
  folderRequested,
  onFolderRequestHandled
}: WelcomeScreenProps) {
  const { client, connection, platform } = useDriftline()
  const hub = useCommandHub()
  const connectionState = useConnectionState()
  const now = useNow(connectionState.phase !== 'open')
  const list = useQuery('workspaces.list', {})
  const agents = useAgents(null)
  const [begun, setBegun] = useState(false)
  const firstRun = useFirstRun(agents, begun)
  const adding = useAddFolder(
    useCallback((id: string) => onOpen(id), [onOpen]),
    firstRun.on
  )
  const [dialog, setDialog] = useState<FolderDialog | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const { state } = adding
  const added = state.at === 'copying' || state.at === 'protected' ? state.workspace : null
  const connecting = added && firstRun.on ? added : null
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
  const close = () => {
    setDialog(null)
    setProblem(null)
  }
  const report = (error: unknown) => setProblem(toErrorShape(error).message)
  const locateAt = (workspace: WorkspaceSummary, folder: string) =>
    client.call('workspaces.locate', { workspace: workspace.id, folder }).then(() => {
      close()
      list.refetch()
    }, report)
  const remove = (workspace: WorkspaceSummary) =>
    client.call('workspaces.remove', { workspace: workspace.id, deleteHistory: false }).then(() => {
      close()
      list.refetch()
    }, report)
  const locate = async (workspace: WorkspaceSummary) => {
    const folder = platform.chooseFolder ? await platform.chooseFolder() : null
    if (folder) await locateAt(workspace, folder)
    else if (!platform.chooseFolder) setDialog({ kind: 'locate', workspace })
  }
  const choose = async () => {
    if (!platform.chooseFolder) {
      document.getElementById('folder-path')?.focus()
      return
    }
    const folder = await platform.chooseFolder()
    if (folder) adding.add(folder)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: each drop is handled once.
  useEffect(() => {
    if (!dropped) return
    onDropHandled()
    adding.dropped(dropped)
  }, [dropped])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each command is handled once.
  useEffect(() => {
    if (!folderRequested) return
    onFolderRequestHandled()
    void choose()
  }, [folderRequested])
  const down = connectionState.downSince !== null && now - connectionState.downSince >= DISCONNECTED_MS
  const workspaces = list.data?.workspaces ?? []

  return (
    <div className="app welcome">
      <header className="head">
        <Mark />
        <b>Driftline</b>
        <span className="grow" />
        <SearchButton onPalette={() => hub.state().openPalette()} />
        <SettingsButton />
        <IconButton icon="help" label="Keyboard shortcuts" keys="?" onClick={() => hub.state().openHelp()} />
      </header>
      <main className="work solo hello">
        <div className="story">
          <Spine mode={dragging ? 'drag' : 'rest'} />
          <h1>
            See what your agents changed.
            <br />
            Undo any part.
          </h1>
          <section className="spot" aria-label="Open a folder">
            <i className={dragging ? 'knot now out' : 'knot now'} />
            <DropZone
              adding={adding}
              dragging={dragging}
              home={home}
              onChoose={() => void choose()}
              onOpen={openAdded}
            />
            {added ? null : <SafetyPromise />}
            {down ? (
              <p className="notice warn welcome-notice" role="alert">
                <span className="grow">
                  Not connected to the recorder.{' '}
                  {connectionState.generation === 0 && platform.kind === 'browser'
                    ? 'Open the address that driftline serve printed, including its token. '
                    : ''}
                  Nothing recorded is lost.
                </span>
                <Button size="sm" onClick={connection.retry}>
                  Retry
                </Button>
              </p>
            ) : null}
            {list.error && !down ? (
              <FailedNotice error={list.error} className="welcome-notice" onRetry={list.refetch} />
            ) : null}
          </section>
          {connecting ? <ConnectStep agents={agents} workspace={connecting} home={home} onSkip={endFirstRun} /> : null}
          {workspaces.length > 0 && !connecting ? (
            <Recent
              workspaces={workspaces}
              home={home}
              onOpen={onOpen}
              onLocate={(workspace) => void locate(workspace)}
              onRemove={(workspace) => setDialog({ kind: 'remove', workspace })}
            />
          ) : null}
          {connecting ? null : (
            <section aria-label="Agents">
              <h2 className="label">Agents</h2>
              {agents.agents ? (
                <AgentChips
                  agents={agents.agents}
                  onOpen={(agent) => hub.state().openSettings({ page: 'agents', ...(agent ? { agent } : {}) })}
                />
              ) : null}
              <p className="small welcome-run">
                Record any agent or command as one run: <code className="mono">{RUN_COMMAND}</code>
                <CopyButton label="Copy" text={RUN_COMMAND} kind="ghost" />
              </p>
            </section>
          )}
        </div>
      </main>
      <footer className="status">
        <span>Driftline {version}</span>
        <span className="grow" />
        <span>Everything stays on this computer</span>
      </footer>
      {state.at === 'asking' ? (
        <ConfirmDialog
          title={`Record all of ${shortPath(state.folder, home)}?`}
          confirmLabel="Record it anyway"
          onConfirm={() => adding.add(state.folder, true)}
          onClose={adding.reset}
        >
          <p>{state.error.message}</p>
        </ConfirmDialog>
      ) : null}
      {dialog ? (
        <FolderDialogView
          {...dialog}
          problem={problem}
          onLocate={(folder) => void locateAt(dialog.workspace, folder)}
          onRemove={() => void remove(dialog.workspace)}
          onClose={close}
        />
      ) : null}
    </div>
  )
}

interface FolderDialogViewProps extends FolderDialog {
  /** Why the last attempt failed. */
  readonly problem: string | null
  readonly onLocate: (folder: string) => void
  readonly onRemove: () => void
  readonly onClose: () => void
}

/** Locates or removes a workspace whose folder is missing. */
function FolderDialogView({ kind, workspace, problem, onLocate, onRemove, onClose }: FolderDialogViewProps) {
  if (kind === 'locate') {
    return (
      <TextDialog
        title={`Where is ${workspace.name} now?`}
        text="Its history continues in the new folder. Nothing is written there."
        label="Folder path"
        placeholder={workspace.root}
        initial={workspace.root}
        confirmLabel="Use this folder"
        invalidReason={requireText}
        problem={problem}
        onConfirm={onLocate}
        onClose={onClose}
      />
    )
  }
  return (
    <ConfirmDialog
      title={`Remove ${workspace.name} from the list?`}
      confirmLabel="Remove from list"
      problem={problem}
      onConfirm={onRemove}
      onClose={onClose}
    >
      <p>Its history is kept and returns when you add the folder again.</p>
    </ConfirmDialog>
  )
}
