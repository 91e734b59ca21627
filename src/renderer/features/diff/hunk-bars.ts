/**
 * The bars above the hunks of a diff, each with its decision and the buttons Keep and Undo. A bar lies over an empty
 * view zone of the editor, so it never covers code. It follows the zone while the editor scrolls.
 */
import type * as Monaco from 'monaco-editor/editor'
import type { TextHunk } from '../../../contract/diff.ts'
import type { IconName } from '../../ui/icon.tsx'
import { type Span, spanAt, spanOfHunk } from './hunk-spans.ts'
import type { SelectedLines } from './line-selection.ts'
import { BY_OTHERS, keepText, type Mark, undoText } from './review.ts'

/** The action of a button. `show`: shows the restore that undid the hunk in the timeline. */
export type HunkAction = 'keep' | 'undo' | 'show'

/** What the bars show. */
export interface HunkBarState {
  /** With what is undone of them now: the text on screen is not loaded anew for that. */
  readonly hunks: readonly TextHunk[]
  /** By number of the hunk. */
  readonly marks: ReadonlyMap<number, Mark>
  /** "Undo" or "Restore". */
  readonly verb: string
  /** Why nothing can be undone now, null if it can. */
  readonly undoDisabled: string | null
  /** Why nothing can be kept now, null if it can. */
  readonly keepDisabled: string | null
}

/** Height of a bar, px. */
const BAR_PX = 28
const SHOW_LABEL = 'Show in timeline'
const SVG = 'http://www.w3.org/2000/svg'
const ICONS: Readonly<Record<Mark, IconName>> = {
  kept: 'check',
  undone: 'undo',
  'partly kept': 'check',
  'partly undone': 'undo'
}

interface Bar {
  readonly hunk: TextHunk
  /** Nothing that it changes is shown. */
  hidden: boolean
  readonly element: HTMLElement
  readonly mark: HTMLElement
  readonly keep: HTMLButtonElement
  /**
   * Undoes the hunk; once undone, shows the restore in the timeline. One button for both, so that focus stays on it.
   */
  readonly undoOrShow: HTMLButtonElement
}

export class HunkBars {
  readonly #editor: Monaco.editor.ICodeEditor
  readonly #layer: HTMLElement
  #bars: readonly Bar[] = []
  #zones: readonly string[] = []
  /** False while the original side of the diff does not have its room for the bars yet. No bar is visible until then. */
  #aligned = false
  #state: HunkBarState = { hunks: [], marks: new Map(), verb: '', undoDisabled: null, keepDisabled: null }
  #selected: SelectedLines | null = null
  onAction: (n: number, action: HunkAction) => void = () => {}

