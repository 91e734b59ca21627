/** Starts a search for the edit that broke a command: which command, and among which edits. */
import { useState } from 'react'
import type { TestResult } from '../../../contract/tests.ts'
import { useDriftline } from '../../client/context.tsx'
import { useTask } from '../../client/use-task.ts'
import { entryOf, rowTitle, runIdOf } from '../../model/row-targets.ts'
import { useOpenWorkspace, useWorkspaceFields } from '../../state/open-workspace.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Switch } from '../../ui/switch.tsx'

type Range = 'run' | 'all'

export function BisectDialog({ onClose }: { readonly onClose: () => void }) {
  const { workspace } = useOpenWorkspace()
  const { client } = useDriftline()
  const { selected, status } = useWorkspaceFields('selected', 'status')
  const node = selected?.node ?? null
  const run = runIdOf(node)
  const entry = node && run !== null ? entryOf(node) : null
  const failed = entry?.tests?.findLast(({ result }) => result === 'failed')
  const [command, setCommand] = useState(() => knownCommand(failed, status?.lastPass))
  const [range, setRange] = useState<Range>(run === null ? 'all' : 'run')
  const [hunks, setHunks] = useState(true)
  const task = useTask()
  const start = async () => {
    const ends = range === 'run' && run !== null ? { good: `${run}:start`, bad: `${run}:end` } : {}
    await client.call('bisect.start', { workspace: workspace.id, command: command.trim(), hunks, ...ends })
    onClose()
  }
  return (
    <ConfirmDialog
      title="Find the edit that broke it"
      confirmLabel="Start"
      role="dialog"
      disabledReason={command.trim() === '' ? 'enter a command first' : null}
      problem={task.problem}
      field={
        <div className="bisect-fields">
          <div>
            <label className="small muted" htmlFor="bisect-command">
              Command that fails
            </label>
            <div className="field question-field">
              <input
                id="bisect-command"
                className="mono"
                placeholder="npm test"
                autoComplete="off"
                spellCheck={false}
                maxLength={4000}
                value={command}
                onChange={(event) => setCommand(event.target.value)}
              />
            </div>
          </div>
          <div>
            <Segmented<Range>
              label="Edits to search"
              value={range}
              onChange={setRange}
              options={[
                { value: 'run', label: 'In this run', disabled: run === null ? 'no run is selected' : null },
                { value: 'all', label: status?.lastPass ? 'Since it passed last' : 'In all of the history' }
              ]}
            />
          </div>
          <label className="opt small" htmlFor="bisect-hunks">
            <Switch id="bisect-hunks" on={hunks} onChange={setHunks} />
            Then find the lines that matter
          </label>
        </div>
      }
      onConfirm={() => void task.run(start)}
      onClose={onClose}
    >
      <p>
        Runs the command on the folder as it was after some of the edits, until one edit is left. Your files do not
        change, and your agent can continue.
      </p>
      {range === 'run' && node ? <p className="small muted ell">Run: {rowTitle(node)}</p> : null}
    </ConfirmDialog>
  )
}

/** The command that failed here, else the one that passed last. */
function knownCommand(failed: TestResult | undefined, passed: TestResult | null | undefined): string {
  return failed?.command ?? passed?.command ?? ''
}
