/**
 * The diff at a moment: from the start to the newest edit of the shown file, whose lines are lit.
 * A moment is drawn as plain text, which keeps up with a slider; once the replay rests, the editor, which stays mounted, takes
 * its place with colours and selection. While the position moves faster than texts arrive, the moments between are skipped:
 * the next request starts when the last one is on screen.
 */
import { memo, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { lastEditOf, type Step, type StepsOfPaths } from '../../model/replay.ts'
import { Blank } from '../../ui/blank.tsx'
import { useSize } from '../../ui/use-size.ts'
import { DiffBody } from '../diff/diff-body.tsx'
import { runDiffKey } from '../diff/diff-keys.ts'
import { shapeOf } from '../diff/diff-view-kind.ts'
import { hasEditorBlocks, isDrawable } from '../diff/first-rows.ts'
import { MomentText, type ScrollPlace } from '../diff/moment-text.tsx'
import type { TextDoc, TextOptions } from '../diff/text-doc.ts'
import { LayoutSwitch, useTextOptions } from '../diff/text-options.tsx'
import { type TextViewHandle, textCommands } from '../diff/text-view.tsx'
import type { LoadedDiff } from '../diff/use-file-diff.ts'
import { useMoment, usePrefetch } from './use-moment.ts'

interface ReplayDiffProps {
  readonly steps: readonly Step[]
  readonly paths: StepsOfPaths
  readonly step: number
  /** The position of step 0. */
  readonly fromSeq: number
  /** The file that stays; null: that of each edit. */
  readonly pinned: string | null
  /** The step is on screen: the next one may be requested. */
  readonly onSettled: (step: number) => void
}

/** Memoised: it follows the shown step, which a drag passes over many of. */
export const ReplayDiff = memo(function ReplayDiff(props: ReplayDiffProps) {
  const { steps, paths, step, fromSeq, pinned, onSettled } = props
  const pane = useRef<HTMLElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const text = useRef<TextViewHandle>(null)
  const height = useSize(body, 'height')
  const path = pinned ?? steps[step - 1]?.path ?? null
  const seq = path === null ? null : lastEditOf(steps, paths, path, step)
  const { options, chooseLayout, commands } = useTextOptions(pane, path ?? '')
  const state = useMoment(path === null || seq === null ? null : { path, seq }, fromSeq)
  const { loaded } = state
  const [shownKey, setShownKey] = useState('')
  const loadedKey = loaded?.key ?? ''
  const isInEditor = shownKey === loadedKey
  const isText = loaded?.diff.view === 'text'
  const lit = steps[step - 1]?.path === path ? state.lines : NO_LINES
  const place = useScrollPlace(text, path ?? '', isInEditor)
  const canDraw = useMemo(() => loaded !== null && isDrawnWithoutEditor(loaded, options), [loaded, options])
  const draw = (doc: TextDoc) => <MomentText doc={doc} options={options} height={height} lit={lit} place={place} />
  const isSettled = seq === null || state.error !== null || (state.current && (!isText || canDraw || isInEditor))
  useEffect(() => {
    if (isSettled) onSettled(step)
  }, [isSettled, step, onSettled])

  const isResting = useRest(state.current ? loadedKey : null)
  useEffect(() => {
    if (isInEditor && isText) text.current?.light(lit, canDraw ? place.current.top : null)
  }, [isInEditor, isText, canDraw, lit, place])
  usePrefetch(steps, step, fromSeq, isSettled && pinned === null)
  return (
    <main
      className="diffpane replay-diff"
      aria-label={path === null ? 'Start of the replay' : `Changes of ${path} at this moment`}
      data-pane="diff"
      ref={pane}
      tabIndex={-1}
      onKeyDownCapture={(event) => runDiffKey(event, { ...textCommands(text), ...commands })}
    >
      <div className="bar">
        <span className="ell grow mono" dir="auto">
          {path ?? ''}
        </span>
        <LayoutSwitch split={options.split} onChange={chooseLayout} />
      </div>
      {seq === null ? (
        <Blank title={path === null ? 'The start, before the first edit.' : 'This file has not changed yet.'} />
      ) : null}
      <div className="replay-text" hidden={seq === null} ref={body}>
        <DiffBody
          path={path ?? ''}
          state={state}
          options={options}
          labels={LABELS}
          counts={null}
          sameAsText
          moment={{ isResting, draw }}
          onShown={() => setShownKey(loadedKey)}
          text={text}
        />
      </div>
    </main>
  )
})

const LABELS = { before: 'At the start', after: 'At this moment' }
const NO_LINES: readonly number[] = []

function isDrawnWithoutEditor({ diff, blocks = null }: LoadedDiff, options: TextOptions): boolean {
  // Characters that cannot be seen are drawn only by the editor.
  if (diff.view !== 'text' || diff.hidden) return false
  const doc = { shape: shapeOf(diff), before: diff.beforeText, after: diff.afterText, hunks: [], blocks }
  return isDrawable(doc, options) && hasEditorBlocks(doc)
}

/** How long a moment stays until the editor loads it, ms: longer than a key that is held down repeats. */
const REST_MS = 180

/** `key`: of the moment that is drawn; null while a later one is awaited. */
function useRest(key: string | null): boolean {
  const [rested, setRested] = useState<string | null>(null)
  useEffect(() => {
    if (key === null) return
    const timer = setTimeout(() => setRested(key), REST_MS)
    return () => clearTimeout(timer)
  }, [key])
  return key !== null && rested === key
}

/** How far the shown file is scrolled: in the editor while that shows it, by a person or by us, else in what was drawn last. */
function useScrollPlace(text: RefObject<TextViewHandle | null>, path: string, isInEditor: boolean) {
  const place = useRef<ScrollPlace>({ path: '', top: 0 })
  const inEditor = useRef<string | null>(null)
  if (isInEditor) inEditor.current = path
  else if (inEditor.current !== null) {
    place.current = { path: inEditor.current, top: text.current?.scrollTop() ?? 0 }
    inEditor.current = null
  }
  return place
}
