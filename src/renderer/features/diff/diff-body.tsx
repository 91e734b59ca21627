/** One file as a reader sees it, whatever it holds: notices, then text, pictures or a card. */
import { type ReactNode, type Ref, useEffect, useMemo, useState } from 'react'
import { count } from '../files/file-words.ts'
import type { BarState, ChangeAct } from './change-bars.ts'
import { DiffNotices, Notice } from './diff-notices.tsx'
import { docOf, isSvg } from './doc-of.ts'
import { type Face, faceOf, isThere } from './face.ts'
import { lineCount } from './measures.ts'
import type { OwnLines } from './own-lines.ts'
import type { ChangePlace, TextDoc, TextOptions } from './text-doc.ts'
import { TextView, type TextViewHandle } from './text-view.tsx'
import type { LoadedDiff } from './use-file-diff.ts'
import { ImageView } from './views/image-view.tsx'
import { DirCard, LargeCard, LinkCard, NotKeptCard, OpaqueCard, SameCard } from './views/told.tsx'
import './diff.css'

interface DiffBodyProps {
  readonly loaded: LoadedDiff | null
  /** What is loaded is not the file asked for: it stays, dimmed after 150 ms. */
  readonly stale: boolean
  readonly options: TextOptions
  readonly labels: { readonly before: string; readonly after: string }
  readonly counts: { readonly added: number; readonly deleted: number } | null
  /** What is compared has not happened yet. */
  readonly ahead?: boolean
  /** The surrounding screen tells what became of the file as a whole. */
  readonly told?: boolean
  /** Text that does not change is shown all the same. */
  readonly sameAsText?: boolean
  /** Lines a person wrote that are marked as such. */
  readonly own?: OwnLines | null
  readonly onFull: () => void
  readonly onPlace: (place: ChangePlace) => void
  /** The text is on screen now. */
  readonly onShown?: () => void
  readonly onError: (message: string) => void
  readonly onOpenInEditor?: (() => void) | undefined
  readonly bars?: BarState | undefined
  readonly onChangeAct?: ((n: number, act: ChangeAct) => void) | undefined
  readonly text: Ref<TextViewHandle>
  /** Notices of the surrounding screen. */
  readonly children?: ReactNode
}

const NOWHERE: ChangePlace = { at: 0, of: 0 }

export function DiffBody(props: DiffBodyProps) {
  const { loaded, stale, options, labels, sameAsText = false } = props
  const [showText, setShowText] = useState(false)
  const [revealed, setRevealed] = useState(false)
  const [unlimited, setUnlimited] = useState(false)
  const [shown, setShown] = useState({ key: '', stopped: false, crowded: false })
  const path = loaded?.path

  // What a person asked to see belongs to one file.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new file starts masked and folded again.
  useEffect(() => {
    setShowText(false)
    setRevealed(false)
    setUnlimited(false)
  }, [path])

  const face = useMemo<Face | null>(() => {
    if (!loaded) return null
    if (isSvg(loaded.diff) && showText) {
      const { before, after } = loaded.diff
      return { kind: 'text', shape: !isThere(before) ? 'born' : !isThere(after) ? 'gone' : 'changed' }
    }
    return faceOf(loaded.diff, showText || sameAsText)
  }, [loaded, showText, sameAsText])
  const doc = useMemo(
    () =>
      loaded && face
        ? docOf({
            diff: loaded.diff,
            face,
            key: loaded.key,
            revealed,
            plain: loaded.full,
            labels: { before: labels.before, after: labels.after }
          })
        : null,
    [loaded, face, revealed, labels.before, labels.after]
  )
  const { onPlace } = props
  const hasDoc = doc !== null
  useEffect(() => {
    if (!hasDoc) onPlace(NOWHERE)
  }, [hasDoc, onPlace])
  const waiting = doc !== null && doc.key !== shown.key
  const first = waiting && shown.key === ''
  return (
    <div className="diff-body" aria-busy={stale || waiting}>
      {stale || waiting ? <div className="loadbar late" role="progressbar" aria-label="Loading" /> : null}
      {stale || waiting ? (
        <p className="diff-slow">
          {waiting && doc ? `Comparing ${count(linesOf(doc), 'line')}…` : 'Reading the file…'}
        </p>
      ) : null}
      {props.children}
      {loaded && face ? (
        <DiffNotices
          diff={loaded.diff}
          face={face}
          revealed={revealed}
          stopped={shown.stopped && !unlimited && shown.key === doc?.key}
          crowded={shown.crowded && !options.split && shown.key === doc?.key}
          ahead={props.ahead ?? false}
          told={props.told ?? false}
          computing={unlimited && waiting}
          onReveal={() => setRevealed((now) => !now)}
          onComputeFully={() => setUnlimited(true)}
        />
      ) : null}
      {loaded && isSvg(loaded.diff) ? (
        <Notice
          icon="image"
          action={{ label: showText ? 'Show picture' : 'Show text', run: () => setShowText(!showText) }}
        >
          {showText ? 'A picture, shown as its text.' : 'A picture that is also text.'}
        </Notice>
      ) : null}
      <div className={stale || waiting ? 'diff-stage late-dim' : 'diff-stage'}>
        <div className={first ? 'text-slot unseen' : 'text-slot'} hidden={!doc}>
          <TextView
            doc={doc}
            options={options}
            unlimited={unlimited}
            own={props.own ?? null}
            ref={props.text}
            onPlace={props.onPlace}
            onError={props.onError}
            bars={props.bars}
            onChangeAct={props.onChangeAct}
            onShown={(key, { stopped, crowded }) => {
              setShown({ key, stopped, crowded })
              props.onShown?.()
            }}
          />
        </div>
        {loaded && face && face.kind !== 'text' ? (
          <Told {...props} loaded={loaded} face={face} onShowText={() => setShowText(true)} />
        ) : null}
      </div>
    </div>
  )
}

function linesOf(doc: TextDoc): number {
  return lineCount(doc.before) + lineCount(doc.after)
}

interface ToldProps extends DiffBodyProps {
  readonly loaded: LoadedDiff
  readonly face: Face
  readonly onShowText: () => void
}

function Told({ loaded: { diff }, face, counts, onFull, onOpenInEditor, onShowText }: ToldProps) {
  switch (diff.view) {
    case 'image':
      return <ImageView key={diff.path} diff={diff} />
    case 'large':
      return <LargeCard diff={diff} counts={counts} onShow={onFull} onOpenInEditor={onOpenInEditor} />
    case 'opaque':
      return <OpaqueCard diff={diff} />
    case 'not-kept':
      return <NotKeptCard diff={diff} />
    case 'link':
      return <LinkCard diff={diff} />
    case 'dir':
      return <DirCard diff={diff} />
    case 'text':
      return face.kind === 'same' ? <SameCard diff={diff} face={face} onShow={onShowText} /> : null
  }
}
