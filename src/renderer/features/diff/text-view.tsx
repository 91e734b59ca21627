/**
 * The text view: binds the diff editor to React. It has one editor, hidden while there is no text, because making one
 * takes longer than showing another text in it.
 */

import type * as Monaco from 'monaco-editor/editor'
import {
  type CSSProperties,
  type ReactNode,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState
} from 'react'
import { createPortal, flushSync } from 'react-dom'
import { DiffEditor } from './diff-editor.ts'
import type { EditorPool } from './editor-pool.ts'
import type { HunkAction, HunkBarState } from './hunk-bars.ts'
import type { SelectedLines } from './line-selection.ts'
import { loadMonaco } from './load-monaco.ts'
import { outlineOf, type TextSymbol } from './outline.ts'
import type { PreservedLines } from './preserved-lines.ts'
import { ScopeLine } from './scope-line.tsx'
import {
  type ChangePosition,
  COVERED_DIFF_MS,
  DIFF_MS,
  type PointedLines,
  type ShownText,
  type TextDoc,
  type TextOptions,
  type TextPoint
} from './text-doc.ts'
import './change-bars.css'
import './change-ruler.css'
import './monaco.css'
import './text-marks.css'

/** `end`: there is no further change; `not-shown`: the text is not on screen yet; `no-text`: there is none. */
type StepResult = 'moved' | 'end' | 'not-shown' | 'no-text'

export interface TextViewHandle {
  /**
   * Runs what a key does with the text: now if it is on screen or there is none, else once it is, in the order of the keys. It is
   * dropped where another text comes first.
   */
  whenShown(run: () => void): void
  /** Moves to the next or previous change. */
  step(delta: 1 | -1): StepResult
  goToEnd(end: 'first' | 'last'): void
  accessibleViewer(delta: 1 | -1): void
  /** Shows more of the unchanged lines around the current change. */
  showMore(): void
  /** Number of the current hunk; null if there is none, or the text is not on screen yet. */
  currentHunk(): number | null
  goToHunk(n: number): void
  /** The selected changed lines, null if there are none. */
  selectedLines(): SelectedLines | null
  /** The selected lines, else that of the cursor; null while the text is not on screen. */
  linesAtCursor(): PointedLines | null
  showLine(lines: PointedLines): void
  /** Lights lines of the later text for a moment. `top`: where the text is scrolled to; null: to the first of them. */
  light(lines: readonly number[], top: number | null): void
  /** How far the text is scrolled, px; null while there is no editor. */
  scrollTop(): number | null
  /** The definitions in the text, also before it is on screen. */
  symbols(): readonly TextSymbol[]
  /** Moves to a line of the text that `symbols` is about, at the latest when it is on screen. */
  goToLine(line: number): void
  /** What is at a point of the window; null while there is no text. */
  pointAt(x: number, y: number): TextPoint | null
  /** Does nothing while the text is not on screen. */
  focus(): void
}

/** A scrolling element that shows several texts, each in its full height. */
export interface TextScroller {
  readonly element: RefObject<HTMLElement | null>
}

/** The review of the hunks: without it the bars show no decisions. */
export interface HunkReview {
  readonly bars: HunkBarState
  act(n: number, action: HunkAction): void
}

/** Something below a line of one side. */
export interface LineZone {
  readonly key: string
  readonly side: 'before' | 'after'
  /** From 1. */
  readonly line: number
  readonly content: ReactNode
}

const NO_ZONES: readonly LineZone[] = []

interface TextViewProps {
  /** null: none is shown, but the editor stays. */
  readonly doc: TextDoc | null
  /** The editor does not load the text yet, and is not made for it: it is drawn over the editor meanwhile. */
  readonly isHeld: boolean
  readonly options: TextOptions
  /** The text is drawn over the editor until that has it. */
  readonly isCovered: boolean
  /** Compare without a time limit. */
  readonly unlimited: boolean
  readonly preserved: PreservedLines | null
  readonly onShown: (doc: TextDoc, shown: ShownText) => void
  readonly onPositionChange: ((place: ChangePosition) => void) | undefined
  readonly onError: (message: string) => void
  readonly review: HunkReview | undefined
  readonly zones?: readonly LineZone[] | undefined
  /** The text is one of several in a scrolling element; undefined: it fills its pane and scrolls by itself. */
  readonly scroller: TextScroller | undefined
  /** Where the editor comes from and is returned to; undefined: it is made for this view. */
  readonly pool?: EditorPool | undefined
  readonly ref?: Ref<TextViewHandle>
}

