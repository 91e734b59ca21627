/** Messages shown in place of files and diff. */
import { useEffect, useId, useRef } from 'react'
import type { ErrorShape } from '../../../contract/errors.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { isReadCall } from '../../../contract/words/tool-calls.ts'
import { hasConversation, sideOf } from '../../state/derived.ts'
import { useActions, useWorkspaceFields, useWorkspaceState } from '../../state/open-workspace.tsx'
import type { Selected } from '../../state/selection.ts'
import { Blank, FailedBlank } from '../../ui/blank.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DetectedAgents } from '../agents/agent-chips.tsx'
import { RunCommand } from '../agents/run-command.tsx'
import { TimelineFailed } from '../timeline/timeline.tsx'

export function ChangesError({ error, onRetry }: { readonly error: ErrorShape; readonly onRetry: () => void }) {
  const details = JSON.stringify(error, null, 2)
  return (
    <FailedBlank
      as="main"
      title="Couldn’t load the changes."
      text={error.message}
      details={details}
      onRetry={onRetry}
    />
  )
}

export function NoChanges({ selected, warning }: { readonly selected: Selected; readonly warning: string }) {
  const actions = useActions()
  // The number of files the run read, as far as is known.
  const reads = useWorkspaceState(
    ({ detail }) => new Set(detail?.calls?.filter(isReadCall).map(({ summary }) => summary)).size
  )
  const offersConversation = useWorkspaceState((state) => hasConversation(state) && sideOf(state) === 'files')
  const isOwnComparison = useWorkspaceState(({ compared }) => compared?.id === 'own')
  const { node, against } = selected
  const [title, text] = noChangesText()
  return (
    <Blank
      as="main"
      icon="eye"
      title={title}
      actions={[
        ...(offersConversation ? [{ label: 'Open conversation', run: () => actions.setSide('conversation') }] : []),
        ...(isOwnComparison || against ? [] : [{ label: 'Show its changes', run: () => actions.compare('own') }])
      ]}
    >
      <p>{warning || text}</p>
    </Blank>
  )

  function noChangesText(): readonly [string, string] {
    if (against) return ['No differences between the two entries.', 'All files are identical.']
    if (!isOwnComparison) return ['No differences.', 'The files on disk match that version.']
    if (node.kind === 'turn' || node.kind === 'call')
      return ['This turn changed no files.', 'There is nothing to undo.']
    if (node.kind === 'checkpoint')
      return ['No files changed before this checkpoint.', 'It matches the previous checkpoint.']
    const entry = node.kind === 'entry' ? node.entry : node.run
    switch (entry.kind) {
      case 'run':
        if (entry.state === 'live') return ['No files changed yet.', 'The run is still working. Changes appear here.']
        return [
          reads > 0 ? `This run read ${plural(reads, 'file')} and changed none.` : 'This run changed no files.',
          entry.session === null ? 'There is nothing to undo.' : 'There is nothing to undo. The conversation is saved.'
        ]
      case 'checkpoint':
        return ['Nothing has changed since this checkpoint.', 'The files on disk are unchanged.']
      case 'restore':
        return ['This restore changed no files.', 'All files already matched.']
      case 'drift':
        return ['Changed and reverted.', 'The files match the version before the outside change.']
    }
  }
}

/** Shown until the timeline is loaded, or if it cannot be loaded: a drawer or another tab hides what it says itself. */
export function PendingView() {
  const { timeline, layout } = useWorkspaceFields('timeline', 'layout')
  const error = timeline?.pages ? null : (timeline?.error ?? null)
  return (
    <div className="stage">
      {timeline && error && layout !== 'wide' ? (
        <TimelineFailed as="main" error={error} onRetry={timeline.retry} />
      ) : (
        <main className="blank" aria-busy={!error}>
          {error ? <h1>Changes appear here once the timeline loads.</h1> : null}
        </main>
      )}
    </div>
  )
}

const TEST_PROMPT = 'Create a file called driftline-hello.txt that says hello, then stop.'

/** A workspace without entries. */
export function EmptyWorkspace() {
  const status = useWorkspaceState((state) => state.status)
  const copying = status?.copy
  const title = useId()
  const main = useRef<HTMLElement>(null)
  // The page before had the focus, and there is no entry that could take it.
  useEffect(() => {
    if (document.activeElement === document.body) main.current?.focus()
  }, [])
  return (
    <div className="stage">
      <main className="blank" aria-labelledby={title} tabIndex={-1} ref={main}>
        <svg className="arcs" viewBox="0 0 160 40" aria-hidden="true">
          <path d="M0 20H46C58 20 56 6 80 6S102 20 114 20H160" />
          <path className="arcs-off" d="M50 20H110" />
          <circle cx="114" cy="20" r="4" />
        </svg>
        <h1 id={title}>No runs yet. Start your agent in this folder.</h1>
        <p>
          {copying
            ? 'Creating the initial snapshot. You can start now: files are copied before they change.'
            : status
              ? `${plural(status.covered.files, 'file')} covered. Every change is recorded.`
              : 'Reading the folder…'}
        </p>
        <DetectedAgents workspace={status?.workspace ?? null} />
        <p>
          Record any command as a run: <RunCommand />
        </p>
        <div className="row blank-actions">
          <CopyButton label="Copy a test prompt" text={TEST_PROMPT} />
        </div>
      </main>
    </div>
  )
}
