/** Names a run, and takes a note about it. */
import { useId, useState } from 'react'
import type { RunEntry } from '../../../contract/timeline.ts'
import { useTask } from '../../client/use-task.ts'
import { useActions } from '../../state/open-workspace.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

export function DescribeDialog({ run, onClose }: { readonly run: RunEntry; readonly onClose: () => void }) {
  const actions = useActions()
  const task = useTask()
  const [label, setLabel] = useState(run.label)
  const [userNote, setUserNote] = useState(run.userNote)
  const nameId = useId()
  const noteId = useId()
  const save = () =>
    void task.run(() => actions.describe(run.id, { label, userNote })).then((saved) => saved && onClose())
  return (
    <ConfirmDialog
      title="Name this run"
      confirmLabel="Save"
      role="dialog"
      problem={task.problem}
      disabledReason={task.busy ? 'being saved' : null}
      field={
        <div className="describe-fields">
          <label htmlFor={nameId}>Name</label>
          <div className="field describe-name">
            <input
              id={nameId}
              placeholder={run.prompt}
              autoComplete="off"
              maxLength={200}
              value={label}
              onChange={(event) => setLabel(event.target.value)}
            />
          </div>
          <label htmlFor={noteId}>Note</label>
          <textarea
            className="text-field"
            id={noteId}
            rows={4}
            maxLength={20_000}
            value={userNote}
            onChange={(event) => setUserNote(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
              event.preventDefault()
              event.currentTarget.form?.requestSubmit()
            }}
          />
        </div>
      }
      onConfirm={save}
      onClose={onClose}
    >
      <p>The name takes the place of the prompt in lists. Name and note are saved in the history and in exports.</p>
    </ConfirmDialog>
  )
}