export function TextView(props: TextViewProps) {
  const { doc, isHeld, options, preserved } = props
  const bars = props.review?.bars
  const host = useRef<HTMLDivElement>(null)
  const key = doc?.key ?? ''
  const shownKey = useRef('')
  const latest = useRef({ ...props, key })
  latest.current = { ...props, key }
  const editor = useEditor(host, latest, shownKey, doc !== null && !isHeld)
  const { shownText, whenShown } = useShownText(editor, props, latest, shownKey)

  useEffect(() => editor?.setOptions(options), [editor, options])
  useEffect(() => editor?.setPreservedLines(preserved), [editor, preserved])

  // The bars of the text before are left alone until it is replaced.
  const takesBars = doc !== null && !isHeld
  useEffect(() => {
    if (bars && takesBars) editor?.setBars(bars)
  }, [editor, bars, takesBars])

  const symbols = useCallback(() => {
    const { doc: shown } = latest.current
    return shown ? outlineOf(shown.shape === 'deleted' ? shown.before : shown.after, shown.path) : []
  }, [])
  const hasDoc = doc !== null
  useImperativeHandle(props.ref, () => {
    const isShown = () => shownKey.current === latest.current.key
    return handleOf({ editor, hasDoc, isShown, symbols, whenShown })
  }, [editor, hasDoc, symbols, whenShown])

  const keptHeight = useKeptHeight(host, doc === null && !props.scroller)
  const zones = useZones(shownText === key ? editor : null, props.zones ?? NO_ZONES)
  return (
    <>
      <div className="text-place" ref={host} style={keptHeight} data-testid="diff-text">
        <ScopeLine
          editor={shownText === key ? editor : null}
          textKey={key}
          symbols={symbols}
          place={host}
          scroller={props.scroller?.element}
          onGoTo={(line) => editor && goTo(editor, line)}
        />
      </div>
      {zones}
    </>
  )
}

type LatestProps = RefObject<TextViewProps & { readonly key: string }>

/** Loads the text into the editor, and keeps what is requested of it until it is on screen. */
function useShownText(
  editor: DiffEditor | null,
  { doc, isHeld, options, unlimited }: TextViewProps,
  latest: LatestProps,
  shownKey: RefObject<string>
) {
  /** What was requested of a text before it was on screen, in order. */
  const waiting = useRef<{ readonly key: string; readonly run: (editor: DiffEditor) => void }[]>([])
  const [shownText, setShownText] = useState('')

  // biome-ignore lint/correctness/useExhaustiveDependencies: options have their own effect; only content reloads.
  useEffect(() => {
    if (!editor || !doc || isHeld) return
    editor.show(doc, options, unlimited ? 0 : latest.current.isCovered ? COVERED_DIFF_MS : DIFF_MS).then(
      (shown) => {
        if (!shown) return
        shownKey.current = doc.key
        setShownText(doc.key)
        latest.current.onPositionChange?.(editor.position())
        latest.current.onShown(doc, shown)
        // The next one sees what the one before has changed.
        for (const { key, run } of waiting.current.splice(0)) if (key === doc.key) flushSync(() => run(editor))
      },
      (error: unknown) => latest.current.onError(error instanceof Error ? error.message : String(error))
    )
  }, [editor, doc?.key, isHeld, unlimited])

  const whenShown = useCallback(
    (run: (editor: DiffEditor) => void) => {
      const { key } = latest.current
      if (editor && shownKey.current === key) run(editor)
      else waiting.current.push({ key, run })
    },
    [editor, latest, shownKey]
  )
  return { shownText, whenShown }
}

interface HandleParts {
  readonly editor: DiffEditor | null
  readonly hasDoc: boolean
  /** Whether the editor has the latest text. */
  readonly isShown: () => boolean
  readonly symbols: () => readonly TextSymbol[]
  readonly whenShown: (run: (editor: DiffEditor) => void) => void
}

function handleOf({ editor, hasDoc, isShown, symbols, whenShown }: HandleParts): TextViewHandle {
  return {
    whenShown: (run) => (hasDoc ? whenShown(run) : run()),
    step: (delta) => {
      if (!hasDoc) return 'no-text'
      if (!editor || !isShown()) return 'not-shown'
      return editor.step(delta) ? 'moved' : 'end'
    },
    goToEnd: (end) => editor?.goToEnd(end),
    currentHunk: () => (isShown() ? (editor?.currentHunk() ?? null) : null),
    selectedLines: () => (isShown() ? (editor?.selectedLines() ?? null) : null),
    goToHunk: (n) => editor?.goToHunk(n),
    linesAtCursor: () => (isShown() ? (editor?.linesAtCursor() ?? null) : null),
    showLine: (lines) => editor?.showLine(lines),
    light: (lines, top) => editor?.light(lines, top),
    scrollTop: () => editor?.scrollTop() ?? null,
    symbols,
    goToLine: (line) => whenShown((shown) => goTo(shown, line)),
    showMore: () => whenShown((shown) => shown.showMore()),
    accessibleViewer: (delta) => whenShown((shown) => shown.accessibleViewer(delta)),
    pointAt: (x, y) => (hasDoc ? (editor?.pointAt(x, y) ?? null) : null),
    focus: () => {
      if (hasDoc && isShown()) editor?.focus()
    }
  }
}

