/** The diff of one file of any kind: notices, then its text, its images, or a notice why no text is shown. */
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { plural } from '../../../contract/words/numbers.ts'
import { useConnectionState } from '../../client/context.tsx'
import { FailedBlank } from '../../ui/blank.tsx'
import { NewerPill } from '../../ui/newer-pill.tsx'
import { DiffNotices, Notice } from './diff-notices.tsx'
import { type DiffViewKind, diffViewKind, shapeOf } from './diff-view-kind.ts'
import type { EditorPool } from './editor-pool.ts'
import { lineCount } from './file-facts.ts'
import { hasEditorBlocks, isDrawable } from './first-rows.ts'
import { FirstText } from './first-text.tsx'
import type { PreservedLines } from './preserved-lines.ts'
import { buildTextDoc, type ChangePosition, firstPosition, isSvg, type TextDoc, type TextOptions } from './text-doc.ts'
import { type HunkReview, type LineZone, type TextScroller, TextView, type TextViewHandle } from './text-view.tsx'
import { useCover } from './use-cover.ts'
import type { FileDiffState, LoadedDiff } from './use-file-diff.ts'
import { UnshownNotice } from './views/unshown-notice.tsx'
import './diff-body.css'

interface Labels {
  readonly before: string
  readonly after: string
}

interface DiffBodyProps {
  /** The requested file; "" for none: the editor stays for the next one. */
  readonly path: string
  /** A diff of the previous file or comparison stays on screen, dimmed after 150 ms. */
  readonly state: FileDiffState
  readonly options: TextOptions
  /** What the two sides are called. */
  readonly labels?: Labels
  /** Lines added and deleted, null if not counted. */
  readonly counts: { readonly added: number; readonly deleted: number } | null
  /** The diff previews a restore: its changes have not been made yet. */
  readonly isPreview?: boolean
  /** Another bar already says that the file is new. */
  readonly newFileNoticeShown?: boolean
  /** Shows unchanged text instead of a notice. */
  readonly sameAsText?: boolean
  /** Lines to highlight as preserved by a restore. */
  readonly preserved?: PreservedLines | null
  /** What a failure is called, and what is safe then. */
  readonly failure?: { readonly title: string; readonly safe: string }
  readonly onPositionChange?: (place: ChangePosition) => void
  /** The text is on screen. */
  readonly onShown?: () => void
  readonly onOpenInEditor?: (() => void) | undefined
  readonly review?: HunkReview
  /** What is below lines of the text. */
  readonly zones?: readonly LineZone[]
  /** The file is one of several in a scrolling element. */
  readonly scroller?: TextScroller
  /** Where the editor comes from and is returned to; absent: it is made for this text. */
  readonly pool?: EditorPool
  /** Another text is about to be shown: the editor does not load this one any more. */
  readonly isLeaving?: boolean
  /** The text is one of many that follow each other faster than the editor can show them. */
  readonly moment?: Moment
  /** Whether the editor will scroll to a place of its own: then nothing is drawn before at another one. */
  readonly isPlaced?: () => boolean
  readonly text: RefObject<TextViewHandle | null>
  /** Notices of the surrounding pane. */
  readonly children?: ReactNode
}

interface Moment {
  /** The text stays: the editor loads it, and takes the place of what was drawn. */
  readonly isResting: boolean
  readonly draw: (doc: TextDoc) => ReactNode
}

/** What the editor shows before it has a text. */
const NOTHING = { key: '', comparison: '', stopped: false, tooLongForInline: false }
const NO_CHANGES: ChangePosition = { index: 0, total: 0, hidden: 0, lines: 0 }
const LABELS: Labels = { before: 'Before', after: 'After' }
const FAILURE = { title: 'Couldn’t show this file.', safe: 'The file on disk is unchanged.' }

