/** Stored copies of files that are now excluded: counted, listed, and deleted only on request. */
import { useEffect, useState } from 'react'
import type { SweepResult } from '../../../contract/storage.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { formatBytes } from '../../../contract/words/sizes.ts'
import { prunedText, sweepNoteText } from '../../../contract/words/storage.ts'
import { useDriftline } from '../../client/context.tsx'
import { useTask } from '../../client/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { FirstLines } from '../../ui/first-lines.tsx'
import { InlinePanel } from '../../ui/inline-panel.tsx'
import { announce } from '../../ui/live-region.tsx'

interface ExcludedCopiesPanelProps {
  /** Workspaces to search for copies. */
  readonly folders: readonly { readonly id: string; readonly name: string }[]
  readonly onClose: () => void
}

/** Lines shown. */
const MAX_LINES = 8

interface StoredCopies {
  readonly id: string
  readonly name: string
  readonly sweep: SweepResult
}

/** Mount it anew for other folders. */
export function ExcludedCopiesPanel({ folders, onClose }: ExcludedCopiesPanelProps) {
  const { client } = useDriftline()
  const { busy, problem, setProblem, run } = useTask()
  const [found, setFound] = useState<readonly StoredCopies[] | null>(null)
  const sweep = (workspace: string, dryRun: boolean) => client.call('gc.run', { workspace, dryRun, never: true })
  const countCopies = async (): Promise<readonly StoredCopies[]> => {
    const all: StoredCopies[] = []
    for (const { id, name } of folders) all.push({ id, name, sweep: await sweep(id, true) })
    setFound(all)
    return all
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: counted once, when the panel opens.
  useEffect(() => void run(countCopies), [])

  const withCopies = found?.filter(({ sweep: { versions } }) => versions > 0) ?? []
  const copies = withCopies.reduce((sum, { sweep: { versions } }) => sum + versions, 0)
  const deleteCopies = async (): Promise<void> => {
    const notes: string[] = []
    for (const { id } of withCopies) notes.push(sweepNoteText((await sweep(id, false)).note))
    // A sweep yields to recording and restores, so it may end early: count again before reporting.
    const remaining = await countCopies()
    if (remaining.some(({ sweep: { versions } }) => versions > 0))
      return setProblem(notes.find(Boolean) ?? 'Some copies are in use and were not deleted. Retry in a moment.')
    announce(`${plural(copies, 'stored copy', 'stored copies')} deleted.`)
    onClose()
  }
  return (
    <InlinePanel
      label="Stored copies of excluded files"
      flush
      busy={found === null && problem === null}
      problem={problem}
      onClose={onClose}
    >
      {found ? <CopiesSummary withCopies={withCopies} found={found} /> : null}
      {found || problem ? null : <p className="small muted">Finding stored copies…</p>}
      <div className="cap-row">
        <span className="grow" />
        <Button onClick={onClose}>{copies > 0 ? 'Keep them' : 'Close'}</Button>
        {copies > 0 ? (
          <Button kind="danger" disabledReason={busy ? 'deleting…' : null} onClick={() => void run(deleteCopies)}>
            Delete {plural(copies, 'copy', 'copies')}
          </Button>
        ) : null}
      </div>
    </InlinePanel>
  )
}

function CopiesSummary({ withCopies, found }: Record<'withCopies' | 'found', readonly StoredCopies[]>) {
  const copies = withCopies.reduce((sum, { sweep }) => sum + sweep.versions, 0)
  const notes = [...new Set(found.map(({ sweep }) => sweepNoteText(sweep.note)).filter(Boolean))]
  if (copies === 0) {
    return (
      <p className="small" role="status">
        {notes[0] ?? 'No copies of excluded files are stored.'}
      </p>
    )
  }
  const lines = withCopies.flatMap(({ name, sweep }) =>
    sweep.pruned.map((pruned) => (found.length > 1 ? `${name}: ${prunedText(pruned)}` : prunedText(pruned)))
  )
  const size = withCopies.reduce((sum, { sweep }) => sum + sweep.freedBytes, 0)
  return (
    <>
      <p className="small" role="status">
        {plural(copies, 'copy', 'copies')} of excluded files {copies === 1 ? 'is' : 'are'} still stored (
        {formatBytes(size)}). Deleting removes {copies === 1 ? 'it' : 'them'} from the whole history; checkpoints stay
        and list what they no longer contain. Files on disk do not change. This cannot be undone.
      </p>
      <FirstLines items={lines} limit={MAX_LINES} className="bullets bullets-paths mono cap" restNoun="other file">
        {(line) => <li key={line}>{line}</li>}
      </FirstLines>
      {notes.map((note) => (
        <p className="small muted" key={note}>
          {note}
        </p>
      ))}
    </>
  )
}