/** The height of an element while it `isKept`: without a text the editor is not laid out anew for the room it has then. */
function useKeptHeight(element: RefObject<HTMLElement | null>, isKept: boolean): CSSProperties | undefined {
  const height = useRef<number | null>(null)
  if (!isKept) height.current = null
  else height.current ??= element.current?.offsetHeight || null
  return height.current === null ? undefined : { height: height.current, bottom: 'auto' }
}

function goTo(editor: DiffEditor, line: number): void {
  editor.goToLine(line)
  editor.focus()
}

/** Draws what is below lines, in elements that the editor places; null: the text is not on screen yet. */
function useZones(editor: DiffEditor | null, zones: readonly LineZone[]): ReactNode {
  const [elements] = useState(() => new Map<string, HTMLElement>())
  const placed = useMemo(
    () => zones.map(({ key, side, line }) => ({ key, side, line, element: elementOf(elements, key) })),
    [elements, zones]
  )
  const places = JSON.stringify(placed.map(({ key, side, line }) => [key, side, line]))
  // biome-ignore lint/correctness/useExhaustiveDependencies: zones whose places are the same stay.
  useLayoutEffect(() => editor?.setZones(placed), [editor, places])
  return zones.map(({ key, content }) => createPortal(content, elementOf(elements, key), key))
}

function elementOf(elements: Map<string, HTMLElement>, key: string): HTMLElement {
  const known = elements.get(key)
  if (known) return known
  const element = document.createElement('div')
  element.className = 'line-zone'
  elements.set(key, element)
  return element
}

/** Monaco from the first time on that it `isNeeded`; null until it is loaded. */
function useMonaco(isNeeded: boolean, onError: (message: string) => void): typeof Monaco | null {
  const [monaco, setMonaco] = useState<typeof Monaco | null>(null)
  const report = useRef(onError)
  report.current = onError
  const wasNeeded = useRef(false)
  wasNeeded.current ||= isNeeded
  const starts = wasNeeded.current
  useEffect(() => {
    if (!starts) return
    let unmounted = false
    loadMonaco().then(
      (loaded) => {
        if (!unmounted) setMonaco(loaded)
      },
      (error: unknown) => {
        if (!unmounted) report.current(error instanceof Error ? error.message : String(error))
      }
    )
    return () => {
      unmounted = true
    }
  }, [starts])
  return monaco
}

/**
 * The editor in `host`, null until it is needed and Monaco is loaded. Taken once, and returned or disposed of with the view.
 * Whether it is needed is asked again when Monaco is there: making it takes longer than to draw another text first.
 */
function useEditor(
  host: RefObject<HTMLDivElement | null>,
  latest: LatestProps,
  shownKey: RefObject<string>,
  isNeeded: boolean
): DiffEditor | null {
  const [editor, setEditor] = useState<DiffEditor | null>(null)
  const monaco = useMonaco(isNeeded, latest.current.onError)
  const wasNeeded = useRef(false)
  wasNeeded.current ||= isNeeded && monaco !== null
  const starts = wasNeeded.current ? monaco : null
  const { pool } = latest.current
  useEffect(() => {
    const place = host.current
    if (!starts || !place) return
    const { scroller, options } = latest.current
    let created: DiffEditor
    try {
      created = pool ? pool.take(starts, place, options) : new DiffEditor(starts, place, options)
    } catch (error) {
      latest.current.onError(error instanceof Error ? error.message : String(error))
      return
    }
    if (scroller?.element.current) {
      created.fitContent(scroller.element.current, (height) => {
        place.style.height = `${height}px`
      })
    }
    created.onPositionChange = (position) => {
      // Until the editor has the requested text, its position is one in the text before.
      if (shownKey.current === latest.current.key) latest.current.onPositionChange?.(position)
    }
    created.onHunkAction = (n, action) => {
      // Actions are ignored while the previous text is still on screen.
      if (shownKey.current === latest.current.key) latest.current.review?.act(n, action)
    }
    setEditor(created)
    return () => {
      if (pool) pool.put(created)
      else created.dispose()
      setEditor(null)
    }
  }, [host, latest, shownKey, pool, starts])
  return editor
}

/** What the keys of a diff do with the text on screen. */
export function textCommands(text: RefObject<TextViewHandle | null>) {
  return {
    'next-change': () => text.current?.step(1),
    'previous-change': () => text.current?.step(-1),
    'more-lines': () => text.current?.showMore(),
    'viewer-next': () => text.current?.accessibleViewer(1),
    'viewer-previous': () => text.current?.accessibleViewer(-1)
  }
}

/** What the commands for definitions do with the text on screen. */
export function symbolCommands(text: () => TextViewHandle | null) {
  return {
    symbols: (): readonly TextSymbol[] => text()?.symbols() ?? [],
    goToLine: (line: number): void => text()?.goToLine(line)
  }
}
