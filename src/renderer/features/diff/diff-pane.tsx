/** The diff: one file of the comparison, with everything needed to read it and to take it back. */
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import type { Client } from '../../../contract/api.ts'
import type { FileChange } from '../../../contract/diff.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import type { ReviewCommands } from '../../commands/state.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { announce } from '../../ui/live-region.tsx'
import { count } from '../files/file-words.ts'
import type { Selection } from '../files/files-pane.tsx'
import { BlameView } from './blame-view.tsx'
import { DiffBody } from './diff-body.tsx'
import { DiffError } from './diff-error.tsx'
import { DiffHeader } from './diff-header.tsx'
import { diffKey } from './diff-keys.ts'
import { diffMenu } from './diff-menu.ts'
import { Notice } from './diff-notices.tsx'
import { FileDecision } from './file-decision.tsx'
import { Interleaved } from './interleaved.tsx'
import { warmMonaco } from './load-monaco.ts'
import type { Review } from './review.ts'
import type { ChangePlace } from './text-doc.ts'
import type { TextViewHandle } from './text-view.tsx'
import { useFileDiff } from './use-file-diff.ts'
import { useReviewFlow } from './use-review-flow.ts'
import { useShown } from './use-shown.ts'
import { useTextOptions } from './use-text-options.ts'
import { useWidth } from './use-width.ts'
import { VersionNotice } from './version-notice.tsx'
import { VersionsButton, type VersionsHandle } from './versions-button.tsx'
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
  /** Brings back the file as an Edit left it. */
  readonly onRestoreVersion: (path: string, seq: number) => void
  /** Selects an entry of the timeline. */
  readonly onShowEntry: (id: string) => void
  readonly onOpenInEditor?: (path: string) => void
  readonly onReveal?: (path: string) => void
  readonly ref?: Ref<ReviewCommands>
}

const VERSION_LABELS = { before: 'Then', after: 'On disk now' } as const
const LABELS = { before: 'Before', after: 'After' } as const

