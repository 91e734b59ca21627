/**
 * Right of the timeline: the entry bar above the side pane (files or conversation) and the diff, or a message if there
 * is nothing to show.
 */
import { type ReactNode, type RefObject, useEffect, useMemo, useRef } from 'react'
import type { Params } from '../../../contract/api.ts'
import type { DiffResult, FileChange } from '../../../contract/diff.ts'
import type { RestoreRequest } from '../../../contract/restore.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { usePreferences } from '../../app/preferences.tsx'
import { useDriftline } from '../../client/context.tsx'
import type { Pane, ReviewCommands } from '../../commands/state.ts'
import { Splitter } from '../../ui/splitter.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { isReadCall, pathsBeingWritten } from '../../../contract/words/tool-calls.ts'
import { DiffPane } from '../diff/diff-pane.tsx'
import { reviewOrder, stepFile } from '../files/file-order.ts'
import { LineCounts } from '../files/files-head.tsx'
import { FilesPane } from '../files/files-pane.tsx'
import type { Selection } from '../files/selection.ts'
import { commandLineId, runIdOf } from '../timeline/row-targets.ts'
import { type SelectableRow, turnOf } from '../timeline/timeline-rows.ts'
import { type ComparedPair, compareMenu } from './compare-menu.ts'
import { ChangesError, NoChanges, PendingView } from './empty-states.tsx'
import { EntryBar } from './entry-bar.tsx'
import { CONVERSATION, FILES, type Side } from './layout.ts'
import { comparisonKey, type PickedFile } from './picked-file.ts'
import { SessionConversation } from './session-conversation.tsx'
import type { Follow } from './use-follow.ts'
import type { History } from './use-history.ts'
import type { Navigation } from './use-navigation.ts'
import type { Panes } from './use-panes.ts'
import type { RestoreActions } from './use-restore-actions.ts'
import { useReview } from './use-review.ts'
import type { Selected } from './use-selection.ts'
import type { WorkspaceModel } from './use-workspace.ts'

type Comparison = Params<'diff.files'>

interface RunViewProps {
  readonly workspace: Workspace
  readonly model: WorkspaceModel
  readonly panes: Panes
  readonly restoreActions: RestoreActions
  readonly navigation: Navigation
  readonly history: History
  readonly follow: Follow
  /** Session of the selection, null if it has no conversation. */
  readonly session: string | null
  /** The visible pane in the layout with tabs. */
  readonly tab: Pane
  readonly side: Side
  readonly pair: ComparedPair | null
  readonly picked: PickedFile | null
  readonly onPick: (picked: PickedFile) => void
  /** Why nothing can be written now, null if it can. */
  readonly offline: string | null
  /** Opens the preview of a restore or undo. */
  readonly onPreview: (request: RestoreRequest) => void
  readonly onRestore: (row: SelectableRow) => void
  readonly onUndo: (row: SelectableRow) => void
  readonly onPin: () => void
  readonly reviewRef: RefObject<ReviewCommands | null>
}

export function RunView(props: RunViewProps) {
  const { selected, question, timeline } = props.model
  if (!selected || !question) return <PendingView failed={timeline.error !== null && !timeline.pages} />
  return (
    <div className="stage">
      <SelectionBar {...props} selected={selected} comparison={question} />
      <ComparisonPanes {...props} selected={selected} comparison={question} />
    </div>
  )
}

interface SelectionProps extends RunViewProps {
  readonly selected: Selected
  readonly comparison: Comparison
}

function SelectionBar({ selected, comparison, model, restoreActions, session, ...props }: SelectionProps) {
  const { client } = useDriftline()
  return (
    <EntryBar
      selected={selected}
      status={model.status}
      detail={model.detail}
      now={model.now}
      offline={props.offline}
      pair={props.pair}
      follow={props.follow}
      onRestore={() => props.onRestore(selected.node)}
      onUndo={() => props.onUndo(selected.node)}
      onAccept={restoreActions.accept}
      onPin={props.onPin}
      onCopyPatch={() => {
        client
          .call('diff.patch', comparison)
          .then(({ patch }) => navigator.clipboard.writeText(patch))
          .catch(restoreActions.reportError)
      }}
      onCopyResume={session === null ? null : () => restoreActions.copyResume(session)}
      onCopyId={() => void navigator.clipboard?.writeText(commandLineId(selected.node))}
    />
  )
}

const NO_PATHS: ReadonlySet<string> = new Set()
const NO_FILES: readonly FileChange[] = []

