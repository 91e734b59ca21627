/** Compares two images: side by side, by swiping, by fading, or by their difference; fitted or in full size. */
import { type ReactNode, useState } from 'react'
import type { FileDiff } from '../../../../contract/diff.ts'
import { formatBytes } from '../../../../contract/words/sizes.ts'
import { Segmented } from '../../../ui/segmented.tsx'
import { absenceReason } from '../file-facts.ts'
import './image-view.css'

type ImageDiff = Extract<FileDiff, { view: 'image' }>
type ImageMode = 'two' | 'swipe' | 'onion' | 'difference'

const IMAGE_MODES = [
  { value: 'two', label: '2-up' },
  { value: 'swipe', label: 'Swipe' },
  { value: 'onion', label: 'Onion' },
  { value: 'difference', label: 'Difference' }
] as const satisfies readonly { value: ImageMode; label: string }[]

/** `full`: a pixel of the image is one of the screen, and what does not fit is scrolled to. */
type ImageSize = 'fit' | 'full'

const IMAGE_SIZES = [
  { value: 'fit', label: 'Fit' },
  { value: 'full', label: '100 %' }
] as const satisfies readonly { value: ImageSize; label: string }[]

/** A data URL for <img>. Inside <img>, scripts and external resources of an SVG are disabled. */
const source = (diff: ImageDiff, base64: string) => `data:${diff.mime};base64,${base64}`

export function ImageView({ diff }: { readonly diff: ImageDiff }) {
  const [mode, setMode] = useState<ImageMode>('two')
  const [size, setSize] = useState<ImageSize>('fit')
  const [amount, setAmount] = useState(50)
  const { beforeBase64, afterBase64 } = diff
  const both = beforeBase64 !== null && afterBase64 !== null
  /** Swiping follows the pointer on the picture; the slider is for keys. */
  const dragEdge = ({ buttons, clientX, currentTarget }: React.PointerEvent) => {
    if (mode !== 'swipe' || buttons !== 1) return
    const { left, width } = currentTarget.getBoundingClientRect()
    setAmount(Math.round(Math.min(1, Math.max(0, (clientX - left) / width)) * 100))
  }
  return (
    <div className="image-view" data-size={size}>
      <div className="image-modes">
        <Segmented label="Image size" tight options={IMAGE_SIZES} value={size} onChange={setSize} />
        {both ? (
          <Segmented label="Image comparison" tight options={IMAGE_MODES} value={mode} onChange={setMode} />
        ) : null}
      </div>
      {!both || mode === 'two' ? (
        <div className="image-two">
          <Side diff={diff} side="before" size={size} />
          <Side diff={diff} side="after" size={size} />
        </div>
      ) : (
        <>
          <Checker label="Both images" size={size}>
            <div
              className="image-stack"
              data-mode={mode}
              style={{ '--amount': `${amount}%` }}
              onPointerDown={dragEdge}
              onPointerMove={dragEdge}
            >
              <img
                className="image-before"
                src={source(diff, beforeBase64)}
                alt={`${diff.path}, before`}
                draggable={false}
              />
              <img
                className="image-after"
                src={source(diff, afterBase64)}
                alt={`${diff.path}, after`}
                draggable={false}
              />
            </div>
          </Checker>
          {mode === 'difference' ? (
            <p className="image-slider muted">Black: unchanged.</p>
          ) : (
            <label className="image-slider">
              <span>before</span>
              <input
                type="range"
                min={0}
                max={100}
                value={amount}
                aria-label={mode === 'swipe' ? 'Share of the image before' : 'Opacity of the image after'}
                onChange={(event) => setAmount(Number(event.target.value))}
              />
              <span>after</span>
            </label>
          )}
        </>
      )}
    </div>
  )
}

interface CheckerProps {
  readonly label: string
  readonly size: ImageSize
  readonly children: ReactNode
}

/** What is below a picture; in full size it scrolls, also by keys. */
function Checker({ label, size, children }: CheckerProps) {
  if (size === 'fit') return <div className="checker">{children}</div>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element needs keyboard access.
    <section className="checker" aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}

interface SideProps {
  readonly diff: ImageDiff
  readonly side: 'before' | 'after'
  readonly size: ImageSize
}

function Side({ diff, side, size }: SideProps) {
  const [pixels, setPixels] = useState('')
  const [broken, setBroken] = useState(false)
  const version = diff[side]
  const base64 = diff[`${side}Base64`]
  return (
    <figure>
      <Checker label={`The image ${side}`} size={size}>
        {base64 === null ? (
          <span className="muted small">{absenceReason(version)}</span>
        ) : broken ? (
          <span className="muted small">Couldn’t display this image. Its bytes are stored.</span>
        ) : (
          <img
            src={source(diff, base64)}
            alt={`${diff.path}, ${side}`}
            draggable={false}
            onLoad={(event) => {
              const { naturalWidth, naturalHeight } = event.currentTarget
              setPixels(`${naturalWidth} × ${naturalHeight}`)
            }}
            onError={() => setBroken(true)}
          />
        )}
      </Checker>
      <figcaption>
        <span>
          {side}
          {pixels && base64 !== null ? `, ${pixels}` : ''}
        </span>
        <span>{base64 === null ? '' : formatBytes(version.size)}</span>
      </figcaption>
    </figure>
  )
}
