/**
 * Owns the Monaco diff editor of a pane: its models, options, decorations and bars.
 * Invariants: the shown texts stay on screen until the next diff is computed, and options change with them, or the old
 * text would be laid out again; of overlapping calls of `show` the last one wins; models are released two frames after
 * they are replaced, because Monaco may still paint them.
 */
import type * as Monaco from 'monaco-editor/editor'
import { freeTime } from '../../ui/free-time.ts'
import { ChangeMarks } from './change-marks.ts'
import { ContentFit, distanceInto } from './content-fit.ts'
import {
  CONTEXT_LINES,
  comparisonOptions,
  fixedOptions,
  MAX_DELETED_LINES_INLINE,
  MORE_LINES,
  textSize,
  toMonaco
} from './editor-options.ts'
import { type HunkAction, type HunkBarState, HunkBars } from './hunk-bars.ts'
import { type Span, spanAt, spanOf } from './hunk-spans.ts'
import { keepPlace } from './kept-place.ts'
import { type SelectedLines, selectedLines } from './line-selection.ts'
import { LineZones, placedIn } from './line-zones.ts'
import { deletedLines, showMoreAround, stoppedEarly, unfoldLine } from './monaco-private.ts'
import { type FollowedTheme, followTheme } from './monaco-theme.ts'
import { lineInlineOf, linesAtCursor, linesAtPoint, linesOfHunk, selectedText } from './pointed-lines.ts'
import type { PreservedLines } from './preserved-lines.ts'
import { pulseLines } from './pulse.ts'
import { SideSelection } from './side-selection.ts'
import {
  type ChangePosition,
  DIFF_MS,
  NO_FILE,
  type PlacedZone,
  type PointedLines,
  type ShownFile,
  type ShownText,
  type TextDoc,
  type TextOptions,
  type TextPoint
} from './text-doc.ts'
import { createTextModel, registerLanguages, release, type Shown, tokenizeNow } from './text-models.ts'

type Api = typeof Monaco
type Editor = Monaco.editor.IStandaloneDiffEditor
/** Longest wait for a comparison, so that one that never ends does not block the next file. */
const MAX_WAIT_MS = 15_000

export class DiffEditor {
  readonly #monaco: Api
  /** Holds the editor, its bars and its ruler; it can be moved from one part of the page to another. */
  readonly element: HTMLElement
  readonly #editor: Editor
  readonly #theme: FollowedTheme
  readonly #marks: ChangeMarks
  readonly #bars: HunkBars
  readonly #zones: LineZones
  readonly #selection: SideSelection
  #placed: readonly PlacedZone[] = []
  #shown: Shown | null = null
  #showCount = 0
  #file: ShownFile = NO_FILE
  #options: TextOptions
  #tooLongForInline = false
  /** Time limit of the comparison. */
  #maxMs = DIFF_MS
  /** By a person, since the last change was stepped to. */
  #cursorMoved = false
  #fit: ContentFit | null = null
  onPositionChange: (position: ChangePosition) => void = () => {}
  onHunkAction: (n: number, action: HunkAction) => void = () => {}

