/** The diff pane: one file of the comparison, with navigation, review and undo. */

import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { Client } from '../../../contract/api.ts'
import type { FileChange } from '../../../contract/diff.ts'
import { plural } from '../../../contract/words/numbers.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import type { ReviewCommands } from '../../commands/state.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Selection } from '../files/selection.ts'
import type { HistoryView } from '../history/use-file-history.ts'
import { DiffBody } from './diff-body.tsx'
import { DiffError } from './diff-error.tsx'
import { DiffHeader } from './diff-header.tsx'
import { type DiffCommand, diffKey } from './diff-keys.ts'
import { diffMenu } from './diff-menu.ts'
import { Notice } from './diff-notices.tsx'
import { InterleavedNotice } from './interleaved-notice.tsx'
import { preloadMonaco } from './load-monaco.ts'
import { NewerEdits } from './newer-edits.tsx'
import type { Review } from './review.ts'
import { reviewScopeOf } from './review-scope.ts'
import type { ChangePosition } from './text-doc.ts'
import type { TextViewHandle } from './text-view.tsx'
import { useChangeNavigation } from './use-change-navigation.ts'
import { useEditFilter } from './use-edit-filter.ts'
import { useFileDiff } from './use-file-diff.ts'
import { usePaneFocus } from './use-pane-focus.ts'
import { useReviewFlow } from './use-review-flow.ts'
import { useTextOptions } from './use-text-options.ts'
import { useWidth } from './use-width.ts'
import { WholeFileReview } from './whole-file-review.tsx'
import './diff.css'

export interface DiffPaneProps {
  readonly client: Client
  readonly workspace: WorkspaceId
  readonly selection: Selection
  readonly file: FileChange | null
  readonly files: readonly FileChange[]
  /** The run is still working. */
  readonly live: boolean
  /** A tool is writing the file now. */
  readonly writing: boolean
  /** Loads newer edits without being asked. */
  readonly newest?: boolean
  /** Selects the file `delta` places away in review order. */
  readonly onStep: (delta: number) => void
  readonly onOpenFile: (path: string) => void
  readonly review: Review
  /** What reverting is called here: "Undo" or "Restore". */
  readonly verb: string
  /** Accepts the outside changes of a file; null if Keep only marks the file as reviewed. */
  readonly onAccept?: ((path: string) => void) | null
  readonly onUndoFile: (path: string) => void
  /** Undoes one hunk; `n`: its number in the file's `hunks`. */
  readonly onUndoChange: (path: string, n: number) => void
  /** Opens the history of a file. */
  readonly onHistory: (path: string, view: HistoryView) => void
  /** Selects an entry of the timeline. */
  readonly onShowEntry: (id: string) => void
  readonly onOpenInEditor?: (path: string) => void
  readonly onReveal?: (path: string) => void
  readonly ref?: Ref<ReviewCommands>
}

const LABELS = { before: 'Before', after: 'After' } as const

