/** Right of the timeline: the entry bar, and files beside the diff, or a sentence when there is nothing to show. */
import { type ReactNode, type RefObject, useEffect, useMemo } from 'react'
import type { Params } from '../../../contract/api.ts'
import type { SessionTurn } from '../../../contract/conversation.ts'
import type { DiffResult } from '../../../contract/diff.ts'
import type { Act } from '../../../contract/restore.ts'
import type { TimelineEntry } from '../../../contract/timeline.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { useDriftline } from '../../client/context.tsx'
import type { Pane, ReviewCommands } from '../../commands/state.ts'
import { Splitter } from '../../ui/splitter.tsx'
import type { TalkGoal } from '../conversation/conversation-pane.tsx'
import { DiffPane } from '../diff/diff-pane.tsx'
import { reviewOrder, stepFile } from '../files/file-order.ts'
import { LineCounts } from '../files/files-head.tsx'
import { FilesPane } from '../files/files-pane.tsx'
import type { Selection } from '../files/selection.ts'
import type { HistoryView } from '../history/use-file-history.ts'
import { runOf, sessionOf } from '../timeline/node.ts'
import { type NodeRow, turnOfNode } from '../timeline/rows.ts'
import type { CompareMenu } from './compare-menu.ts'
import { ConversationSlot } from './conversation-slot.tsx'
import { FILES, type Layout, type Side, TALK } from './layout.ts'
import { SideTabs } from './side-tabs.tsx'
import { NoChanges, StageError } from './stage-states.tsx'
import type { DiffState } from './use-diff.ts'
import { useReview } from './use-review.ts'
import type { Selected } from './use-selection.ts'

/** A file chosen in one diff; another diff starts at its own first file. */
export interface Picked {
  readonly scope: string
  readonly path: string
}

/** Names a diff. */
export function scopeOf(question: Pick<Params<'diff.files'>, 'target' | 'to'>): string {
  return [question.target, question.to ?? ''].join(' ')
}

interface StageProps {
  readonly picked: Picked | null
  readonly onPick: (picked: Picked) => void
  readonly workspace: WorkspaceId
  readonly root: string
  readonly selected: Selected
  readonly question: Params<'diff.files'>
  readonly compare: CompareMenu
  /** Back to what the row itself changed; null when that is shown. */
  readonly onOwnComparison: (() => void) | null
  readonly state: DiffState
  readonly live: boolean
  readonly layout: Layout
  /** The pane shown when there are tabs. */
  readonly tab: Pane
  /** What the middle pane shows; a selection without a conversation shows its files. */
  readonly side: Side
  readonly onSide: (side: Side) => void
  readonly widths: Readonly<Record<Side, number | null>>
  readonly onWidth: (side: Side, width: number) => void
  /** Entries that are loaded. */
  readonly entries: readonly TimelineEntry[]
  /** Paths that are being written at this moment. */
  readonly writing: ReadonlySet<string>
  /** Files the selected run read, as far as is known. */
  readonly reads: number
  /** A message to go to, once. */
  readonly goal: TalkGoal | null
  readonly onGoalReached: () => void
  /** The newest edit and the newest words are shown as they come. */
  readonly follow: boolean
  readonly now: number
  /** Why nothing can be written now, null when it can. */
  readonly offline: string | null
  readonly letterKeys: boolean
  readonly onTurn: (turn: SessionTurn, path: string | null, enter: boolean) => void
  readonly onFocusDiff: () => void
  readonly onAct: (act: Act) => void
  /** Leaves a file that changed outside as it is. */
  readonly onAccept: (drift: string, path: string) => void
  /** Opens the history of a file. */
  readonly onHistory: (path: string, view: HistoryView) => void
  /** Selects an entry of the timeline. */
  readonly onShowEntry: (id: string) => void
  readonly reviewRef: RefObject<ReviewCommands | null>
  readonly entryBar: ReactNode
}

