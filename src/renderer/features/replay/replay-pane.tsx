/** A replay: files, diff and conversation as of one moment, above the scrubber. Replaces files and diff. */
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState
} from 'react'
import { type PaneAction, paneAction } from '../../commands/pane-keys.ts'
import { lastEditOf, markFrom, messageAt, type OpenReplay, stepAtSeq } from '../../model/replay.ts'
import { isDrawerOpen, restoreUnavailable, sessionOf, sideOf } from '../../state/derived.ts'
import { useOpenWorkspace, useWorkspaceState } from '../../state/open-workspace.tsx'
import { usePreferences } from '../../state/preferences.tsx'
import { Blank, FailedBlank } from '../../ui/blank.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { isTextField } from '../../ui/keys.ts'
import { useEscape } from '../../ui/use-escape.ts'
import { ConversationPane } from '../conversation/conversation-pane.tsx'
import { ReplayDiff } from './replay-diff.tsx'
import { ReplayFiles } from './replay-files.tsx'
import { Scrubber } from './scrubber.tsx'
import { useMomentRequest } from './use-moment.ts'
import { type Playback, usePlayback } from './use-playback.ts'
import { type Replay, useReplay } from './use-replay.ts'
import './replay.css'

interface ReplayPaneProps {
  readonly replay: OpenReplay
  readonly title: string
  /** Places the side pane beside the diff. */
  readonly renderPanes: (side: ReactNode, diff: ReactNode) => ReactNode
}

export function ReplayPane(props: ReplayPaneProps) {
  const { actions } = useOpenWorkspace()
  const loaded = useReplay(props.replay)
  // A drawer lies over the pane and handles Escape.
  const behindDrawer = useWorkspaceState(isDrawerOpen)
  useEscape(behindDrawer ? null : actions.closeReplay)
  if (loaded.error)
    return <FailedBlank title="Couldn’t load this replay." text={loaded.error.message} onRetry={loaded.retry} />
  if (!loaded.range || isComing(loaded, props.replay.seq))
    return <div className="loadbar late" role="progressbar" aria-label="Loading the replay" />
  if (loaded.steps.length === 0)
    return (
      <Blank title="Nothing to replay: no file changed between these positions.">
        <Button onClick={actions.closeReplay}>Back to the changes</Button>
      </Blank>
    )
  return <LoadedReplay {...props} loaded={loaded} />
}

/** The moment of an address is on a page that is not loaded yet. */
function isComing({ range, steps }: Replay, seq: number | null): boolean {
  return range?.more === true && seq !== null && seq > (steps.at(-1)?.seq ?? 0)
}

function LoadedReplay({ replay, title, renderPanes, loaded }: ReplayPaneProps & { readonly loaded: Replay }) {
  const { store, actions } = useOpenWorkspace()
  const { steps, paths, times, marks, range, total } = loaded
  const unavailable = useWorkspaceState(restoreUnavailable)
  const session = useWorkspaceState(sessionOf)
  const side = useWorkspaceState(sideOf)
  const [first] = useState(() => (replay.seq === null ? 0 : stepAtSeq(steps, replay.seq)))
  /** The next move is shown at once: its file is requested before anything is drawn. */
  const follows = useRef(true)
  const request = useMomentRequest(range?.fromSeq ?? 0)
  const onMove = (next: number): void => {
    const path = replay.path ?? steps[next - 1]?.path
    const edit = path === undefined || !follows.current ? null : lastEditOf(steps, paths, path, next)
    if (path !== undefined && edit !== null) request(path, edit)
  }
  const playback = usePlayback({ times, total, initial: first, onMove })
  // The newest loaded one until the page of the step is there.
  const step = Math.min(playback.step, steps.length)
  const { shown, settled, onSettled } = useShownStep(step)
  follows.current = settled === shown
  // The diff does not wait for the list, which follows once that is on screen.
  const listed = useDeferredValue(settled ?? shown)
  const slider = useRef<HTMLInputElement>(null)
  useEffect(() => slider.current?.focus(), [])
  const onKeyDown = useReplayKeys(playback, loaded)
  useReplayAddress(step, playback.direction !== 0, loaded)
  useMessageAt(side === 'conversation' ? session : null, shown, loaded)
  const pin = useCallback(
    (path: string | null) => store.setState(({ replay: open }) => ({ replay: open && { ...open, path } })),
    [store]
  )
  // The same element until another session is shown: each frame of a drag renders this component.
  const conversation = useMemo(() => session && <ConversationPane key={session} session={session} />, [session])
  const seq = steps[step - 1]?.seq ?? range?.fromSeq ?? 0
  return (
    <div className="stage replay" onKeyDownCapture={onKeyDown}>
      <section className="entry" aria-label="Replay">
        <h1 className="entry-title ell" dir="auto">
          {title}
        </h1>
        <Button
          icon="restore"
          className="entry-act"
          data-tip="Restore to here…"
          disabledReason={unavailable}
          onClick={() => actions.openPreview({ kind: 'restore', target: `seq:${seq}` })}
        >
          Restore to here…
        </Button>
        <IconButton icon="x" label="Leave the replay" keys="Escape" onClick={actions.closeReplay} />
      </section>
      {renderPanes(
        side === 'conversation' && session !== null ? (
          conversation
        ) : (
          <ReplayFiles steps={steps} paths={paths} step={listed} pinned={replay.path} onPin={pin} />
        ),
        <ReplayDiff
          steps={steps}
          paths={paths}
          step={shown}
          fromSeq={range?.fromSeq ?? 0}
          pinned={replay.path}
          onSettled={onSettled}
        />
      )}
      <Scrubber steps={steps} total={total} marks={marks} playback={playback} slider={slider} />
    </div>
  )
}