  constructor(host: HTMLElement, editor: Monaco.editor.ICodeEditor) {
    this.#editor = editor
    this.#layer = document.createElement('div')
    this.#layer.className = 'change-bars'
    host.append(this.#layer)
    this.#layer.addEventListener('wheel', (event) => {
      editor.setScrollPosition({
        scrollTop: editor.getScrollTop() + event.deltaY,
        scrollLeft: editor.getScrollLeft() + event.deltaX
      })
    })
    this.#layer.addEventListener('focusout', () => {
      requestAnimationFrame(() => this.#hideOffscreen())
    })
  }

  /** Replaces all bars. Call it after the editor has its text, because zones belong to a text. */
  show(hunks: readonly TextHunk[]): void {
    this.#bars = hunks.map((hunk) => this.#bar(hunk, hunks.length))
    this.#layer.replaceChildren(...this.#bars.map((bar) => bar.element))
    this.#makeRoom()
    this.setState(this.#state)
    this.highlightCurrent()
  }

  /** Hides the bars of hunks without a change; `changes`: the spans that are shown as changed, null: all hunks are. */
  hideUnchanged(changes: readonly Span[] | null): void {
    const before = this.hiddenCount()
    for (const bar of this.#bars) {
      const { first, last } = spanOfHunk(bar.hunk)
      bar.hidden = changes !== null && !changes.some((change) => change.first <= last && change.last >= first)
    }
    if (this.hiddenCount() !== before) this.#makeRoom()
  }

  hiddenCount(): number {
    return this.#bars.filter(({ hidden }) => hidden).length
  }

  #makeRoom(): void {
    const old = this.#zones
    const bars = this.#bars.filter(({ hidden }) => !hidden)
    for (const { element, hidden } of this.#bars) if (hidden) element.dataset.offscreen = 'true'
    this.#editor.changeViewZones((zones) => {
      for (const id of old) zones.removeZone(id)
      this.#zones = bars.map(({ hunk, element }) =>
        zones.addZone({
          afterLineNumber: hunk.newFrom,
          heightInPx: BAR_PX,
          // Puts the bar above the deleted lines, which the editor draws in a zone at the same line.
          ordinal: 0,
          domNode: document.createElement('div'),
          onDomNodeTop: (top) => this.#place(element, top)
        })
      )
    })
    this.#revealWhenAligned(this.#bars)
  }

  /** Updates the decisions in place, so that focus stays. */
  setState(state: HunkBarState): void {
    this.#state = state
    const total = this.#bars.length
    for (const { hunk, element, mark, keep, undoOrShow } of this.#bars) {
      const decided = state.marks.get(hunk.n)
      element.dataset.mark = decided ?? ''
      mark.replaceChildren(...(decided ? [icon(ICONS[decided]), decided] : []))
      const count = this.#selected?.hunks.includes(hunk.n) ? this.#selected.count : null
      keep.hidden = decided === 'undone'
      keep.ariaPressed = String(decided === 'kept')
      const keepLabel = keepText(count)
      keep.replaceChildren(icon('check'), count === null ? 'Keep' : keepLabel)
      keep.ariaLabel =
        count === null ? `Keep Change ${hunk.n} of ${total}` : `${keepLabel} Change ${hunk.n} of ${total}`
      const label = keep.hidden ? SHOW_LABEL : undoText(state.verb, count)
      undoOrShow.replaceChildren(icon(keep.hidden ? 'history' : 'undo'), label)
      undoOrShow.ariaLabel = `${label} Change ${hunk.n} of ${total}`
      setDisabled(undoOrShow, keep.hidden ? null : hunk.byOthers ? BY_OTHERS : state.undoDisabled)
      setDisabled(keep, state.keepDisabled)
    }
  }

  /** The selected lines: the bars of their hunks offer to keep or undo only them. */
  setSelected(selected: SelectedLines | null): void {
    if (JSON.stringify(selected) === JSON.stringify(this.#selected)) return
    this.#selected = selected
    this.setState(this.#state)
  }

  /** Highlights the bar of the current hunk. */
  highlightCurrent(): void {
    const current = this.current()
    for (const { hunk, element } of this.#bars) element.classList.toggle('here', hunk === current)
  }

  /** The hunks with bars, or the one of a file that the run made, with what is undone of them now. */
  hunks(made: TextHunk | null): readonly TextHunk[] {
    const hunks = made ? [made] : this.#bars.map(({ hunk }) => hunk)
    return hunks.map((hunk) => this.#state.hunks[hunk.n - 1] ?? hunk)
  }

  spans(): readonly Span[] {
    return this.#bars.map((bar) => spanOfHunk(bar.hunk))
  }

  /** The hunk whose bar has focus, else the first with selected lines, else the one at the cursor; null if there are none. */
  current(): TextHunk | null {
    const focused = this.#bars.find(({ element }) => element.contains(document.activeElement))
    if (focused) return focused.hunk
    const selected = this.#selected?.hunks[0]
    if (selected !== undefined) return this.#bars.find(({ hunk }) => hunk.n === selected)?.hunk ?? null
    const line = this.#editor.getPosition()?.lineNumber ?? 1
    const shown = this.#bars.filter(({ hidden }) => !hidden).map(({ hunk }) => hunk)
    return shown[spanAt(shown.map(spanOfHunk), line)] ?? null
  }

  /** Removes the bars. Their zones are removed with the editor. */
  dispose(): void {
    this.#layer.remove()
  }

  /**
   * Monaco aligns the original side in a timer of 0 ms that it starts when the zones change, and paints it in the next
   * frame. Until then a bar would cover lines of the original. A later timer and a later frame request run after both.
   */
  #revealWhenAligned(bars: readonly Bar[]): void {
    this.#aligned = false
    setTimeout(() => {
      requestAnimationFrame(() => {
        if (this.#bars !== bars) return
        this.#aligned = true
        this.#hideOffscreen()
      })
    })
  }

  #bar(hunk: TextHunk, total: number): Bar {
    const title = `Change ${hunk.n} of ${total}`
    const element = document.createElement('div')
    element.className = 'change-bar'
    element.hidden = true
    const mark = document.createElement('span')
    mark.className = 'decided'
    const label = document.createElement('span')
    label.textContent = title
    const createButton = (action: () => HunkAction, keys: string) => {
      const button = document.createElement('button')
      button.type = 'button'
      button.className = 'btn sm'
      button.ariaKeyShortcuts = keys
      button.addEventListener('click', () => this.onAction(hunk.n, action()))
      return button
    }
    const keep = createButton(() => 'keep', 'Alt+Y')
    const undoOrShow = createButton(() => (keep.hidden ? 'show' : 'undo'), 'Alt+Z')
    element.append(mark, label, keep, undoOrShow)
    return { hunk, hidden: false, element, mark, keep, undoOrShow }
  }

  #place(bar: HTMLElement, top: number): void {
    bar.style.top = `${top}px`
    bar.dataset.offscreen = String(top < -BAR_PX || top > this.#editor.getLayoutInfo().height)
    this.#hideIfOffscreen(bar)
  }

  #hideOffscreen(): void {
    for (const { element } of this.#bars) this.#hideIfOffscreen(element)
  }

  /** A bar outside the viewport is no Tab stop, unless it has focus. */
  #hideIfOffscreen(bar: HTMLElement): void {
    const offscreen = bar.dataset.offscreen !== 'false' && !bar.contains(document.activeElement)
    bar.hidden = offscreen || !this.#aligned
  }
}

/** It stays in the order of the keyboard, and says why it does nothing. */
function setDisabled(button: HTMLButtonElement, reason: string | null): void {
  button.ariaDisabled = reason === null ? null : 'true'
  button.ariaDescription = reason
  if (reason === null) delete button.dataset.tip
  else button.dataset.tip = reason
}

function icon(name: IconName): SVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('class', 'i s')
  svg.setAttribute('viewBox', '0 0 16 16')
  svg.setAttribute('aria-hidden', 'true')
  const use = document.createElementNS(SVG, 'use')
  use.setAttribute('href', `#i-${name}`)
  svg.append(use)
  return svg
}
