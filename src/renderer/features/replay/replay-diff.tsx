/**
 * The diff at a moment: from the start to the newest edit of the shown file, whose lines pulse.
 * One editor stays mounted. While the position moves faster than texts can be shown, the moments between are skipped:
 * the next request starts when the last one is on screen.
 */
import { memo, type RefObject, useEffect, useRef, useState } from 'react'
import type { Params } from '../../../contract/api.ts'
import { useDriftline } from '../../client/context.tsx'
import { useQuery } from '../../client/use-query.ts'
import { changedLines, lastEditOf, type Step } from '../../model/replay.ts'
import { useOpenWorkspace } from '../../state/open-workspace.tsx'
import { Blank } from '../../ui/blank.tsx'
import { DiffBody } from '../diff/diff-body.tsx'
import { runDiffKey } from '../diff/diff-keys.ts'
import { LayoutSwitch, useTextOptions } from '../diff/text-options.tsx'
import { type TextViewHandle, textCommands } from '../diff/text-view.tsx'
import { useFileDiff } from '../diff/use-file-diff.ts'

interface ReplayDiffProps {
  readonly steps: readonly Step[]
  readonly step: number
  /** The position of step 0. */
  readonly fromSeq: number
  /** The file that stays; null: that of each edit. */
  readonly pinned: string | null
  /** The step is on screen: the next one may be requested. */
  readonly onSettled: (step: number) => void
}

/** Memoised: it follows the shown step, which a drag passes over many of. */
export const ReplayDiff = memo(function ReplayDiff({ steps, step, fromSeq, pinned, onSettled }: ReplayDiffProps) {
  const { workspace } = useOpenWorkspace()
  const pane = useRef<HTMLElement>(null)
  const text = useRef<TextViewHandle>(null)
  const path = pinned ?? steps[step - 1]?.path ?? null
  const seq = path === null ? null : lastEditOf(steps, path, step)
  const { options, chooseLayout, commands } = useTextOptions(pane, path ?? '')
  const request = { workspace: workspace.id, target: `seq:${fromSeq}`, to: `seq:${seq ?? fromSeq}` }
  const state = useFileDiff(request, path === null || seq === null ? null : { path }, FIXED)
  const [shownKey, setShownKey] = useState('')
  const loadedKey = state.loaded?.key ?? ''
  const isText = state.loaded?.diff.view === 'text'
  const isSettled = seq === null || state.error !== null || (state.current && (!isText || shownKey === loadedKey))
  useEffect(() => {
    if (isSettled) onSettled(step)
  }, [isSettled, step, onSettled])

  const isEdited = steps[step - 1]?.path === path
  usePulse(text, path, isEdited ? seq : null, isSettled && isText)
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
      <div className="replay-text" hidden={seq === null}>
        <DiffBody
          path={path ?? ''}
          state={state}
          options={options}
          labels={LABELS}
          counts={null}
          sameAsText
          onShown={() => setShownKey(loadedKey)}
          text={text}
        />
      </div>
    </main>
  )
})

const LABELS = { before: 'At the start', after: 'At this moment' }
/** Two positions of the log: what is between them never changes, and of thousands only the shown one is held. */
const FIXED = { live: false, fresh: true, once: true } as const

/** Lights and scrolls to the lines of the edit with this position, once its text is on screen; null: none. */
function usePulse(
  text: RefObject<TextViewHandle | null>,
  path: string | null,
  seq: number | null,
  isShown: boolean
): void {
  const { workspace } = useOpenWorkspace()
  const request =
    seq === null || path === null ? null : { workspace: workspace.id, target: `seq:${seq - 1}`, to: `seq:${seq}`, path }
  const { data } = useQuery('diff.file', request, { fresh: true, once: true })
  useEffect(() => {
    if (seq === null || !isShown || data?.view !== 'text') return
    const changed = changedLines(data.beforeText, data.afterText)
    if (changed) text.current?.showLine({ side: 'after', from: changed.from, to: changed.to }, changed.lines)
  }, [text, seq, data, isShown])
}

/** How long what was requested ahead is held, ms. */
const AHEAD_MS = 5000

/** Requests the diffs of the steps beside the shown one, so that a step by key shows at once. */
function usePrefetch(steps: readonly Step[], step: number, fromSeq: number, on: boolean): void {
  const { client, queries } = useDriftline()
  const { workspace } = useOpenWorkspace()
  useEffect(() => {
    if (!on) return
    for (const edit of [steps[step], steps[step - 2]]) {
      if (!edit) continue
      const { path, seq } = edit
      const params: Params<'diff.file'> = { workspace: workspace.id, target: `seq:${fromSeq}`, to: `seq:${seq}`, path }
      void queries.cache.prefetchQuery({
        queryKey: ['diff.file', params],
        queryFn: () => client.call('diff.file', params),
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: AHEAD_MS
      })
    }
  }, [client, queries, workspace.id, steps, step, fromSeq, on])
}