export function DiffPane(props: DiffPaneProps) {
  const { client, workspace, file, files, live, onStep, review } = props
  const pane = useRef<HTMLElement>(null)
  const text = useRef<TextViewHandle>(null)
  const width = useWidth(pane)
  const { options, chooseSplit, toggleWhitespace, toggleUnchanged } = useTextOptions(width)
  const { split, ignoreWhitespace, hideUnchanged } = options
  const [blame, setBlame] = useState(false)
  const [place, setPlace] = useState<ChangePlace>({ at: 0, of: 0 })
  const [broken, setBroken] = useState<string | null>(null)
  const arriving = useRef<{ from: string; end: 'first' | 'last' } | null>(null)
  useEffect(warmMonaco, [])

  // Focus stays in the pane while another file is on its way: a removed editor tells nobody that it lost focus.
  const holdsFocus = useRef(false)
  const hold = {
    onFocus: () => {
      holdsFocus.current = true
    },
    onBlur: () => {
      holdsFocus.current = false
    }
  }
  const isEmpty = file === null
  useLayoutEffect(() => {
    if (isEmpty && holdsFocus.current && document.activeElement === document.body) pane.current?.focus()
  }, [isEmpty])

  const choose = useShown(props.selection, file)
  const { selection, part, version } = choose
  const follows = (live && !version) || selection.toSeq === null
  const state = useFileDiff(client, workspace, selection, choose.file, follows, part)
  const versions = useRef<VersionsHandle>(null)
  const { loaded, current, loading, newer } = state
  const { reload } = state
  const { newest = false } = props
  useEffect(() => {
    if (newest && newer > 0) reload()
  }, [newest, newer, reload])

  // What has focus in this file goes with it: the pane holds it until the next text takes it over.
  const holding = useRef(false)
  const holdFocus = () => {
    if (!pane.current?.contains(document.activeElement)) return
    holding.current = true
    pane.current.focus()
    holding.current = false
  }
  const step = (delta: 1 | -1) => {
    if (hasText && current && text.current?.go(delta)) return
    if (file) arriving.current = { from: file.path, end: delta > 0 ? 'first' : 'last' }
    stepFile(delta)
  }
  const stepFile = (delta: 1 | -1) => {
    holdFocus()
    onStep(delta)
  }
  const shown = () => {
    // Somebody came here while the text was on its way.
    if (document.activeElement === pane.current) text.current?.focus()
    const at = arriving.current
    if (at && loaded && at.from !== loaded.path) {
      arriving.current = null
      if (at.end === 'last') text.current?.goToEnd('last')
      announce(`${loaded.path}, ${at.end} change.`)
    }
  }

  const flow = useReviewFlow({
    ...props,
    loaded: current && !version ? loaded : null,
    text,
    onOpenFile: (path) => {
      holdFocus()
      props.onOpenFile(path)
    }
  })
  useImperativeHandle(props.ref, () => ({ ...flow, versions: () => versions.current?.open() }))

  const key = (event: KeyboardEvent<HTMLElement>) => {
    const act = diffKey(event.nativeEvent, event.target)
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    if (act === 'next-change') step(1)
    else if (act === 'previous-change') step(-1)
    else if (act === 'next-file') stepFile(1)
    else if (act === 'previous-file') stepFile(-1)
    else if (act === 'keep-change') flow.keepChange()
    else if (act === 'undo-change') flow.undoChange()
    else if (act === 'keep-file') flow.keepFile()
    else if (act === 'undo-file') flow.undoFile()
    else if (act === 'versions') versions.current?.open()
    else if (act === 'viewer-next') text.current?.accessibleViewer(1)
    else if (act === 'viewer-previous') text.current?.accessibleViewer(-1)
    else if (act === 'split') chooseSplit(!split)
    else if (act === 'whitespace') toggleWhitespace()
    else if (act === 'unchanged') toggleUnchanged()
  }

  if (!file) {
    return (
      <main className="diffpane" aria-label="Changes" ref={pane} tabIndex={-1} {...hold}>
        <div className="blank">
          <Icon name="file" size="big" />
          <h3>{files.length > 0 ? 'Choose a file to see what changed.' : 'There is no change to show.'}</h3>
        </div>
      </main>
    )
  }

  const hasText = place.of > 0 && !blame
  const openInEditor = props.onOpenInEditor ? () => props.onOpenInEditor?.(file.path) : undefined
  const divisible = current && !blame && flow.hunks.length > 0
  const takenBack = (current ? loaded?.diff.takenBack : null) ?? file.takenBack ?? null
  const noUndo = takenBack
    ? 'It is taken back already'
    : file.notStored
      ? 'The earlier content of this file is not kept'
      : null
  const whole = current && selection.run !== undefined && loaded?.diff.takenBack !== undefined && !divisible
  const reviewed = files.every(({ path }) => review.viewed.has(path))
  const menu = diffMenu({
    split,
    ignoreWhitespace,
    hideUnchanged,
    blame,
    hasText,
    verb: props.verb,
    single: divisible ? null : 'Only a run’s changes of a text can be decided one by one',
    noUndo,
    onSplit: () => chooseSplit(!split),
    onWhitespace: () => toggleWhitespace(),
    onUnchanged: () => toggleUnchanged(),
    onBlame: () => setBlame((on) => !on),
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
      onBlur={hold.onBlur}
      onFocus={(event) => {
        hold.onFocus()
        // Alt+3 and Enter put focus on the pane; the text is where reading goes on.
        if (event.target === event.currentTarget && !holding.current) text.current?.focus()
      }}
    >
      <DiffHeader
        file={file}
        writing={props.writing}
        verb={props.verb}
        keep={props.onAccept ? 'Accept file' : 'Keep file'}
        decides={!whole && !version}
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
        versions={
          <VersionsButton
            ref={versions}
            client={client}
            workspace={workspace}
            path={file.path}
            shown={version}
            onPick={choose.chooseVersion}
          />
        }
      />
      {version ? (
        <VersionNotice
          version={version}
          onRestore={() => props.onRestoreVersion(file.path, version.seq)}
          onBack={() => {
            choose.chooseVersion(null)
            pane.current?.focus()
          }}
        />
      ) : null}
      {file.interleaved && selection.run !== undefined && !selection.drift ? (
        <Interleaved
          path={file.path}
          between={current ? loaded?.diff.between : undefined}
          part={part}
          onPart={(next) => {
            setBroken(null)
            choose.choosePart(next)
          }}
        />
      ) : null}
      {error && !loading && !blame ? (
        <DiffError
          path={file.path}
          error={error}
          onRetry={() => {
            setBroken(null)
            state.reload()
          }}
        />
      ) : null}
      {blame ? (
        <BlameView
          client={client}
          workspace={workspace}
          path={file.path}
          secret={file.secret}
          onClose={() => {
            setBlame(false)
            pane.current?.focus()
          }}
        />
      ) : null}
      <div className="diff-hold" hidden={blame || Boolean(error && !loading)}>
        <DiffBody
          loaded={loaded}
          stale={loading || !current}
          options={options}
          labels={version ? VERSION_LABELS : LABELS}
          counts={file.counted ? file : null}
          sameAsText={version !== null}
          told={whole}
          onFull={state.loadFull}
          onPlace={setPlace}
          onShown={shown}
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
        {newer > 0 && current && !loading ? (
          <div className="pilln" role="status">
            <Icon name="adown" size="s" />
            {count(newer, 'newer edit')}
            <Button size="sm" kind="plain" onClick={state.reload}>
              Show
            </Button>
          </div>
        ) : null}
      </div>
    </main>
  )
}
