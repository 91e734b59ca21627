/** Dialogs about the folder of a workspace: where it is now, and to stop recording it. */
import { useEffect, useRef, useState } from 'react'
import type { Workspace } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import { useTask } from '../../client/use-task.ts'
import { ConfirmDialog, requireText, TextDialog } from '../../ui/confirm-dialog.tsx'

interface FolderDialogProps {
  readonly workspace: Workspace
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Asks with the host's folder dialog; in a browser, and after a folder that is refused, for the path. */
export function LocateDialog({ workspace, onDone, onClose }: FolderDialogProps) {
  const { client, platform } = useDriftline()
  const { problem, run } = useTask()
  const [asksHost, setAsksHost] = useState(platform.chooseFolder !== undefined)
  const asked = useRef(false)
  const locate = (folder: string) => client.call('workspaces.locate', { workspace: workspace.id, folder }).then(onDone)
  const askHost = async () => {
    const folder = await platform.chooseFolder?.()
    return folder ? locate(folder) : onClose()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the host's dialog opens once.
  useEffect(() => {
    if (!asksHost || asked.current) return
    asked.current = true
    void run(askHost).then((done) => done || setAsksHost(false))
  }, [])
  if (asksHost) return null
  return (
    <TextDialog
      title={`Where is ${workspace.name} now?`}
      text="Its history continues in the new folder. Driftline compares the folder with the history and writes nothing to it."
      label="Folder path"
      placeholder={workspace.root}
      initial={workspace.root}
      confirmLabel="Use this folder"
      invalidReason={requireText}
      problem={problem}
      onConfirm={(folder) => void run(() => locate(folder))}
      onClose={onClose}
    />
  )
}

export function StopRecordingDialog({ workspace, onDone, onClose }: FolderDialogProps) {
  const { client } = useDriftline()
  const { problem, run } = useTask()
  const stop = () => client.call('workspaces.remove', { workspace: workspace.id, deleteHistory: false }).then(onDone)
  return (
    <ConfirmDialog
      title={`Stop recording ${workspace.name}?`}
      confirmLabel="Stop recording"
      problem={problem}
      onConfirm={() => void run(stop)}
      onClose={onClose}
    >
      <p>
        The folder is removed from the list; its files do not change. Its history is kept and returns when you add the
        folder again. To delete the history, go to Settings, Privacy.
      </p>
    </ConfirmDialog>
  )
}
