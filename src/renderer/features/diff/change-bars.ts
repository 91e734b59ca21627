/**
 * The bars above the changes of a run, each with the action that takes its change back. Every bar stands in room that
 * the editor leaves between lines, so it never covers code; the room scrolls, and the bar follows it.
 */
import type * as Monaco from 'monaco-editor/editor'
import type { TextHunk } from '../../../contract/diff.ts'
import type { IconName } from '../../ui/icon.tsx'
import { type Span, spanAt, spanOfHunk } from './change-places.ts'

/** Height of a bar, px. */
const BAR_PX = 28
const SVG = 'http://www.w3.org/2000/svg'
const LABEL = 'Undo this change…'

interface Bar {
  readonly hunk: TextHunk
  readonly element: HTMLElement
}

export class ChangeBars {
  readonly #editor: Monaco.editor.ICodeEditor
  readonly #layer: HTMLElement
  #bars: readonly Bar[] = []
  #zones: readonly string[] = []
  onUndo: (n: number) => void = () => {}

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
    const bars = hunks.map((hunk) => ({ hunk, element: this.#bar(hunk, hunks.length) }))
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
    this.mark()
  }

  /** Marks the change the reader is at. */
  mark(): void {
    const at = this.current()
    for (const { hunk, element } of this.#bars) element.classList.toggle('here', hunk === at)
  }

  spans(): readonly Span[] {
    return this.#bars.map((bar) => spanOfHunk(bar.hunk))
  }

  /** The change the cursor is at. */
  current(): TextHunk | null {
    const line = this.#editor.getPosition()?.lineNumber ?? 1
    return this.#bars[spanAt(this.spans(), line)]?.hunk ?? null
  }

  /** The room goes with the editor. */
  dispose(): void {
    this.#layer.remove()
  }

  #bar(hunk: TextHunk, of: number): HTMLElement {
    const bar = document.createElement('div')
    bar.className = 'change-bar'
    bar.hidden = true
    const place = document.createElement('span')
    place.textContent = `Change ${hunk.n} of ${of}`
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'btn sm'
    button.append(icon('undo'), LABEL)
    button.ariaLabel = `${LABEL} Change ${hunk.n} of ${of}`
    button.addEventListener('click', () => this.onUndo(hunk.n))
    bar.append(place, button)
    return bar
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