export function Stage(props: StageProps) {
  const { client, platform } = useDriftline()
  const { question, state, layout, selected } = props
  const { diff } = state
  const { picked, onPick } = props
  const scope = scopeOf(question)
  const review = useReview(`${props.workspace} ${scope}`)
  const ordered = useMemo(() => reviewOrder(diff?.files ?? []), [diff])
  const wanted = picked?.scope === scope ? picked.path : null
  const first = ordered.find(({ kind, notStored }) => kind === 'text' && !notStored) ?? ordered[0] ?? null
  const file = diff ? (diff.files.find(({ path }) => path === wanted) ?? first) : null
  const pick = (path: string) => onPick({ scope, path })

  // The file first shown stays selected when newer files arrive above it.
  const firstPath = first?.path
  useEffect(() => {
    if (firstPath !== undefined && picked?.scope !== scope) onPick({ scope, path: firstPath })
  }, [firstPath, scope, picked?.scope, onPick])

  const drift = driftOf(selected, question)
  const selection = selectionOf(question, diff, selected.other ? null : runOf(selected.node), drift)
  const { run } = selection
  const restoreFile = (path: string) => {
    const oldPath = diff?.files.find((candidate) => candidate.path === path)?.oldPath
    const paths = oldPath === undefined ? [path] : [path, oldPath]
    if (drift) props.onAct({ kind: 'drift', drift, paths })
    else if (run) props.onAct({ kind: 'undo-run', run, paths })
    else props.onAct({ kind: 'restore', target: fromOf(question, selection), paths })
  }
  const acceptFile = drift ? (path: string) => props.onAccept(drift, path) : null
  const session = selected.other ? null : sessionOf(selected.node)
  const side: Side = session === null ? 'files' : props.side
  const { min, max, initial, initialNarrow } = side === 'files' ? FILES : TALK
  const usual = layout === 'wide' ? initial : initialNarrow
  const width = props.widths[side] ?? usual
  const { openInEditor, reveal } = platform
  const outer = {
    ...(openInEditor ? { onOpenInEditor: (path: string) => void openInEditor(`${props.root}/${path}`) } : {}),
    ...(reveal ? { onReveal: (path: string) => void reveal(`${props.root}/${path}`) } : {})
  }

  const head =
    session !== null && layout !== 'tabs' ? (
      <SideTabs side={side} files={diff?.files.length ?? null} onSide={props.onSide} />
    ) : undefined

  const instead =
    state.error && !diff ? (
      <StageError error={state.error} onRetry={state.retry} />
    ) : diff && diff.files.length === 0 ? (
      <NoChanges
        selected={selected}
        warning={diff.warning}
        reads={props.reads}
        onConversation={session !== null && side === 'files' ? () => props.onSide('conversation') : null}
        onOwnComparison={props.onOwnComparison}
      />
    ) : null
  const body =
    instead && side === 'files' ? (
      instead
    ) : (
      <div className={`split show-${props.tab}`} style={{ '--files': `${width}px` }}>
        <div className="pane-slot" data-pane={side} id="side-pane">
          {side === 'conversation' && session !== null ? (
            <ConversationSlot
              key={session}
              workspace={props.workspace}
              session={session}
              entries={props.entries}
              head={head}
              changed={<LineCounts files={diff?.files ?? []} />}
              root={props.root}
              run={runOf(selected.node)}
              turn={turnOfNode(selected.node)?.id ?? null}
              pin={pinOf(selected.node)}
              goal={props.goal}
              onGoalReached={props.onGoalReached}
              path={file?.path ?? null}
              follow={props.follow}
              now={props.now}
              letterKeys={props.letterKeys}
              offline={props.offline}
              onTurn={props.onTurn}
              onRestore={(turn) => props.onAct({ kind: 'restore', target: `${turn.id}:start` })}
              onUndo={(turn) => props.onAct({ kind: 'undo-run', run: turn.id })}
            />
          ) : (
            <FilesPane
              head={head}
              client={client}
              workspace={props.workspace}
              selection={selection}
              compare={props.compare}
              diff={diff && saidAbove(selected.node) ? { ...diff, warning: '' } : diff}
              loading={state.loading}
              error={state.error}
              writing={props.writing}
              selectedPath={file?.path ?? null}
              onSelect={pick}
              onOpenDiff={props.onFocusDiff}
              onRestoreFile={restoreFile}
              onAccept={acceptFile}
              onVersions={(path) => {
                pick(path)
                props.onHistory(path, 'change')
              }}
              viewed={review.viewed}
              onToggleViewed={(path) => review.setViewed(path, !review.viewed.has(path))}
              letterKeys={props.letterKeys}
              {...outer}
            />
          )}
        </div>
        {layout === 'tabs' ? null : (
          <Splitter
            label={`Width of the ${side}`}
            controls="side-pane"
            value={width}
            min={min}
            max={max}
            initial={usual}
            onChange={(next) => props.onWidth(side, next)}
          />
        )}
        <div className="pane-slot" data-pane="diff" id="diff-pane">
          {instead ?? (
            <DiffPane
              client={client}
              workspace={props.workspace}
              selection={selection}
              file={file}
              files={diff?.files ?? []}
              live={props.live}
              writing={file !== null && props.writing.has(file.path)}
              newest={props.follow}
              onStep={(delta) => {
                const path = stepFile(diff?.files ?? [], file?.path ?? null, delta)
                if (path) pick(path)
              }}
              ref={props.reviewRef}
              review={review}
              verb={drift ? 'Put back' : run ? 'Undo' : 'Restore'}
              onAccept={acceptFile}
              onOpenFile={pick}
              onUndoFile={restoreFile}
              onShowEntry={props.onShowEntry}
              onHistory={props.onHistory}
              onUndoChange={(path, n) => {
                // Asking for one change is asking for no more than that: what others wrote beside it stays.
                if (drift) props.onAct({ kind: 'drift', drift, hunks: { [path]: [n] } })
                else if (run) props.onAct({ kind: 'undo-run', run, hunks: { [path]: [n] }, onConflict: 'merge' })
              }}
              {...outer}
            />
          )}
        </div>
      </div>
    )
  return (
    <div className="stage">
      {props.entryBar}
      {body}
    </div>
  )
}

