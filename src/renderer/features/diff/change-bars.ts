/**
 * The bars above the changes of a run, each with what was decided about it and the actions that decide. Every bar stands
 * in room that the editor leaves between lines, so it never covers code; the room scrolls, and the bar follows it.
 */
import type * as Monaco from 'monaco-editor/editor'
import type { TextHunk } from '../../../contract/diff.ts'
import type { IconName } from '../../ui/icon.tsx'
import { type Span, spanAt, spanOfHunk } from './change-places.ts'
import type { Mark } from './review.ts'

/** What a button of a bar asks for; `find`: the restore that took the change back. */
export type ChangeAct = 'keep' | 'undo' | 'find'

/** How the bars stand: what was decided, and what taking back is called here. */
export interface BarState {
  readonly marks: ReadonlyMap<number, Mark>
  /** "Undo this change…" */
  readonly undo: string
}

/** Height of a bar, px. */
const BAR_PX = 28
const FIND = 'Show in timeline'
const SVG = 'http://www.w3.org/2000/svg'
const MARKS: Readonly<Record<Mark, readonly [IconName, string]>> = {
  kept: ['check', 'kept'],
  'taken-back': ['undo', 'taken back']
}

interface Bar {
  readonly hunk: TextHunk
  readonly element: HTMLElement
  readonly mark: HTMLElement
  readonly keep: HTMLButtonElement
  /** Takes the change back; once that is done it leads to where that can be undone. One button, so that focus stays. */
  readonly back: HTMLButtonElement
}

export class ChangeBars {
  readonly #editor: Monaco.editor.ICodeEditor
  readonly #layer: HTMLElement
  #bars: readonly Bar[] = []
  #zones: readonly string[] = []
  #state: BarState = { marks: new Map(), undo: '' }
  onAct: (n: number, act: ChangeAct) => void = () => {}

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
      requestAnimationFrame(() => {
        for (const { element } of this.#bars) hideUnseen(element)
      })
    })
  }

  /** Replaces all bars; call it after the editor got its text. */
  show(hunks: readonly TextHunk[]): void {
    const old = this.#zones
    const bars = hunks.map((hunk) => this.#bar(hunk, hunks.length))
    this.#bars = bars
    this.#layer.replaceChildren(...bars.map((bar) => bar.element))
    this.#editor.changeViewZones((zones) => {
      for (const id of old) zones.removeZone(id)
      this.#zones = bars.map(({ hunk, element }) =>
        zones.addZone({
          afterLineNumber: hunk.newFrom,
          heightInPx: BAR_PX,
          // Above the deleted lines, which the editor draws in the same place.
          ordinal: 0,
          domNode: document.createElement('div'),
          onDomNodeTop: (top) => this.#place(element, top)
        })
      )
    })
    this.setState(this.#state)
    this.mark()
  }

  /** What was decided, on the bars as they are: focus stays where it is. */
  setState(state: BarState): void {
    this.#state = state
    const of = this.#bars.length
    for (const { hunk, element, mark, keep, back } of this.#bars) {
      const decided = state.marks.get(hunk.n)
      element.dataset.mark = decided ?? ''
      mark.replaceChildren(...(decided ? [icon(MARKS[decided][0]), MARKS[decided][1]] : []))
      keep.hidden = decided === 'taken-back'
      keep.ariaPressed = String(decided === 'kept')
      const label = keep.hidden ? FIND : state.undo
      back.replaceChildren(icon(keep.hidden ? 'history' : 'undo'), label)
      back.ariaLabel = `${label} Change ${hunk.n} of ${of}`
    }
  }

  /** Marks the change the reader is at. */
  mark(): void {
    const at = this.current()
    for (const { hunk, element } of this.#bars) element.classList.toggle('here', hunk === at)
  }

  spans(): readonly Span[] {
    return this.#bars.map((bar) => spanOfHunk(bar.hunk))
  }

  /** The change whose bar has focus, else the one the cursor is at. */
  current(): TextHunk | null {
    const focused = this.#bars.find(({ element }) => element.contains(document.activeElement))
    if (focused) return focused.hunk
    const line = this.#editor.getPosition()?.lineNumber ?? 1
    return this.#bars[spanAt(this.spans(), line)]?.hunk ?? null
  }

  /** The room goes with the editor. */
  dispose(): void {
    this.#layer.remove()
  }

  #bar(hunk: TextHunk, of: number): Bar {
    const which = `Change ${hunk.n} of ${of}`
    const element = document.createElement('div')
    element.className = 'change-bar'
    element.hidden = true
    const mark = document.createElement('span')
    mark.className = 'decided'
    const place = document.createElement('span')
    place.textContent = which
    const button = (act: () => ChangeAct, keys: string) => {
      const made = document.createElement('button')
      made.type = 'button'
      made.className = 'btn sm'
      made.ariaKeyShortcuts = keys
      made.addEventListener('click', () => this.onAct(hunk.n, act()))
      return made
    }
    const keep = button(() => 'keep', 'Alt+Y')
    keep.append(icon('check'), 'Keep')
    keep.ariaLabel = `Keep ${which}`
    const back = button(() => (keep.hidden ? 'find' : 'undo'), 'Alt+Z')
    element.append(mark, place, keep, back)
    return { hunk, element, mark, keep, back }
  }

  #place(bar: HTMLElement, top: number): void {
    bar.style.top = `${top}px`
    bar.dataset.unseen = String(top < -BAR_PX || top > this.#editor.getLayoutInfo().height)
    hideUnseen(bar)
  }
}

/** What is scrolled away takes no Tab stop, unless it has focus. */
function hideUnseen(bar: HTMLElement): void {
  bar.hidden = bar.dataset.unseen !== 'false' && !bar.contains(document.activeElement)
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