export function DiffPane(props: DiffPaneProps) {
  const { client, workspace, file, files, live, onStep, review } = props
  const pane = useRef<HTMLElement>(null)
  const text = useRef<TextViewHandle>(null)
  const width = useWidth(pane)
  const { options, chooseSplit, toggleWhitespace, toggleUnchanged } = useTextOptions(width)
  const { split, ignoreWhitespace, hideUnchanged } = options
  const [position, setPosition] = useState<ChangePosition>({ index: 0, total: 0 })
  const [editorError, setEditorError] = useState<string | null>(null)
  useEffect(preloadMonaco, [])

  const focus = usePaneFocus(pane, text, file === null)
  const { selection } = props
  const { filter, setFilter } = useEditFilter(selection, file)
  const follows = live || selection.toSeq === null
  const state = useFileDiff(client, workspace, selection, file, follows, filter)
  const { loaded, current, loading, newerEdits } = state
  const { reload } = state
  const { newest = false } = props
  useEffect(() => {
    if (newest && newerEdits > 0) reload()
  }, [newest, newerEdits, reload])

  const hasChanges = position.total > 0
  const { step, stepFile, arrive } = useChangeNavigation({
    file,
    loaded,
    hasChanges: hasChanges && current,
    text,
    focus,
    onStep
  })
  const flow = useReviewFlow({
    ...props,
    loaded: current ? loaded : null,
    text,
    onOpenFile: (path) => {
      focus.hold()
      props.onOpenFile(path)
    }
  })
  const openHistory = () => {
    if (file) props.onHistory(file.path, 'change')
  }
  useImperativeHandle(props.ref, () => ({ ...flow, versions: openHistory }))

  const commands: Readonly<Record<DiffCommand, () => void>> = {
    'next-change': () => step(1),
    'previous-change': () => step(-1),
    'next-file': () => stepFile(1),
    'previous-file': () => stepFile(-1),
    'keep-change': flow.keepChange,
    'undo-change': flow.undoChange,
    'keep-file': flow.keepFile,
    'undo-file': flow.undoFile,
    versions: openHistory,
    'viewer-next': () => text.current?.accessibleViewer(1),
    'viewer-previous': () => text.current?.accessibleViewer(-1),
    split: () => chooseSplit(!split),
    whitespace: toggleWhitespace,
    unchanged: toggleUnchanged
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const command = diffKey(event.nativeEvent, event.target)
    if (!command) return
    event.preventDefault()
    event.stopPropagation()
    commands[command]()
  }

  if (!file) {
    return (
      <main className="diffpane" aria-label="Changes" ref={pane} tabIndex={-1} {...focus.handlers}>
        <div className="blank">
          <Icon name="file" size="big" />
          <h3>{files.length > 0 ? 'Select a file to see its changes.' : 'No changes to show.'}</h3>
        </div>
      </main>
    )
  }

  const openInEditor = props.onOpenInEditor ? () => props.onOpenInEditor?.(file.path) : undefined
  const { byHunk, asWhole, undoneBy, undoDisabled } = reviewScopeOf(
    file,
    current && loaded ? loaded.diff : null,
    current ? flow.hunks : [],
    selection.run !== undefined
  )
  const reviewed = files.every(({ path }) => review.reviewed.has(path))
  const menu = diffMenu({
    split,
    ignoreWhitespace,
    hideUnchanged,
    hasText: hasChanges,
    verb: props.verb,
    hunkDisabled: byHunk ? null : 'Single changes can be kept or undone only in a run’s text files',
    undoDisabled,
    onSplit: () => chooseSplit(!split),
    onWhitespace: () => toggleWhitespace(),
    onUnchanged: () => toggleUnchanged(),
    onLines: () => props.onHistory(file.path, 'lines'),
    onViewer: () => text.current?.accessibleViewer(1),
    flow,
    onStep,
    onCopy: () => void navigator.clipboard?.writeText(file.path),
    onReveal: props.onReveal ? () => props.onReveal?.(file.path) : undefined
  })
  const error = editorError ?? state.error
  return (
    <main
      className="diffpane"
      aria-label={`Changes of ${file.path}`}
      ref={pane}
      tabIndex={-1}
      onKeyDownCapture={onKeyDown}
      {...focus.handlers}
    >
      <DiffHeader
        file={file}
        writing={props.writing}
        verb={props.verb}
        keepLabel={props.onAccept ? 'Accept file' : 'Keep file'}
        hasReviewButtons={!asWhole}
        kept={review.reviewed.has(file.path)}
        undoDisabled={undoDisabled}
        position={hasChanges ? position : null}
        split={split}
        onSplit={chooseSplit}
        onStep={step}
        onKeepFile={flow.keepFile}
        onUndoFile={flow.undoFile}
        onOpenInEditor={openInEditor}
        menu={menu}
        history={
          <IconButton icon="history" size="sm" label="History of this file" keys="Alt+H" onClick={openHistory} />
        }
      />
      {file.interleaved && selection.run !== undefined && !selection.drift ? (
        <InterleavedNotice
          path={file.path}
          othersEdits={current ? loaded?.diff.between : undefined}
          filter={filter}
          onFilter={(next) => {
            setEditorError(null)
            setFilter(next)
          }}
        />
      ) : null}
      {error && !loading ? (
        <DiffError
          path={file.path}
          error={error}
          onRetry={() => {
            setEditorError(null)
            state.reload()
          }}
        />
      ) : null}
      <div className="diff-hold" hidden={Boolean(error && !loading)}>
        <DiffBody
          loaded={loaded}
          stale={loading || !current}
          options={options}
          labels={LABELS}
          counts={file.counted ? file : null}
          newFileNoticeShown={asWhole}
          onFull={state.loadFull}
          onPositionChange={setPosition}
          onShown={arrive}
          onError={setEditorError}
          onOpenInEditor={openInEditor}
          bars={flow.bars}
          onHunkAction={flow.act}
          text={text}
        >
          {reviewed ? (
            <Notice icon="okc" action={{ label: 'Start over', run: review.startOver }}>
              All {plural(files.length, 'file')} reviewed.
            </Notice>
          ) : null}
          {asWhole ? (
            <WholeFileReview
              file={file}
              kept={review.reviewed.has(file.path)}
              undoneBy={undoneBy}
              verb={props.verb}
              undoDisabled={undoDisabled}
              onKeep={flow.keepFile}
              onUndo={flow.undoFile}
              onShowRestore={props.onShowEntry}
            />
          ) : null}
        </DiffBody>
        {newerEdits > 0 && current && !loading ? <NewerEdits edits={newerEdits} onShow={state.reload} /> : null}
      </div>
    </main>
  )
}
