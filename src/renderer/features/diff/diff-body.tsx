/** The diff of one file of any kind: notices, then its text, its images, or a notice why no text is shown. */

import { type ReactNode, type Ref, useEffect, useMemo, useState } from 'react'
import { plural } from '../../../contract/words/numbers.ts'
import { DiffNotices, Notice } from './diff-notices.tsx'
import { type DiffViewKind, diffViewKind, exists } from './diff-view-kind.ts'
import { lineCount } from './file-facts.ts'
import type { HunkAction, HunkBarState } from './hunk-bars.ts'
import type { PreservedLines } from './preserved-lines.ts'
import { buildTextDoc, type ChangePosition, isSvg, type TextDoc, type TextOptions } from './text-doc.ts'
import { TextView, type TextViewHandle } from './text-view.tsx'
import type { LoadedDiff } from './use-file-diff.ts'
import { ImageView } from './views/image-view.tsx'
import { DirCard, LargeCard, LinkCard, NotStoredCard, OpaqueCard, SameCard } from './views/unshown-notice.tsx'
import './diff.css'

interface DiffBodyProps {
  readonly loaded: LoadedDiff | null
  /** `loaded` belongs to the previous file or comparison: it stays, dimmed after 150 ms. */
  readonly stale: boolean
  readonly options: TextOptions
  readonly labels: { readonly before: string; readonly after: string }
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
  readonly onFull: () => void
  readonly onPositionChange: (place: ChangePosition) => void
  /** The text is on screen. */
  readonly onShown?: () => void
  readonly onError: (message: string) => void
  readonly onOpenInEditor?: (() => void) | undefined
  readonly bars?: HunkBarState | undefined
  readonly onHunkAction?: ((n: number, act: HunkAction) => void) | undefined
  readonly text: Ref<TextViewHandle>
  /** Notices of the surrounding pane. */
  readonly children?: ReactNode
}

const NO_CHANGES: ChangePosition = { index: 0, total: 0 }

export function DiffBody(props: DiffBodyProps) {
  const { loaded, stale, options, labels, sameAsText = false } = props
  const [showText, setShowText] = useState(false)
  const [revealed, setRevealed] = useState(false)
  const [unlimited, setUnlimited] = useState(false)
  const [shown, setShown] = useState({ key: '', stopped: false, tooLongForInline: false })
  const path = loaded?.path

  // These choices belong to one file.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new file starts masked and as a notice again.
  useEffect(() => {
    setShowText(false)
    setRevealed(false)
    setUnlimited(false)
  }, [path])

  const view = useMemo<DiffViewKind | null>(() => {
    if (!loaded) return null
    if (isSvg(loaded.diff) && showText) {
      const { before, after } = loaded.diff
      return { kind: 'text', shape: !exists(before) ? 'added' : !exists(after) ? 'deleted' : 'changed' }
    }
    return diffViewKind(loaded.diff, showText || sameAsText)
  }, [loaded, showText, sameAsText])
  const doc = useMemo(
    () =>
      loaded && view
        ? buildTextDoc({
            diff: loaded.diff,
            view,
            key: loaded.key,
            revealed,
            plain: loaded.full,
            labels: { before: labels.before, after: labels.after }
          })
        : null,
    [loaded, view, revealed, labels.before, labels.after]
  )
  const { onPositionChange } = props
  const hasDoc = doc !== null
  useEffect(() => {
    if (!hasDoc) onPositionChange(NO_CHANGES)
  }, [hasDoc, onPositionChange])
  const waiting = doc !== null && doc.key !== shown.key
  const first = waiting && shown.key === ''
  return (
    <div className="diff-body" aria-busy={stale || waiting}>
      {stale || waiting ? <div className="loadbar late" role="progressbar" aria-label="Loading" /> : null}
      {stale || waiting ? (
        <p className="diff-slow">
          {waiting && doc ? `Comparing ${plural(linesOf(doc), 'line')}…` : 'Reading the file…'}
        </p>
      ) : null}
      {props.children}
      {loaded && view ? (
        <DiffNotices
          diff={loaded.diff}
          view={view}
          revealed={revealed}
          stopped={shown.stopped && !unlimited && shown.key === doc?.key}
          tooLongForInline={shown.tooLongForInline && !options.split && shown.key === doc?.key}
          isPreview={props.isPreview ?? false}
          newFileNoticeShown={props.newFileNoticeShown ?? false}
          computing={unlimited && waiting}
          onReveal={() => setRevealed((on) => !on)}
          onComputeFully={() => setUnlimited(true)}
        />
      ) : null}
      {loaded && isSvg(loaded.diff) ? (
        <Notice
          icon="image"
          action={{ label: showText ? 'Show image' : 'Show text', run: () => setShowText(!showText) }}
        >
          {showText ? 'Image shown as text.' : 'This image is also text.'}
        </Notice>
      ) : null}
      <div className={stale || waiting ? 'diff-stage late-dim' : 'diff-stage'}>
        <div className={first ? 'text-slot unseen' : 'text-slot'} hidden={!doc}>
          <TextView
            doc={doc}
            options={options}
            unlimited={unlimited}
            preserved={props.preserved ?? null}
            ref={props.text}
            onPositionChange={props.onPositionChange}
            onError={props.onError}
            bars={props.bars}
            onHunkAction={props.onHunkAction}
            onShown={(key, { stopped, tooLongForInline }) => {
              setShown({ key, stopped, tooLongForInline })
              props.onShown?.()
            }}
          />
        </div>
        {loaded && view && view.kind !== 'text' ? (
          <UnshownNotice {...props} loaded={loaded} view={view} onShowText={() => setShowText(true)} />
        ) : null}
      </div>
    </div>
  )
}

function linesOf(doc: TextDoc): number {
  return lineCount(doc.before) + lineCount(doc.after)
}

interface UnshownNoticeProps extends DiffBodyProps {
  readonly loaded: LoadedDiff
  readonly view: DiffViewKind
  readonly onShowText: () => void
}

function UnshownNotice({ loaded: { diff }, view, counts, onFull, onOpenInEditor, onShowText }: UnshownNoticeProps) {
  switch (diff.view) {
    case 'image':
      return <ImageView key={diff.path} diff={diff} />
    case 'large':
      return <LargeCard diff={diff} counts={counts} onShow={onFull} onOpenInEditor={onOpenInEditor} />
    case 'opaque':
      return <OpaqueCard diff={diff} />
    case 'not-kept':
      return <NotStoredCard diff={diff} />
    case 'link':
      return <LinkCard diff={diff} />
    case 'dir':
      return <DirCard diff={diff} />
    case 'text':
      return view.kind === 'same' ? <SameCard diff={diff} view={view} onShow={onShowText} /> : null
  }
}
