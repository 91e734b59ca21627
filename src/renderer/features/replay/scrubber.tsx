/** The scrubber: a slider over all edits with the marks above it, its buttons, and what the position is. */
import { memo, type Ref } from 'react'
import { splitPath } from '../../../contract/words/paths.ts'
import { stepText } from '../../../contract/words/replay.ts'
import { testDetail } from '../../../contract/words/tests.ts'
import { clip } from '../../../contract/words/text.ts'
import { clock } from '../../../contract/words/times.ts'
import { type Mark, SPEEDS, type Speed, type Step, visibleMarks } from '../../model/replay.ts'
import { IconButton } from '../../ui/button.tsx'
import { Counts } from '../../ui/counts.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { MenuButton } from '../../ui/menu.tsx'
import { TEST_ICONS } from '../../ui/test-mark.tsx'
import type { Playback } from './use-playback.ts'

interface ScrubberProps {
  readonly steps: readonly Step[]
  /** Also of those that are not loaded yet. */
  readonly total: number
  readonly marks: readonly Mark[]
  readonly playback: Playback
  readonly slider: Ref<HTMLInputElement>
}

export function Scrubber({ steps, total, marks, playback, slider }: ScrubberProps) {
  const { step, direction, speed } = playback
  const edit = steps[step - 1]
  const playing = direction !== 0
  return (
    <section className="scrubber" aria-label="Position">
      <div className="scrub-track">
        <Marks marks={marks} steps={total} />
        <input
          ref={slider}
          type="range"
          className="scrub-slider"
          aria-label="Position in the replay"
          aria-valuetext={stepText(step, total, edit)}
          min={0}
          max={total}
          value={step}
          style={{ '--done': total === 0 ? 0 : step / total }}
          onChange={(event) => playback.seek(Number(event.target.value))}
        />
      </div>
      <div className="scrub-bar">
        <IconButton icon="left" label="Previous edit" keys="ArrowLeft" onClick={() => playback.seek(step - 1)} />
        <IconButton
          icon={playing ? 'pause' : 'play'}
          label={playing ? 'Pause' : 'Play'}
          keys="Space"
          onClick={playback.toggle}
        />
        <IconButton icon="right" label="Next edit" keys="ArrowRight" onClick={() => playback.seek(step + 1)} />
        <SpeedMenu speed={speed} onChange={playback.setSpeed} />
        <StepFacts step={step} steps={total} edit={edit} />
      </div>
    </section>
  )
}

function SpeedMenu({ speed, onChange }: { readonly speed: Speed; readonly onChange: (speed: Speed) => void }) {
  return (
    <MenuButton
      label={`Speed: ${speed} times`}
      items={SPEEDS.map((value) => ({
        id: String(value),
        label: `${value}×`,
        checked: value === speed,
        run: () => onChange(value)
      }))}
    >
      <span className="num">{speed}×</span>
    </MenuButton>
  )
}

interface StepFactsProps {
  readonly step: number
  readonly steps: number
  readonly edit: Step | undefined
}

const AUTHORS: Readonly<Record<Step['by'], string>> = {
  own: '',
  run: 'by another run',
  outside: 'outside change',
  restore: 'by a restore'
}

/** The position in words: its number, file, lines, call and time. Screen readers get it as the value of the slider. */
function StepFacts({ step, steps, edit }: StepFactsProps) {
  return (
    <div className="scrub-facts" aria-hidden="true">
      <span className="num scrub-fact scrub-count">
        {step} of {steps}
      </span>
      {edit ? (
        <>
          <ScrubPath path={edit.path} />
          {edit.added === null || edit.deleted === null ? null : (
            <span className="scrub-fact">
              <Counts added={edit.added} deleted={edit.deleted} />
            </span>
          )}
          <span className="ell muted scrub-call">{edit.call ? edit.call.name : AUTHORS[edit.by]}</span>
          <span className="num muted scrub-fact">{clock(edit.at)}</span>
        </>
      ) : (
        <span className="muted">{step === 0 ? 'Start' : 'Loading…'}</span>
      )}
    </div>
  )
}

/** Marks that fit beside each other: the smallest window has room for 40. */
const SLOTS = 60

const Marks = memo(function Marks({ marks, steps }: { readonly marks: readonly Mark[]; readonly steps: number }) {
  return (
    <div className="scrub-marks" aria-hidden="true">
      {visibleMarks(marks, steps, SLOTS).map((mark) => {
        const icon = iconOf(mark)
        return (
          <span
            key={`${mark.kind}${mark.step}`}
            className="scrub-mark"
            data-kind={mark.kind === 'test' ? mark.test.result : mark.kind}
            style={{ '--at': steps === 0 ? 0 : mark.step / steps }}
            title={titleOf(mark)}
          >
            {icon ? <Icon name={icon} size="xs" /> : null}
          </span>
        )
      })}
    </div>
  )
})

function iconOf(mark: Mark): IconName | null {
  if (mark.kind === 'test') return TEST_ICONS[mark.test.result]
  return mark.kind === 'prompt' ? 'chat' : mark.kind === 'drift' ? 'drift' : null
}

function titleOf(mark: Mark): string {
  switch (mark.kind) {
    case 'prompt':
      return clip(mark.text || 'Prompt', 200)
    case 'test':
      return testDetail(mark.test)
    case 'drift':
      return `Outside change of ${mark.path}`
    case 'tool':
      return `${mark.call.name} ${clip(mark.call.summary, 100)}`
  }
}

/** Its folder is cut before its name. */
function ScrubPath({ path }: { readonly path: string }) {
  const { folder, name } = splitPath(path)
  return (
    <span className="mono scrub-path" title={path}>
      {folder === '' ? null : <span className="ell scrub-folder">{folder}</span>}
      <span className="ell">{name}</span>
    </span>
  )
}
