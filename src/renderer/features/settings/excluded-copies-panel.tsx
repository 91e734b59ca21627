/** What was kept of files that are never to be kept any more: counted and listed, and let go of only when asked. */
import { useEffect, useState } from 'react'
import { toErrorShape } from '../../../contract/errors.ts'
import { formatBytes } from '../../../contract/sizes.ts'
import type { SweepResult } from '../../../contract/storage.ts'
import { useDriftline } from '../../client/context.tsx'
import { Button } from '../../ui/button.tsx'
import { FirstLines } from '../../ui/first-lines.tsx'
import { plural } from '../../ui/format.ts'
import { InlinePanel } from '../../ui/inline-panel.tsx'
import { announce } from '../../ui/live-region.tsx'

interface ExcludedCopiesPanelProps {
  /** Folders whose histories are looked through. */
  readonly folders: readonly { readonly id: string; readonly name: string }[]
  readonly onClose: () => void
}

/** Lines shown. */
const MOST = 8

interface Found {
  readonly id: string
  readonly name: string
  readonly sweep: SweepResult
}

export function ExcludedCopiesPanel({ folders, onClose }: ExcludedCopiesPanelProps) {
  const { client } = useDriftline()
  const [found, setFound] = useState<readonly Found[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const ids = folders.map(({ id }) => id).join()
  const look = async (): Promise<readonly Found[]> => {
    const all: Found[] = []
    for (const { id, name } of folders)
      all.push({ id, name, sweep: await client.call('gc.run', { workspace: id, dryRun: true, never: true }) })
    return all
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each set of folders.
  useEffect(() => {
    let stale = false
    look().then(
      (all) => stale || setFound(all),
      (thrown: unknown) => stale || setProblem(toErrorShape(thrown).message)
    )
    return () => {
      stale = true
    }
  }, [client, ids])

  const held = found?.filter(({ sweep }) => sweep.versions > 0) ?? []
  const states = held.reduce((sum, { sweep }) => sum + sweep.versions, 0)
  const apply = async (): Promise<void> => {
    setBusy(true)
    try {
      const notes: string[] = []
      for (const { id } of held)
        notes.push((await client.call('gc.run', { workspace: id, dryRun: false, never: true })).note)
      // A sweep gives way to whoever records or restores: only what is really gone is said to be.
      const left = await look()
      if (left.every(({ sweep }) => sweep.versions === 0)) {
        announce(`${plural(states, 'kept state')} let go of.`)
        return onClose()
      }
      setFound(left)
      setProblem(notes.find(Boolean) ?? 'Some of it was needed meanwhile and is still kept. Try again in a moment.')
    } catch (thrown) {
      setProblem(toErrorShape(thrown).message)
    }
    setBusy(false)
  }
  return (
    <InlinePanel
      label="What was kept of files that are never kept"
      flush
      busy={found === null && problem === null}
      problem={problem}
      onClose={onClose}
    >
      {found ? <Held held={held} states={states} found={found} /> : null}
      {found || problem ? null : <p className="small muted">Looking through what is kept…</p>}
      <div className="cap-row">
        <span className="grow" />
        <Button onClick={onClose}>{states > 0 ? 'Keep it' : 'Close'}</Button>
        {states > 0 ? (
          <Button kind="danger" disabledReason={busy ? 'being let go of' : null} onClick={() => void apply()}>
            Let go of {plural(states, 'state')}
          </Button>
        ) : null}
      </div>
    </InlinePanel>
  )
}

interface HeldProps {
  readonly held: readonly Found[]
  readonly states: number
  readonly found: readonly Found[]
}

function Held({ held, states, found }: HeldProps) {
  const notes = [...new Set(found.map(({ sweep }) => sweep.note).filter(Boolean))]
  if (states === 0) {
    return (
      <p className="small" role="status">
        {notes[0] ?? 'Of files on the list nothing is kept.'}
      </p>
    )
  }
  const lines = held.flatMap(({ name, sweep }) =>
    sweep.pruned.map((line) => (found.length > 1 ? `${name}: ${line}` : line))
  )
  const size = held.reduce((sum, { sweep }) => sum + sweep.freedBytes, 0)
  return (
    <>
      <p className="small" role="status">
        Of files on the list {plural(states, 'state')} {states === 1 ? 'is' : 'are'} still kept, {formatBytes(size)}.{' '}
        {states === 1 ? 'It' : 'They'} can go from the whole history. Restore points stay, and say what they no longer
        hold. Files on disk are not touched. What is let go of cannot be brought back.
      </p>
      <FirstLines items={lines} limit={MOST} className="plain mono cap" restNoun="other file">
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
