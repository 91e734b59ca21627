/** Preview of a sweep: what it would evict, counted and listed. It runs only on request. */
import type { SweepResult } from '../../../contract/storage.ts'
import { checkpointTitle } from '../../../contract/words/checkpoints.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { formatBytes } from '../../../contract/words/sizes.ts'
import { prunedText, sweepNoteText } from '../../../contract/words/storage.ts'
import { clock, dayInText } from '../../../contract/words/times.ts'
import { useDriftline } from '../../client/context.tsx'
import { useQuery } from '../../client/use-query.ts'
import { useTask } from '../../client/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { FirstLines } from '../../ui/first-lines.tsx'
import { InlinePanel } from '../../ui/inline-panel.tsx'
import { announce } from '../../ui/live-region.tsx'

interface SweepPanelProps {
  readonly workspace: string
  readonly budget: number
  readonly days: number
  /** The limits were changed and are saved first. */
  readonly saving: boolean
  readonly save: () => Promise<void>
  readonly onDone: () => void
  readonly onCancel: () => void
}

/** Lines shown of each list. */
const MAX_LINES = 8

export function SweepPanel({ workspace, budget, days, saving, save, onDone, onCancel }: SweepPanelProps) {
  const { client } = useDriftline()
  const preview = useQuery('gc.run', { workspace, dryRun: true, budget, days }, { fresh: true })
  const { busy, problem: failure, run } = useTask()
  const { data: sweep } = preview
  const problem = failure ?? preview.error?.message ?? null
  const nothing = sweep !== null && sweep.freedBytes === 0 && sweep.versions === 0 && sweep.pruned.length === 0
  const apply = async () => {
    if (saving) await save()
    if (!nothing) {
      const done = await client.call('gc.run', { workspace, dryRun: false })
      announce(`${formatBytes(done.freedBytes)} freed.`)
    }
    onDone()
  }
  return (
    <InlinePanel
      label="Cleanup preview"
      flush
      keepFocus={saving}
      busy={sweep === null && problem === null}
      problem={problem}
      onClose={onCancel}
    >
      <p className="set-title">Free space</p>
      {sweep ? (
        <SweepText sweep={sweep} nothing={nothing} />
      ) : problem ? null : (
        <p className="small muted">Counting…</p>
      )}
      <div className="cap-row">
        <span className="grow" />
        <Button onClick={onCancel}>{nothing && !saving ? 'Close' : 'Cancel'}</Button>
        {nothing && !saving ? null : (
          <Button
            kind={nothing ? 'primary' : 'danger'}
            disabledReason={sweep === null ? 'counting…' : busy ? 'cleaning up…' : null}
            onClick={() => void run(apply)}
          >
            {nothing || !sweep
              ? 'Save'
              : saving
                ? `Save and free ${formatBytes(sweep.freedBytes)}`
                : `Free ${formatBytes(sweep.freedBytes)} now`}
          </Button>
        )}
      </div>
    </InlinePanel>
  )
}

function SweepText({ sweep, nothing }: { readonly sweep: SweepResult; readonly nothing: boolean }) {
  const now = Date.now()
  return (
    <>
      <p className="small" role="status">
        {nothing
          ? 'Nothing to remove.'
          : `Removes ${plural(sweep.versions, 'older file version')} and frees ${formatBytes(sweep.freedBytes)}. The history then uses ${formatBytes(sweep.historyBytes)} of ${formatBytes(sweep.budget)}. Timeline entries stay.`}
      </p>
      {sweep.note ? <p className="small muted">{sweepNoteText(sweep.note)}</p> : null}
      {sweep.checkpoints.length > 0 ? (
        <>
          <p className="small sweep-head">
            {plural(sweep.checkpoints.length, 'checkpoint')} can then be restored only in part:
          </p>
          <FirstLines items={sweep.checkpoints} limit={MAX_LINES} className="bullets" restNoun="other">
            {(checkpoint) => (
              <li key={checkpoint.id}>
                {checkpointTitle(checkpoint)}, {dayInText(checkpoint.at, now)} {clock(checkpoint.at)}
              </li>
            )}
          </FirstLines>
        </>
      ) : null}
      {sweep.pruned.length > 0 ? (
        <>
          <p className="small sweep-head">Largest first:</p>
          <FirstLines
            items={sweep.pruned.map(prunedText)}
            limit={MAX_LINES}
            className="bullets bullets-paths mono cap"
            restNoun="other"
          >
            {(line) => <li key={line}>{line}</li>}
          </FirstLines>
        </>
      ) : null}
    </>
  )
}
