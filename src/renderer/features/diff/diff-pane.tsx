/** The diff: one file of the comparison, with everything needed to read it and to take it back. */
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { Client } from '../../../contract/api.ts'
import type { FileChange } from '../../../contract/diff.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import type { ReviewCommands } from '../../commands/state.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { count } from '../files/file-words.ts'
import type { Selection } from '../files/selection.ts'
import type { HistoryView } from '../history/use-file-history.ts'
import { decidableOf } from './decidable.ts'
import { DiffBody } from './diff-body.tsx'
import { DiffError } from './diff-error.tsx'
import { DiffHeader } from './diff-header.tsx'
import { type DiffAct, diffKey } from './diff-keys.ts'
import { diffMenu } from './diff-menu.ts'
import { Notice } from './diff-notices.tsx'
import { FileDecision } from './file-decision.tsx'
import { Interleaved } from './interleaved.tsx'
import { warmMonaco } from './load-monaco.ts'
import { NewerEdits } from './newer-edits.tsx'
import type { Review } from './review.ts'
import type { ChangePlace } from './text-doc.ts'
import type { TextViewHandle } from './text-view.tsx'
import { useFileDiff } from './use-file-diff.ts'
import { usePaneFocus } from './use-pane-focus.ts'
import { usePart } from './use-part.ts'
import { useReviewFlow } from './use-review-flow.ts'
import { useSteps } from './use-steps.ts'
import { useTextOptions } from './use-text-options.ts'
import { useWidth } from './use-width.ts'
import './diff.css'

export interface DiffPaneProps {
  readonly client: Client
  readonly workspace: WorkspaceId
  readonly selection: Selection
  readonly file: FileChange | null
  readonly files: readonly FileChange[]
  /** The run shown is still working. */
  readonly live: boolean
  /** A tool writes the file at this moment. */
  readonly writing: boolean
  /** Newer edits are shown as they come, without being asked for. */
  readonly newest?: boolean
  /** Selects the file that many places away in review order. */
  readonly onStep: (delta: number) => void
  readonly onOpenFile: (path: string) => void
  readonly review: Review
  /** What taking back is called here: "Undo", "Put back", "Restore". */
  readonly verb: string
  /** Leaves a file as it was changed outside; null where keeping only marks it. */
  readonly onAccept?: ((path: string) => void) | null
  readonly onUndoFile: (path: string) => void
  /** Takes back one change: `n` as the file's `hunks` count. */
  readonly onUndoChange: (path: string, n: number) => void
  /** Every version of the file, and who wrote its lines. */
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
  const [place, setPlace] = useState<ChangePlace>({ at: 0, of: 0 })
  const [broken, setBroken] = useState<string | null>(null)
  useEffect(warmMonaco, [])

  const focus = usePaneFocus(pane, text, file === null)
  const { selection } = props
  const { part, choosePart } = usePart(selection, file)
  const follows = live || selection.toSeq === null
  const state = useFileDiff(client, workspace, selection, file, follows, part)
  const { loaded, current, loading, newer } = state
  const { reload } = state
  const { newest = false } = props
  useEffect(() => {
    if (newest && newer > 0) reload()
  }, [newest, newer, reload])

  const hasText = place.of > 0
  const { step, stepFile, arrive } = useSteps({ file, loaded, hasChanges: hasText && current, text, focus, onStep })
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

  const acts: Readonly<Record<DiffAct, () => void>> = {
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
  const key = (event: KeyboardEvent<HTMLElement>) => {
    const act = diffKey(event.nativeEvent, event.target)
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    acts[act]()
  }

  if (!file) {
    return (
      <main className="diffpane" aria-label="Changes" ref={pane} tabIndex={-1} {...focus.handlers}>
        <div className="blank">
          <Icon name="file" size="big" />
          <h3>{files.length > 0 ? 'Choose a file to see what changed.' : 'There is no change to show.'}</h3>
        </div>
      </main>
    )
  }

  const openInEditor = props.onOpenInEditor ? () => props.onOpenInEditor?.(file.path) : undefined
  const { single, whole, takenBack, noUndo } = decidableOf(
    file,
    current && loaded ? loaded.diff : null,
    current ? flow.hunks : [],
    selection.run !== undefined
  )
  const reviewed = files.every(({ path }) => review.viewed.has(path))
  const menu = diffMenu({
    split,
    ignoreWhitespace,
    hideUnchanged,
    hasText,
    verb: props.verb,
    single: single ? null : 'Only a run’s changes of a text can be decided one by one',
    noUndo,
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
  const error = broken ?? state.error
  return (
    <main
      className="diffpane"
      aria-label={`${file.path}, what changed`}
      ref={pane}
      tabIndex={-1}
      onKeyDownCapture={key}
      {...focus.handlers}
    >
      <DiffHeader
        file={file}
        writing={props.writing}
        verb={props.verb}
        keep={props.onAccept ? 'Accept file' : 'Keep file'}
        decides={!whole}
        kept={review.viewed.has(file.path)}
        noUndo={noUndo}
        place={hasText ? place : null}
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
        <Interleaved
          path={file.path}
          between={current ? loaded?.diff.between : undefined}
          part={part}
          onPart={(next) => {
            setBroken(null)
            choosePart(next)
          }}
        />
      ) : null}
      {error && !loading ? (
        <DiffError
          path={file.path}
          error={error}
          onRetry={() => {
            setBroken(null)
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
          told={whole}
          onFull={state.loadFull}
          onPlace={setPlace}
          onShown={arrive}
          onError={setBroken}
          onOpenInEditor={openInEditor}
          bars={flow.bars}
          onChangeAct={flow.act}
          text={text}
        >
          {reviewed ? (
            <Notice icon="okc" action={{ label: 'Start over', run: review.startOver }}>
              All {count(files.length, 'file')} reviewed.
            </Notice>
          ) : null}
          {whole ? (
            <FileDecision
              file={file}
              kept={review.viewed.has(file.path)}
              takenBack={takenBack}
              verb={props.verb}
              noUndo={noUndo}
              onKeep={flow.keepFile}
              onUndo={flow.undoFile}
              onFind={props.onShowEntry}
            />
          ) : null}
        </DiffBody>
        {newer > 0 && current && !loading ? <NewerEdits edits={newer} onShow={state.reload} /> : null}
      </div>
    </main>
  )
}
