/** The diff of one file of any kind: notices, then its text, its images, or a notice why no text is shown. */
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { plural } from '../../../contract/words/numbers.ts'
import { useConnectionState } from '../../client/context.tsx'
import { FailedBlank } from '../../ui/blank.tsx'
import { NewerPill } from '../../ui/newer-pill.tsx'
import { DiffNotices, Notice } from './diff-notices.tsx'
import type { EditorPool } from './editor-pool.ts'
import { lineCount } from './file-facts.ts'
import { hasEditorBlocks, isDrawable } from './first-rows.ts'
import { FirstText } from './first-text.tsx'
import type { PreservedLines } from './preserved-lines.ts'
import { type ChangePosition, firstPosition, isSvg, NO_POSITION, type TextDoc, type TextOptions } from './text-doc.ts'
import { type HunkReview, type LineZone, type TextScroller, TextView, type TextViewHandle } from './text-view.tsx'
import { useCover } from './use-cover.ts'
import type { FileDiffState } from './use-file-diff.ts'
import { type FileChoices, type Labels, useFileChoices, useTextDoc } from './use-text-doc.ts'
import { UnshownNotice } from './views/unshown-notice.tsx'
import './diff-body.css'

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
  /** The surrounding pane is still about the file before, as its text is. */
  readonly isHeld?: boolean
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
const LABELS: Labels = { before: 'Before', after: 'After' }
const FAILURE = { title: 'Couldn’t show this file.', safe: 'The file on disk is unchanged.' }

export function DiffBody(props: DiffBodyProps) {
  const { state, options, labels = LABELS, sameAsText = false, isPreview = false, failure = FAILURE } = props
  const { loaded } = state
  // What a notice says of a text is false below the name of another file.
  const isNamed = state.current || loaded?.path === props.path || props.isHeld === true
  const choices = useFileChoices(loaded?.path)
  const { revealed, unlimited } = choices
  const { view, doc } = useTextDoc(loaded, { ...choices, sameAsText }, labels)
  const { hiddenChanges, moved } = usePosition(doc, props.onPositionChange)
  const { error, setEditorError, retry } = useFailure(state)
  const { stage, showing, focusText } = useHeldFocus(props.text)
  const { shown, setShown, isShown, isWaiting, drawn, isHeld, isBusy, isUnread } = useProgress(props, doc)
  const draw = props.moment?.draw ?? ((doc) => <FirstText doc={doc} options={options} zones={props.zones} />)
  // Until the editor has the text, the place is its first change; in a newer version of the text it has, where the reader is.
  const isOther = doc !== null && doc.comparison !== shown.comparison && !props.scroller
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each text.
  useLayoutEffect(() => {
    if (isOther) moved(firstPosition(doc))
  }, [doc?.key])
  return (
    <>
      {error === null ? null : <Failed error={error} path={props.path} failure={failure} onRetry={retry} />}
      <div
        className="diff-body"
        data-fit={props.scroller && 'content'}
        data-empty={props.path === '' || undefined}
        hidden={error !== null}
        aria-busy={isBusy}
      >
        {isUnread ? (
          <Busy text={doc && isWaiting ? `Comparing ${plural(linesOf(doc), 'line')}…` : 'Reading the file…'} />
        ) : null}
        {props.children}
        {loaded && view && isNamed ? (
          <DiffNotices
            diff={loaded.diff}
            view={view}
            revealed={revealed}
            stopped={isShown && shown.stopped && !unlimited}
            tooLongForInline={isShown && shown.tooLongForInline && !options.split}
            isPreview={isPreview}
            newFileNoticeShown={props.newFileNoticeShown ?? false}
            computing={unlimited && isWaiting}
            whitespace={options.whitespace}
            hiddenChanges={hiddenChanges}
            onReveal={() => choices.setRevealed(!revealed)}
            onComputeFully={() => choices.setUnlimited(true)}
          />
        ) : null}
        {loaded && isNamed && isSvg(loaded.diff) ? <SvgNotice choices={choices} /> : null}
        <div className={isUnread ? 'diff-stage late-dim' : 'diff-stage'} ref={stage}>
          {drawn ? draw(drawn) : null}
          <div
            className={doc === null || (isWaiting && shown.key === '') ? 'text-slot unseen' : 'text-slot'}
            data-covered={drawn !== null || undefined}
            data-over={doc === null || undefined}
          >
            <TextView
              doc={doc}
              isHeld={isHeld}
              isCovered={drawn !== null}
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
                focusText()
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

/** Passes the place in the text on to the surrounding pane, and holds how many changes are hidden. */
function usePosition(doc: TextDoc | null, onPositionChange: DiffBodyProps['onPositionChange']) {
  const [hiddenChanges, setHiddenChanges] = useState(0)
  const moved = (place: ChangePosition) => {
    // The editor keeps the text before, out of sight: another size of the window moves it.
    if (doc === null) return
    setHiddenChanges(place.hidden)
    onPositionChange?.(place)
  }
  const hasDoc = doc !== null
  useLayoutEffect(() => {
    if (!hasDoc) onPositionChange?.(NO_POSITION)
  }, [hasDoc, onPositionChange])
  return { hiddenChanges, moved }
}

/** Why the file cannot be shown: null if it can. */
function useFailure(state: FileDiffState) {
  const [editorError, setEditorError] = useState<string | null>(null)
  // What was read stays on screen while the recorder is away, which a banner says.
  const isAway = useConnectionState().phase !== 'open'
  const readError = isAway && state.current ? null : state.error
  const error = state.loading ? null : (editorError ?? readError)
  const retry = () => {
    setEditorError(null)
    state.reload()
  }
  return { error, setEditorError, retry }
}

/**
 * Keeps the focus in the pane while a text comes in place of the card whose button shows it. `showing` wraps what the
 * button does; `focusText` is called when the text is there.
 */
function useHeldFocus(text: DiffBodyProps['text']) {
  const stage = useRef<HTMLDivElement>(null)
  const holder = useRef<HTMLElement | null>(null)
  const showing = (show: () => void) => () => {
    holder.current = stage.current?.closest<HTMLElement>('[tabindex="-1"]') ?? null
    holder.current?.focus()
    show()
  }
  const focusText = () => {
    if (holder.current === document.activeElement) text.current?.focus()
    holder.current = null
  }
  return { stage, showing, focusText }
}

/** How far a text is: waiting for the editor, `drawn` until the editor has it, or shown by it. */
function useProgress(props: DiffBodyProps, doc: TextDoc | null) {
  const { state, options, moment, path } = props
  const [shown, setShown] = useState(NOTHING)
  const isShown = doc !== null && doc.key === shown.key
  const isWaiting = doc !== null && !isShown
  const { isOver, isHeld } = useCover(doc?.key ?? '', shown.key, {
    canDraw: () => doc !== null && isDrawnFirst(props, doc, shown.comparison),
    isResting: moment?.isResting ?? (props.isLeaving ? false : undefined)
  })
  const drawn = doc !== null && isOver && isDrawable(doc, options) ? doc : null
  const isUnfinished = moment ? isWaiting && drawn === null : !state.current || isWaiting
  const isBusy = path !== '' && (state.loading || isUnfinished)
  const isUnread = isBusy && !(drawn !== null && state.current)
  return { shown, setShown, isShown, isWaiting, drawn, isHeld, isBusy, isUnread }
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