export function DiffBody(props: DiffBodyProps) {
  const { state, options, labels = LABELS, sameAsText = false, isPreview = false, failure = FAILURE } = props
  const { onPositionChange } = props
  const { loaded } = state
  const choices = useFileChoices(loaded?.path)
  const { revealed, unlimited } = choices
  const [editorError, setEditorError] = useState<string | null>(null)
  const [shown, setShown] = useState(NOTHING)

  const { view, doc } = useTextDoc(loaded, { ...choices, sameAsText }, labels)
  const [hiddenChanges, setHiddenChanges] = useState(0)
  const moved = (place: ChangePosition) => {
    // The editor keeps the text before, out of sight: another size of the window moves it.
    if (doc === null) return
    setHiddenChanges(place.hidden)
    onPositionChange?.(place)
  }
  const hasDoc = doc !== null
  useEffect(() => {
    if (!hasDoc) onPositionChange?.(NO_CHANGES)
  }, [hasDoc, onPositionChange])

  // What was read stays on screen while the recorder is away, which a banner says.
  const isAway = useConnectionState().phase !== 'open'
  const readError = isAway && state.current ? null : state.error
  const error = state.loading ? null : (editorError ?? readError)
  const retry = () => {
    setEditorError(null)
    state.reload()
  }
  const stage = useRef<HTMLDivElement>(null)
  /** What has the focus until the text is there: the card goes with the button that shows the text. */
  const holder = useRef<HTMLElement | null>(null)
  const showing = (show: () => void) => () => {
    holder.current = stage.current?.closest<HTMLElement>('[tabindex="-1"]') ?? null
    holder.current?.focus()
    show()
  }
  const isShown = doc !== null && doc.key === shown.key
  const waiting = doc !== null && !isShown
  const cover = useCover(doc?.key ?? '', shown.key, {
    canDraw: () => doc !== null && isDrawnFirst(props, doc, shown.comparison),
    isResting: props.moment?.isResting ?? (props.isLeaving ? false : undefined)
  })
  const isDrawn = doc !== null && cover.isOver && isDrawable(doc, options)
  const draw = props.moment?.draw ?? ((drawn) => <FirstText doc={drawn} options={options} zones={props.zones} />)
  const hasFile = props.path !== ''
  const busy = hasFile && (state.loading || (props.moment ? waiting && !isDrawn : !state.current || waiting))
  const isUnread = busy && !(isDrawn && state.current)
  // Until the editor has the text, the place is that of what is drawn.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each text.
  useEffect(() => {
    if (isDrawn) moved(firstPosition(doc))
  }, [isDrawn, doc?.key])
  return (
    <>
      {error === null ? null : <Failed error={error} path={props.path} failure={failure} onRetry={retry} />}
      <div
        className="diff-body"
        data-fit={props.scroller && 'content'}
        data-empty={!hasFile || undefined}
        hidden={error !== null}
        aria-busy={busy}
      >
        {isUnread ? <Busy text={waiting ? `Comparing ${plural(linesOf(doc), 'line')}…` : 'Reading the file…'} /> : null}
        {props.children}
        {loaded && view ? (
          <DiffNotices
            diff={loaded.diff}
            view={view}
            revealed={revealed}
            stopped={isShown && shown.stopped && !unlimited}
            tooLongForInline={isShown && shown.tooLongForInline && !options.split}
            isPreview={isPreview}
            newFileNoticeShown={props.newFileNoticeShown ?? false}
            computing={unlimited && waiting}
            whitespace={options.whitespace}
            hiddenChanges={hiddenChanges}
            onReveal={() => choices.setRevealed(!revealed)}
            onComputeFully={() => choices.setUnlimited(true)}
          />
        ) : null}
        {loaded && isSvg(loaded.diff) ? <SvgNotice choices={choices} /> : null}
        <div className={isUnread ? 'diff-stage late-dim' : 'diff-stage'} ref={stage}>
          {isDrawn ? draw(doc) : null}
          <div
            className={doc === null || (waiting && shown.key === '') ? 'text-slot unseen' : 'text-slot'}
            data-covered={isDrawn || undefined}
            data-over={doc === null || undefined}
          >
            <TextView
              doc={doc}
              isHeld={cover.isHeld}
              isCovered={isDrawn}
              options={options}
              unlimited={unlimited}
              preserved={props.preserved ?? null}
              ref={props.text}
              onPositionChange={moved}
              onError={setEditorError}
              review={props.review}
              zones={props.zones}
              scroller={props.scroller}
              pool={props.pool}
              onShown={({ key, comparison }, how) => {
                setShown({ key, comparison, ...how })
                // A later text may have been drawn meanwhile.
                if (key !== doc?.key) return
                if (holder.current === document.activeElement) props.text.current?.focus()
                holder.current = null
                props.onShown?.()
              }}
            />
          </div>
          {loaded && view ? (
            <UnshownNotice
              diff={loaded.diff}
              view={view}
              isPreview={isPreview}
              counts={props.counts}
              onShowText={showing(() => choices.setShowText(true))}
              onShowLarge={state.loadFull && showing(state.loadFull)}
              onOpenInEditor={props.onOpenInEditor}
            />
          ) : null}
        </div>
        {state.newerEdits > 0 && state.current && !state.loading ? (
          <NewerPill count={state.newerEdits} noun="newer edit" onShow={retry} />
        ) : null}
      </div>
    </>
  )
}