/** The step that is shown: the newest one once the last one, `settled`, is on screen; null before the first is. */
function useShownStep(step: number) {
  const [shown, setShown] = useState(step)
  const [settled, setSettled] = useState<number | null>(null)
  // In the same pass: an effect would render everything twice.
  if (settled === shown && shown !== step) setShown(step)
  return { shown, settled, onSettled: setSettled }
}

/** How often the address follows, ms: browsers limit how often it may change. */
const ADDRESS_MS = 300

/** The position of the open replay follows the step, once it rests. */
function useReplayAddress(step: number, playing: boolean, { steps, range }: Replay): void {
  const { store } = useOpenWorkspace()
  const seq = step === 0 ? null : (steps[step - 1]?.seq ?? range?.fromSeq ?? null)
  useEffect(() => {
    if (playing) return
    const timer = setTimeout(() => {
      store.setState(({ replay }) => ({ replay: replay && replay.seq !== seq ? { ...replay, seq } : replay }))
    }, ADDRESS_MS)
    return () => clearTimeout(timer)
  }, [store, seq, playing])
}

/** The conversation is scrolled to the newest message of the moment. */
function useMessageAt(session: string | null, step: number, { steps, messages }: Replay): void {
  const { store } = useOpenWorkspace()
  const message = messageAt(messages, steps[step - 1]?.at ?? 0)
  useEffect(() => {
    if (session !== null && message !== null) store.setState({ message: { session, message, focus: false } })
  }, [store, session, message])
}

/** Steps of Shift with an arrow. */
const MANY = 10

function useReplayKeys(playback: Playback, { total, marks }: Replay) {
  const { letterKeys } = usePreferences()
  const { step } = playback
  const run: Readonly<Record<PaneAction<'replay'>, () => void>> = {
    toggle: playback.toggle,
    next: () => playback.seek(step + 1),
    previous: () => playback.seek(step - 1),
    'many-next': () => playback.seek(step + MANY),
    'many-previous': () => playback.seek(step - MANY),
    first: () => playback.seek(0),
    last: () => playback.seek(total),
    forwards: () => playback.play(1),
    backwards: () => playback.play(-1),
    pause: playback.pause,
    'next-mark': () => playback.seek(markFrom(marks, step, 1) ?? step),
    'previous-mark': () => playback.seek(markFrom(marks, step, -1) ?? step)
  }
  return (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as HTMLElement
    if (isTextField(target) && !target.closest('.monaco-editor')) return
    if (event.key === ' ' && target instanceof HTMLButtonElement) return
    // Lists and texts move by their own keys.
    const hasOwnKeys = target.closest('[role="listbox"], [role="tree"], [role="tablist"], .monaco-editor, .messages')
    const action = paneAction('replay', event, letterKeys)
    if (action === null || (hasOwnKeys && /^(Arrow|Home|End)/.test(event.key))) return
    run[action]()
    event.preventDefault()
    event.stopPropagation()
  }
}
