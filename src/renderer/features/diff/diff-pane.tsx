/** The diff pane: one file of the comparison, with navigation, review and undo. */

import { type KeyboardEvent, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { plural } from '../../../contract/words/numbers.ts'
import { Icon } from '../../ui/icon.tsx'
import { type Selection, verbOf } from '../files/selection.ts'
import { useFileActions, useOpenWorkspace, useReview, useWorkspaceState } from '../workspace/state/context.tsx'
import { isFollowing } from '../workspace/state/derived.ts'
import { NO_FILES } from '../workspace/state/store.ts'
import { DiffBody } from './diff-body.tsx'
import { DiffError } from './diff-error.tsx'
import { DiffHeader } from './diff-header.tsx'
import { type DiffCommand, diffKey } from './diff-keys.ts'
import { diffMenu } from './diff-menu.ts'
import { Notice } from './diff-notices.tsx'
import { InterleavedNotice, useEditFilter } from './interleaved-notice.tsx'
import { preloadMonaco } from './load-monaco.ts'
import { NewerEdits } from './newer-edits.tsx'
import { reviewScopeOf } from './review.ts'
import type { ChangePosition } from './text-doc.ts'
import type { TextViewHandle } from './text-view.tsx'
import { useChangeNavigation, usePaneFocus } from './use-change-navigation.ts'
import { useFileDiff } from './use-file-diff.ts'
import { useReviewFlow } from './use-review-flow.ts'
import { useTextOptions, useWidth } from './use-text-options.ts'
import { WholeFileReview } from './whole-file-review.tsx'
import './diff.css'

const LABELS = { before: 'Before', after: 'After' } as const

export function DiffPane({ selection }: { readonly selection: Selection }) {
  const { handles, actions } = useOpenWorkspace()
  const file = useWorkspaceState((state) => state.file)
  const hasFiles = useWorkspaceState(({ diff }) => diff !== null && diff.files.length > 0)
  const live = useWorkspaceState((state) => state.live)
  const newest = useWorkspaceState(isFollowing)
  const { openInEditor, reveal } = useFileActions()
  const onStep = actions.stepFile
  const pane = useRef<HTMLElement>(null)
  const text = useRef<TextViewHandle>(null)
  const width = useWidth(pane)
  const { options, chooseSplit, toggleWhitespace, toggleUnchanged } = useTextOptions(width)
  const { split, ignoreWhitespace, hideUnchanged } = options
  const [position, setPosition] = useState<ChangePosition>({ index: 0, total: 0 })
  const [editorError, setEditorError] = useState<string | null>(null)
  useEffect(preloadMonaco, [])

  const focus = usePaneFocus(pane, text, file === null)
  const { filter, setFilter } = useEditFilter(selection, file)
  const isRun = selection.run !== undefined
  const state = useFileDiff(selection.query, file, {
    live: live || selection.query.to === 'now',
    ...(isRun && filter !== 'all' ? { edits: filter } : {})
  })
  const { loaded, current, loading, newerEdits } = state
  const { reload } = state
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
    file,
    loaded: current ? loaded : null,
    verb: verbOf(selection),
    text,
    onOpenFile: (path) => {
      focus.hold()
      actions.pickFile(path)
    }
  })
  const openHistory = () => {
    if (file) actions.openHistory(file.path, 'change')
  }
  useImperativeHandle(handles.review, () => ({ ...flow, versions: openHistory }))

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
          <h3>{hasFiles ? 'Select a file to see its changes.' : 'No changes to show.'}</h3>
        </div>
      </main>
    )
  }

  const verb = verbOf(selection)
  const scope = reviewScopeOf(file, current && loaded ? loaded.diff : null, current ? flow.hunks : [], isRun)
  const menu = diffMenu({
    split,
    ignoreWhitespace,
    hideUnchanged,
    hasText: hasChanges,
    verb,
    hunkDisabled: scope.byHunk ? null : 'Single changes can be kept or undone only in a run’s text files',
    undoDisabled: scope.undoDisabled,
    onSplit: () => chooseSplit(!split),
    onWhitespace: () => toggleWhitespace(),
    onUnchanged: () => toggleUnchanged(),
    onLines: () => actions.openHistory(file.path, 'lines'),
    onViewer: () => text.current?.accessibleViewer(1),
    flow,
    onStep,
    onCopy: () => void navigator.clipboard?.writeText(file.path),
    onReveal: reveal ? () => reveal(file.path) : undefined
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
        verb={verb}
        scope={scope}
        flow={flow}
        position={hasChanges ? position : null}
        split={split}
        onSplit={chooseSplit}
        onStep={step}
        menu={menu}
      />
      {file.interleaved && isRun && !selection.drift ? (
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
          newFileNoticeShown={scope.asWhole}
          onFull={state.loadFull}
          onPositionChange={setPosition}
          onShown={arrive}
          onError={setEditorError}
          onOpenInEditor={openInEditor && (() => openInEditor(file.path))}
          bars={flow.bars}
          onHunkAction={flow.act}
          text={text}
        >
          <AllReviewed />
          {scope.asWhole ? <WholeFileReview file={file} scope={scope} verb={verb} flow={flow} /> : null}
        </DiffBody>
        {newerEdits > 0 && current && !loading ? <NewerEdits edits={newerEdits} onShow={state.reload} /> : null}
      </div>
    </main>
  )
}

function AllReviewed() {
  const files = useWorkspaceState(({ diff }) => diff?.files ?? NO_FILES)
  const { reviewed, startOver } = useReview()
  if (!files.every(({ path }) => reviewed.has(path))) return null
  return (
    <Notice icon="okc" action={{ label: 'Start over', run: startOver }}>
      All {plural(files.length, 'file')} reviewed.
    </Notice>
  )
}