  constructor(monaco: Api, host: HTMLElement, options: TextOptions) {
    this.#monaco = monaco
    this.#options = options
    const element = document.createElement('div')
    element.className = 'text-view'
    this.element = host.appendChild(element)
    registerLanguages(monaco)
    this.#theme = followTheme(monaco, element, () => this.#setOptions({ fontSize: textSize() }))
    this.#editor = monaco.editor.createDiffEditor(element, { ...fixedOptions(host), ...toMonaco(options, NO_FILE) })
    this.#editor.getOriginalEditor().updateOptions({ scrollbar: { vertical: 'hidden', verticalScrollbarSize: 0 } })
    this.#marks = new ChangeMarks(monaco, this.#editor, element)
    const modifiedEditor = this.#editor.getModifiedEditor()
    this.#bars = new HunkBars(element, modifiedEditor)
    this.#zones = new LineZones(element, [this.#editor.getOriginalEditor(), modifiedEditor])
    this.#bars.onAction = (n, action) => this.onHunkAction(n, action)
    this.#zones.onFocus = (editor, below) => this.#scrollTo(editor, below)
    // The editor disposes its listeners with itself.
    this.#editor.onDidUpdateDiff(() => this.#redraw())
    modifiedEditor.onDidContentSizeChange(() => this.#marks.drawRuler(this.#file))
    modifiedEditor.onDidLayoutChange(() => this.#marks.drawRuler(this.#file))
    modifiedEditor.onDidChangeCursorPosition(() => this.#reportPosition())
    for (const side of [modifiedEditor, this.#editor.getOriginalEditor()])
      side.onDidChangeCursorPosition(({ source }) => {
        if (source === 'keyboard' || source === 'mouse') this.#cursorMoved = true
      })
    this.#selection = new SideSelection(this.#editor, () => this.#selectLines())
  }

  /**
   * Shows two texts. Resolves when they are on screen, or to null if a later call overtook this one.
   * `maxMs` 0 compares without a time limit.
   */
  async show(doc: TextDoc, options: TextOptions, maxMs = DIFF_MS): Promise<ShownText | null> {
    const current = ++this.#showCount
    this.#options = options
    this.#maxMs = maxMs
    this.#setOptions(comparisonOptions(options, maxMs))
    // An added or deleted file has the same text on both sides, so that nothing is compared or highlighted.
    const before = doc.shape === 'added' ? doc.after : doc.before
    const after = doc.shape === 'deleted' ? doc.before : doc.after
    const original = createTextModel(this.#monaco, 'before', doc.oldPath || doc.path, before, doc.plain)
    const modified = createTextModel(this.#monaco, 'after', doc.path, after, doc.plain)
    const view = this.#editor.createViewModel({ original, modified })
    const next: Shown = { view, models: [original, modified] }
    await Promise.race([view.waitForDiff(), new Promise((done) => setTimeout(done, maxMs ? MAX_WAIT_MS : 120_000))])
    if (this.#fit) await freeTime()
    if (current === this.#showCount) await tokenizeNow(this.#monaco, original)
    // Monaco colours what is visible after it was painted; of many texts that come into view each would flicker.
    if (current === this.#showCount && this.#fit) await tokenizeNow(this.#monaco, modified)
    if (current === this.#showCount && this.#fit) await freeTime()
    if (current !== this.#showCount) {
      release(next)
      return null
    }
    const previous = this.#shown
    this.#shown = next
    const replace = () => this.#replaceText(doc, next)
    if (this.#fit) this.#fit.replace(replace)
    else replace()
    // Monaco may still paint the previous models in the next frame.
    if (previous) requestAnimationFrame(() => requestAnimationFrame(() => release(previous)))
    return { stopped: stoppedEarly(this.#editor), tooLongForInline: this.#tooLongForInline }
  }

  #replaceText(doc: TextDoc, { view }: Shown): void {
    // Of many texts in one scroll, the scroll keeps the place.
    const isNewer = !this.#fit && doc.comparison === this.#file.comparison
    const returnToPlace = isNewer ? keepPlace(this.#editor.getModifiedEditor()) : null
    // Options change only now; earlier, the old file would be laid out again.
    this.#file = doc
    this.#tooLongForInline = doc.shape === 'changed' && deletedLines(view) > MAX_DELETED_LINES_INLINE
    this.element.dataset.shape = doc.shape
    this.#setOptions(toMonaco(this.#options, doc, this.#tooLongForInline))
    this.#editor.setModel(view)
    this.#editor
      .getModifiedEditor()
      .setScrollPosition({ scrollTop: 0, scrollLeft: 0 }, this.#monaco.editor.ScrollType.Immediate)
    this.#selection.lines = null
    this.#cursorMoved = false
    this.#bars.setSelected(null)
    this.#bars.show(doc.hunks)
    this.#redraw()
    returnToPlace?.()
  }

  /**
   * From now on the editor has the height of its content, and `scroller` scrolls instead of it. `onHeight` is called
   * with that height, px.
   */
  fitContent(scroller: HTMLElement, onHeight: (height: number) => void): void {
    this.#fit = new ContentFit(this.#editor, this.element, scroller, onHeight)
  }

  /** Continues in another part of the page, after `reset`. */
  moveTo(host: HTMLElement, options: TextOptions): void {
    host.append(this.element)
    this.#theme.moved()
    this.setOptions(options)
  }

  /** Forgets the text and who uses the editor, so that another part of the page can use it. */
  reset(): void {
    this.#showCount++
    this.#fit?.dispose()
    this.#fit = null
    this.onPositionChange = () => {}
    this.onHunkAction = () => {}
    this.#marks.preserved = null
    this.#file = NO_FILE
    this.element.remove()
    this.#bars.show([])
    this.setZones([])
    this.#editor.setModel(null)
    if (this.#shown) release(this.#shown)
    this.#shown = null
  }

  setOptions(options: TextOptions): void {
    this.#options = options
    this.#setOptions({
      ...toMonaco(options, this.#file, this.#tooLongForInline),
      ...comparisonOptions(options, this.#maxMs)
    })
    if (this.#placed.length > 0) this.#placeZones()
  }

  /** Elements below lines of the text on screen. */
  setZones(zones: readonly PlacedZone[]): void {
    this.#placed = zones
    this.#placeZones()
  }

  #placeZones(): void {
    const { shape } = this.#file
    const zones = placedIn(this.#editor, shape, this.#options.split || this.#tooLongForInline, this.#placed)
    for (const { line, editor } of zones)
      if (this.#shown && shape === 'changed' && editor === this.#editor.getModifiedEditor())
        unfoldLine(this.#shown.view, Math.max(1, line))
    this.#zones.show(zones)
  }

  /** The selected lines, else that of the cursor; until a person moves the cursor, those of the current change. */
  linesAtCursor(): PointedLines {
    const hunk = this.#selection.lines || this.#cursorMoved ? null : this.#bars.current()
    if (hunk) return linesOfHunk(hunk)
    return linesAtCursor(this.#editor, this.#file.shape, this.#selection.lines)
  }

  /** Scrolls to the last of these lines, below which something is. */
  showLine({ side, to }: PointedLines): void {
    const inline = side === 'before' && this.#file.shape === 'changed'
    const line = Math.max(1, inline ? lineInlineOf(to, this.#marks.changes()) : to)
    this.#reveal({ first: line, last: line })
  }

  /** Lights lines of the later text for a moment, and scrolls to `top`, px, or without it to the first of them. */
  light(lines: readonly number[], top: number | null): void {
    const [line] = lines
    if (top === null && line !== undefined) this.#reveal({ first: line, last: line })
    pulseLines(this.#editor.getModifiedEditor(), lines, top)
  }

  scrollTop(): number {
    return this.#editor.getModifiedEditor().getScrollTop()
  }

  /** Moves to a line of the text on the later side, or of the only one, and shows the lines near it. */
  goToLine(line: number): void {
    if (this.#shown && this.#file.shape === 'changed')
      for (const near of [line, line - CONTEXT_LINES, line + MORE_LINES]) unfoldLine(this.#shown.view, near)
    this.#goTo({ first: line, last: line })
  }

  /** Lines to highlight as preserved as soon as their file is shown. */
  setPreservedLines(lines: PreservedLines | null): void {
    this.#marks.preserved = lines
    if (this.#shown) this.#marks.draw(this.#file, this.#shown?.view)
  }

  /** Moves to the next or previous change; false if there is none in that direction. */
  step(delta: 1 | -1): boolean {
    const target = this.#spans()[this.position().index - 1 + delta]
    if (target) this.#goTo(target)
    return target !== undefined
  }

  /** Moves to the first or last change, on arrival from a neighbouring file. */
  goToEnd(end: 'first' | 'last'): void {
    const target = this.#spans().at(end === 'first' ? 0 : -1)
    if (target) this.#goTo(target)
  }

  /** Shows more of the unchanged lines above and below the current change. */
  showMore(): void {
    const span = this.#spans()[this.position().index - 1]
    if (!span || !this.#shown) return
    showMoreAround(this.#shown.view, span, MORE_LINES)
    this.#goTo(span)
  }

  /** Number of the current hunk; null if no hunk of this text can be reviewed. */
  currentHunk(): number | null {
    return this.#bars.current()?.n ?? null
  }

  goToHunk(n: number): void {
    const target = this.#bars.spans()[n - 1]
    if (target) this.#goTo(target)
  }

  /** Updates the decisions on the bars. */
  setBars(state: HunkBarState): void {
    this.#bars.setState(state)
    this.#selectLines()
  }

  /** The selected changed lines, null if there are none. */
  selectedLines(): SelectedLines | null {
    return selectedLines(this.#bars.hunks(this.#file.made), this.#selection.lines)
  }

  /**
   * What a menu opened at a point of the window is about. Without a selection the point becomes the position, so that
   * the current hunk is the one at the point.
   */
  pointAt(x: number, y: number): TextPoint {
    const modified = this.#editor.getModifiedEditor()
    const selected = selectedText(this.#editor)
    const position = modified.getTargetAtClientPoint(x, y)?.position ?? null
    if (selected === '' && position) {
      modified.setPosition(position)
      this.#cursorMoved = true
    }
    const lines = this.selectedLines()?.count ?? 0
    const pointed = selected === '' ? linesAtPoint(this.#editor, this.#file.shape, x, y) : this.linesAtCursor()
    return { line: position?.lineNumber ?? null, selection: selected, lines, pointed }
  }

  focus(): void {
    this.later.focus()
  }

  /** The editor of the later text, or of the only one. */
  get later(): Monaco.editor.ICodeEditor {
    return this.#editor.getModifiedEditor()
  }

  /** Opens Monaco's accessible diff viewer, which lists every change as plain lines. */
  accessibleViewer(delta: 1 | -1): void {
    if (delta > 0) this.#editor.accessibleDiffViewerNext()
    else this.#editor.accessibleDiffViewerPrev()
  }

  dispose(): void {
    this.#showCount++
    this.#theme.stop()
    this.#fit?.dispose()
    this.#editor.dispose()
    this.#bars.dispose()
    this.#zones.dispose()
    this.element.remove()
    if (this.#shown) release(this.#shown)
  }

  /** Options of the whole diff editor reset the names of both sides. */
  #setOptions(options: Monaco.editor.IDiffEditorOptions): void {
    this.#editor.updateOptions(options)
    this.#editor.getOriginalEditor().updateOptions({ ariaLabel: this.#file.beforeLabel })
    this.#editor.getModifiedEditor().updateOptions({ ariaLabel: this.#file.afterLabel })
  }

  #selectLines(): void {
    this.#bars.setSelected(this.selectedLines())
    this.#reportPosition()
  }

  #redraw(): void {
    this.#bars.hideUnchanged(this.#options.whitespace === 'show' ? null : this.#marks.changes().map(spanOf))
    this.#marks.draw(this.#file, this.#shown?.view)
    this.#marks.drawRuler(this.#file)
    if (this.#placed.length > 0) this.#placeZones()
    this.#reportPosition()
  }

  /** The changes to step through: the hunks with bars, else the editor's own changes. */
  #spans(): readonly Span[] {
    const hunks = this.#options.whitespace === 'show' ? this.#bars.spans() : []
    return hunks.length > 0 ? hunks : this.#marks.changes().map(spanOf)
  }

  /** Where the reader is among the changes of the text on screen. */
  position(): ChangePosition {
    const spans = this.#spans()
    const line = this.#editor.getModifiedEditor().getPosition()?.lineNumber ?? 1
    const hidden = this.#bars.hiddenCount()
    return { index: spanAt(spans, line) + 1, total: spans.length, hidden, lines: this.selectedLines()?.count ?? 0 }
  }

  #goTo(span: Span): void {
    const editor = this.#editor.getModifiedEditor()
    editor.setPosition({ lineNumber: span.first, column: 1 })
    this.#cursorMoved = false
    this.#reveal(span)
    this.#reportPosition()
  }

  #reveal(span: Span): void {
    if (this.#fit) this.#fit.reveal(span, 'center')
    else this.#editor.getModifiedEditor().revealLinesInCenterIfOutsideViewport(span.first, span.last)
  }

  /** Scrolls what is below a line into view. */
  #scrollTo(editor: Monaco.editor.ICodeEditor, below: HTMLElement): void {
    if (this.#fit) this.#fit.scrollTo(below)
    else editor.setScrollTop(editor.getScrollTop() + distanceInto(this.element.getBoundingClientRect(), below))
  }

  #reportPosition(): void {
    this.#bars.highlightCurrent()
    if (this.#shown) this.onPositionChange(this.position())
  }
}
