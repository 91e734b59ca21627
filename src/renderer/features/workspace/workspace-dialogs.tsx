/** The small dialogs of an open folder: coverage, pin, what restores wait for, a moved folder, stop recording. */
import { useState } from 'react'
import { toErrorShape } from '../../../contract/errors.ts'
import type { WorkspaceStatus } from '../../../contract/status.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import { Ask } from '../../ui/ask.tsx'
import { TextDialog, unlessEmpty } from '../../ui/text-dialog.tsx'
import { CoverageDialog } from '../status/coverage-dialog.tsx'
import { WaitsDialog } from '../status/waits-dialog.tsx'

export type SmallDialog = 'coverage' | 'pin' | 'waits' | 'locate' | 'forget'

interface WorkspaceDialogsProps {
  readonly open: SmallDialog | null
  readonly workspace: Workspace
  readonly status: WorkspaceStatus | null
  readonly onPin: (label: string) => void
  readonly onForgotten: () => void
  readonly onClose: () => void
}

export function WorkspaceDialogs(props: WorkspaceDialogsProps) {
  const { open, workspace, onPin, onForgotten, onClose } = props
  const { client } = useDriftline()
  const [problem, setProblem] = useState<string | null>(null)
  const report = (error: unknown) => setProblem(toErrorShape(error).message)
  const close = () => {
    setProblem(null)
    onClose()
  }
  switch (open) {
    case null:
      return null
    case 'coverage':
      return <CoverageDialog workspace={workspace.id} onClose={close} />
    case 'waits':
      return <WaitsDialog status={props.status} onClose={close} />
    case 'pin':
      return (
        <TextDialog
          title="Pin a checkpoint"
          text="What is on disk now gets a name in the timeline and is kept, and with it where a conversation that goes on stands."
          label="Name of the checkpoint"
          placeholder="Before the tax work"
          act="Pin"
          whyNot={() => null}
          onAct={(label) => {
            close()
            onPin(label)
          }}
          onClose={close}
        />
      )
    case 'locate':
      return (
        <TextDialog
          title={`Where is ${workspace.name} now?`}
          text="Its history goes on at the new place. The folder there is compared with what is recorded; nothing is written."
          label="Path of the folder"
          placeholder={workspace.root}
          initial={workspace.root}
          act="Use this folder"
          whyNot={unlessEmpty}
          problem={problem}
          onAct={(folder) => {
            client.call('workspaces.locate', { workspace: workspace.id, folder }).then(close, report)
          }}
          onClose={close}
        />
      )
    case 'forget':
      return (
        <Ask
          title={`Stop recording ${workspace.name}?`}
          act="Stop recording"
          problem={problem}
          onAct={() => {
            client
              .call('workspaces.remove', { workspace: workspace.id, deleteHistory: false })
              .then(onForgotten, report)
          }}
          onClose={close}
        >
          <p>The folder leaves the list. What was recorded is kept and comes back when the folder is added again.</p>
        </Ask>
      )
  }
}
