/** Compares two images: side by side, by swiping, by fading, or by their difference. */
import { useState } from 'react'
import type { FileDiff } from '../../../../contract/diff.ts'
import { formatBytes } from '../../../../contract/words/sizes.ts'
import { Segmented } from '../../../ui/segmented.tsx'
import { absenceReason } from '../file-facts.ts'

type ImageDiff = Extract<FileDiff, { view: 'image' }>
type ImageMode = 'two' | 'swipe' | 'onion' | 'difference'

const IMAGE_MODES = [
  { value: 'two', label: '2-up' },
  { value: 'swipe', label: 'Swipe' },
  { value: 'onion', label: 'Onion' },
  { value: 'difference', label: 'Difference' }
] as const satisfies readonly { value: ImageMode; label: string }[]

/** A data URL for <img>. Inside <img>, scripts and external resources of an SVG are disabled. */
const source = (diff: ImageDiff, base64: string) => `data:${diff.mime};base64,${base64}`

export function ImageView({ diff }: { readonly diff: ImageDiff }) {
  const [mode, setMode] = useState<ImageMode>('two')
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
    <div className="image-view">
      {both ? (
        <div className="image-modes">
          <Segmented label="Image comparison" tight options={IMAGE_MODES} value={mode} onChange={setMode} />
        </div>
      ) : null}
      {!both || mode === 'two' ? (
        <div className="image-two">
          <Side diff={diff} side="before" />
          <Side diff={diff} side="after" />
        </div>
      ) : (
        <>
          <div className="checker">
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
          </div>
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

interface SideProps {
  readonly diff: ImageDiff
  readonly side: 'before' | 'after'
}

function Side({ diff, side }: SideProps) {
  const [size, setSize] = useState('')
  const [broken, setBroken] = useState(false)
  const version = diff[side]
  const base64 = diff[`${side}Base64`]
  return (
    <figure>
      <div className="checker">
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
              setSize(`${naturalWidth} × ${naturalHeight}`)
            }}
            onError={() => setBroken(true)}
          />
        )}
      </div>
      <figcaption>
        <span>
          {side}
          {size && base64 !== null ? `, ${size}` : ''}
        </span>
        <span>{base64 === null ? '' : formatBytes(version.size)}</span>
      </figcaption>
    </figure>
  )
}