function ComparisonPanes(props: SelectionProps) {
  const { workspace, model, panes, navigation, selected, comparison, offline } = props
  const { client, platform } = useDriftline()
  const { letterKeys } = usePreferences()
  const { diff, loading, error, retry } = model.diff
  const files = diff?.files ?? NO_FILES
  const scope = comparisonKey(comparison)
  const review = useReview(`${workspace.id} ${scope}`)
  const tabFocus = useRef<Side | null>(null)
  const { file, pick } = usePickedFile(scope, diff, props.picked, props.onPick)
  const writing = model.live ? pathsBeingWritten(model.detail?.calls ?? []) : NO_PATHS

  const drift = driftUnderReview(selected, comparison)
  const selection = selectionOf(comparison, diff, selected.against ? null : runIdOf(selected.node), drift)
  const undo = undoRequests(comparison, selection, drift, files)
  const undoFile = (path: string) => props.onPreview(undo.file(path))
  const acceptFile = drift ? (path: string) => props.restoreActions.accept(drift, path) : null
  const session = selected.against ? null : props.session
  const side: Side = session === null ? 'files' : props.side
  const { openInEditor, reveal } = platform
  const fileCommands = {
    ...(openInEditor ? { onOpenInEditor: (path: string) => void openInEditor(`${workspace.root}/${path}`) } : {}),
    ...(reveal ? { onReveal: (path: string) => void reveal(`${workspace.root}/${path}`) } : {})
  }

  const emptyState =
    error && !diff ? (
      <ChangesError error={error} onRetry={retry} />
    ) : diff && files.length === 0 ? (
      <NoChanges
        selected={selected}
        warning={diff.warning}
        reads={new Set(model.detail?.calls?.filter(isReadCall).map(({ summary }) => summary)).size}
        onConversation={session !== null && side === 'files' ? () => panes.setSide('conversation') : null}
        onOwnComparison={model.compared.chosen?.id === 'own' ? null : () => model.compared.choose('own')}
      />
    ) : null
  if (emptyState && side === 'files') return emptyState

  const head = session !== null && panes.layout !== 'tabs' && (
    <Tabs
      label="Files or conversation"
      tabs={[
        { value: 'files', label: 'Files', count: diff?.files.length ?? null },
        { value: 'conversation', label: 'Conversation' }
      ]}
      value={side}
      onChange={panes.setSide}
      focusTarget={tabFocus}
    />
  )
  return (
    <SplitPanes
      panes={panes}
      tab={props.tab}
      side={side}
      sidePane={
        side === 'conversation' && session !== null ? (
          <SessionConversation
            key={session}
            workspace={workspace.id}
            session={session}
            entries={model.timeline.pages?.entries ?? []}
            head={head}
            changed={<LineCounts files={files} />}
            root={workspace.root}
            run={runIdOf(selected.node)}
            turn={turnOf(selected.node)?.id ?? null}
            pin={pinOf(selected.node)}
            target={navigation.messageGoal}
            onTargetReached={navigation.clearMessageGoal}
            path={file?.path ?? null}
            follow={props.follow.on}
            now={model.now}
            letterKeys={letterKeys}
            offline={offline}
            onTurn={navigation.showTurn}
            onRestore={(turn) => props.onPreview({ kind: 'restore', target: `${turn.id}:start` })}
            onUndo={(turn) => props.onPreview({ kind: 'undo-run', run: turn.id })}
          />
        ) : (
          <FilesPane
            head={head}
            client={client}
            workspace={workspace.id}
            selection={selection}
            compare={compareMenu(model.compared, props.pair)}
            diff={diff && hasNoticeAbove(selected.node) ? { ...diff, warning: '' } : diff}
            loading={loading}
            error={error}
            writing={writing}
            selectedPath={file?.path ?? null}
            onSelect={pick}
            onOpenDiff={() => panes.goTo('diff')}
            onRestoreFile={undoFile}
            onAccept={acceptFile}
            onVersions={(path) => {
              pick(path)
              props.history.open(path, 'change')
            }}
            reviewed={review.reviewed}
            onToggleReviewed={(path) => review.setReviewed(path, !review.reviewed.has(path))}
            letterKeys={letterKeys}
            {...fileCommands}
          />
        )
      }
      diffPane={
        emptyState ?? (
          <DiffPane
            client={client}
            workspace={workspace.id}
            selection={selection}
            file={file}
            files={files}
            live={model.live}
            writing={file !== null && writing.has(file.path)}
            newest={props.follow.on}
            onStep={(delta) => {
              const path = stepFile(files, file?.path ?? null, delta)
              if (path) pick(path)
            }}
            ref={props.reviewRef}
            review={review}
            verb={selection.run ? 'Undo' : 'Restore'}
            onAccept={acceptFile}
            onOpenFile={pick}
            onUndoFile={undoFile}
            onShowEntry={navigation.showEntry}
            onHistory={props.history.open}
            onUndoChange={(path, hunk) => {
              const request = undo.hunk(path, hunk)
              if (request) props.onPreview(request)
            }}
            {...fileCommands}
          />
        )
      }
    />
  )
}