/** Where a file of the comparison goes back to: what it is compared from. */
function fromOf({ target }: Params<'diff.files'>, { fromSeq }: Selection): string {
  return target === 'now' ? `seq:${fromSeq}` : target
}

function pinOf(node: NodeRow): string | null {
  return node.kind === 'entry' && node.entry.kind === 'checkpoint' ? node.entry.id : null
}

/** What may be missing of a run is said under its head, once. */
function saidAbove(node: NodeRow): boolean {
  const run = node.kind === 'entry' ? node.entry : node.run
  return run.kind === 'run' && run.incomplete
}

/** The outside change under review: one that waits for a decision, compared with the disk. */
function driftOf({ node, other }: Selected, { target, to }: Params<'diff.files'>): string | null {
  if (other || node.kind !== 'entry' || node.entry.kind !== 'drift' || node.entry.state !== 'open') return null
  return target === node.entry.id && to === 'now' ? target : null
}

/** What the panes compare; positions are those of the answer. */
function selectionOf(
  question: Params<'diff.files'>,
  diff: DiffResult | null,
  run: string | null,
  drift: string | null
): Selection {
  const ofRun = question.scope === 'run' || question.scope === 'turn'
  return {
    target: question.target,
    ...(question.to === undefined ? {} : { to: question.to }),
    fromSeq: diff?.fromSeq ?? 0,
    toSeq: diff ? diff.toSeq : 0,
    ...(ofRun && run ? { run: question.scope === 'turn' ? question.target : run } : drift ? { run: drift } : {}),
    ...(drift ? { drift: true } : {})
  }
}