/** Whether a text is drawn before the editor has it, where the editor will show the same. */
function isDrawnFirst(props: DiffBodyProps, doc: TextDoc, shownComparison: string): boolean {
  const { state, options, preserved, scroller, isPlaced, moment } = props
  const { diff } = state.loaded ?? {}
  // A newer version of the text in the editor keeps the reader's place there.
  if (!moment && doc.comparison === shownComparison) return false
  // Characters that cannot be seen are drawn only by the editor, preserved lines unfold others, and the scroll of all
  // files needs the editor's heights.
  if ((diff?.view === 'text' && diff.hidden) || preserved?.path === doc.path || scroller) return false
  return isPlaced?.() !== true && isDrawable(doc, options) && hasEditorBlocks(doc)
}

interface FailedProps {
  readonly error: string
  readonly path: string
  readonly failure: typeof FAILURE
  readonly onRetry: () => void
}

function Failed({ error, path, failure: { title, safe }, onRetry }: FailedProps) {
  return <FailedBlank title={title} text={`${error} ${safe}`} details={`${path}\n${error}`} onRetry={onRetry} />
}

/** An SVG is shown as an image or as text. */
function SvgNotice({ choices: { showText, setShowText } }: { readonly choices: FileChoices }) {
  const action = { label: showText ? 'Show image' : 'Show text', run: () => setShowText(!showText) }
  return (
    <Notice icon="image" action={action}>
      {showText ? 'Image shown as text.' : 'This image is also text.'}
    </Notice>
  )
}

function linesOf(doc: TextDoc): number {
  return lineCount(doc.before) + lineCount(doc.after)
}

/** A bar at once; words when it takes longer than 2 s. */
function Busy({ text }: { readonly text: string }) {
  return (
    <>
      <div className="loadbar late" role="progressbar" aria-label="Loading" />
      <p className="diff-slow">{text}</p>
    </>
  )
}

type FileChoices = ReturnType<typeof useFileChoices>

/** What a person chose for the file on screen: a new file starts masked and as a notice again. */
function useFileChoices(path: string | undefined) {
  const [showText, setShowText] = useState(false)
  const [revealed, setRevealed] = useState(false)
  const [unlimited, setUnlimited] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the choices belong to one file.
  useEffect(() => {
    setShowText(false)
    setRevealed(false)
    setUnlimited(false)
  }, [path])
  return { showText, setShowText, revealed, setRevealed, unlimited, setUnlimited }
}

interface TextChoices {
  readonly showText: boolean
  readonly revealed: boolean
  readonly sameAsText: boolean
}

/** How a loaded file is shown, and its text if it is shown as text. Changes only if one of its parts does. */
function useTextDoc(loaded: LoadedDiff | null, choices: TextChoices, { before, after }: Labels) {
  const { showText, revealed, sameAsText } = choices
  const view = useMemo<DiffViewKind | null>(() => {
    if (!loaded) return null
    if (isSvg(loaded.diff) && showText) return { kind: 'text', shape: shapeOf(loaded.diff) }
    return diffViewKind(loaded.diff, showText || sameAsText)
  }, [loaded, showText, sameAsText])
  const doc = useMemo(() => {
    if (!loaded || !view) return null
    const { diff, key, request, full, blocks = null } = loaded
    const labels = { before, after }
    return buildTextDoc({ diff, view, key, comparison: request, revealed, plain: full, labels, blocks })
  }, [loaded, view, revealed, before, after])
  return { view, doc }
}