interface SplitPanesProps {
  readonly panes: Panes
  readonly tab: Pane
  readonly side: Side
  readonly sidePane: ReactNode
  readonly diffPane: ReactNode
}

/** The side pane and the diff with a splitter between them; with tabs, CSS shows one of them. */
function SplitPanes({ panes, tab, side, sidePane, diffPane }: SplitPanesProps) {
  const { min, max, initial, initialNarrow } = side === 'files' ? FILES : CONVERSATION
  const defaultWidth = panes.layout === 'wide' ? initial : initialNarrow
  const width = (side === 'files' ? panes.sizes.files : panes.sizes.talk) ?? defaultWidth
  return (
    <div className={`split show-${tab}`} style={{ '--files': `${width}px` }}>
      <div className="pane-slot" data-pane={side} id="side-pane">
        {sidePane}
      </div>
      {panes.layout === 'tabs' ? null : (
        <Splitter
          label={side === 'files' ? 'Files width' : 'Conversation width'}
          controls="side-pane"
          value={width}
          min={min}
          max={max}
          initial={defaultWidth}
          onChange={(next) => panes.resize(side === 'files' ? { files: next } : { talk: next })}
        />
      )}
      <div className="pane-slot" data-pane="diff" id="diff-pane">
        {diffPane}
      </div>
    </div>
  )
}

/** The file shown in the diff: the picked one, else the first text file in review order. */
function usePickedFile(
  scope: string,
  diff: DiffResult | null,
  picked: PickedFile | null,
  onPick: (picked: PickedFile) => void
): { readonly file: FileChange | null; readonly pick: (path: string) => void } {
  const ordered = useMemo(() => reviewOrder(diff?.files ?? []), [diff])
  const path = picked?.scope === scope ? picked.path : null
  const first = ordered.find(({ kind, notStored }) => kind === 'text' && !notStored) ?? ordered[0] ?? null
  const file = diff ? (diff.files.find((candidate) => candidate.path === path) ?? first) : null

  // The file shown first stays selected when newer files arrive above it.
  const firstPath = first?.path
  useEffect(() => {
    if (firstPath !== undefined && picked?.scope !== scope) onPick({ scope, path: firstPath })
  }, [firstPath, scope, picked?.scope, onPick])
  return { file, pick: (next) => onPick({ scope, path: next }) }
}

/** Requests that revert one file, or one hunk, of what is compared. */
function undoRequests(
  comparison: Comparison,
  selection: Selection,
  drift: string | null,
  files: readonly FileChange[]
) {
  const { run, fromSeq } = selection
  return {
    file: (path: string): RestoreRequest => {
      const oldPath = files.find((candidate) => candidate.path === path)?.oldPath
      const paths = oldPath === undefined ? [path] : [path, oldPath]
      if (drift) return { kind: 'drift', drift, paths }
      if (run) return { kind: 'undo-run', run, paths }
      // A comparison without a run restores its older side.
      return { kind: 'restore', target: comparison.target === 'now' ? `seq:${fromSeq}` : comparison.target, paths }
    },
    hunk: (path: string, hunk: number): RestoreRequest | null => {
      const hunks = { [path]: [hunk] }
      if (drift) return { kind: 'drift', drift, hunks }
      // Edits of others beside the hunk stay, so merge needs no decision.
      return run ? { kind: 'undo-run', run, hunks, onConflict: 'merge' } : null
    }
  }
}

function pinOf(node: SelectableRow): string | null {
  return node.kind === 'entry' && node.entry.kind === 'checkpoint' ? node.entry.id : null
}

/** The entry bar already warns about an incomplete run; the files pane does not repeat it. */
function hasNoticeAbove(node: SelectableRow): boolean {
  const run = node.kind === 'entry' ? node.entry : node.run
  return run.kind === 'run' && run.incomplete
}

/** The unreviewed outside change that is compared with the disk, null if something else is shown. */
function driftUnderReview({ node, against }: Selected, { target, to }: Comparison): string | null {
  if (against || node.kind !== 'entry' || node.entry.kind !== 'drift' || node.entry.state !== 'open') return null
  return target === node.entry.id && to === 'now' ? target : null
}

/** What the panes compare; positions are those of the answer. */
function selectionOf(
  comparison: Comparison,
  diff: DiffResult | null,
  run: string | null,
  drift: string | null
): Selection {
  const ofRun = comparison.scope === 'run' || comparison.scope === 'turn'
  return {
    target: comparison.target,
    ...(comparison.to === undefined ? {} : { to: comparison.to }),
    fromSeq: diff?.fromSeq ?? 0,
    toSeq: diff?.toSeq ?? 0,
    ...(ofRun && run ? { run: comparison.scope === 'turn' ? comparison.target : run } : drift ? { run: drift } : {}),
    ...(drift ? { drift: true } : {})
  }
}
