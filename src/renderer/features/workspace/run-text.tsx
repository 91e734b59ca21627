/** Below the title of a run: the prompt of one that a person named, and their note. */
import type { RunEntry } from '../../../contract/timeline.ts'
import { useOpenWorkspace, useWorkspaceState } from '../../state/open-workspace.tsx'
import { IconButton } from '../../ui/button.tsx'

export function RunText({ run }: { readonly run: RunEntry }) {
  const { workspace, store } = useOpenWorkspace()
  const offline = useWorkspaceState((state) => state.offline)
  const { label, prompt, userNote } = run
  if (label === '' && userNote === '') return null
  return (
    <section className="notice run-words" aria-label="Prompt and note">
      <span className="run-text grow">
        {label === '' || prompt === '' ? null : (
          <span className="muted">
            Prompt: <q dir="auto">{prompt}</q>
          </span>
        )}
        {userNote === '' ? null : <span dir="auto">{userNote}</span>}
      </span>
      {workspace.bundle ? null : (
        <IconButton
          size="sm"
          iconSize="s"
          icon="pencil"
          label="Edit name and note"
          disabledReason={offline}
          onClick={() => store.setState({ dialog: 'describe' })}
        />
      )}
    </section>
  )
}
