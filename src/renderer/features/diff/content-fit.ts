/**
 * Gives a diff editor the height of its content, in an element that scrolls instead of it.
 * An editor draws every line within its height, so of a long text only a window is laid out: the part near what is
 * visible. The window lies at the place of its lines, so that scrolling within it moves nothing; near its edge it is
 * moved on, and the editor scrolled by the same distance.
 * Of a new text the window grows by a few lines in each frame, beyond those that are visible: all of them at once take
 * longer than a frame of the scroll has.
 */
import type * as Monaco from 'monaco-editor/editor'
import { freeTime } from '../../ui/free-time.ts'
import type { Span } from './hunk-spans.ts'

/** Height of the window, and what remains of it beyond the visible part before it moves on; visible heights. */
const WINDOW = 3
const MARGIN = 0.5
/** How much the window of a new text grows in a frame, px. */
const GROWTH_PX = 200
/** What lies over the top of the scrolling element: the header of the file, px. */
export const HEADER_PX = 40

/** Of each scrolling element: reading a size while lines are written would lay the page out anew. */
const sizes = new WeakMap<HTMLElement, Sizes>()

interface Sizes {
  readonly visible: number
  /** Its width. */
  readonly room: number
  /** Of the texts in it; null until one is placed. */
  width: number | null
}

/** How far to scroll until an element is in a view, px: as little as possible; of a higher one its top is shown. */
export function distanceInto(view: Pick<DOMRect, 'top' | 'bottom'>, element: HTMLElement): number {
  const { top, bottom } = element.getBoundingClientRect()
  const above = top - view.top
  return above < 0 ? above : Math.max(0, Math.min(above, bottom - view.bottom))
}

export class ContentFit {
  readonly #editor: Monaco.editor.IStandaloneDiffEditor
  readonly #element: HTMLElement
  readonly #scroller: HTMLElement
  readonly #onHeight: (height: number) => void
  readonly #listening = new AbortController()
  readonly #subscriptions: readonly Monaco.IDisposable[]
  #height = 0
  /** While a text is replaced its height changes several times. */
  #paused = false
  /** A new height scrolls the editor. */
  #placing = false
  /** How high the window may be so far. */
  #grown = GROWTH_PX
  /** Of the window. */
  #top = 0
  #windowHeight = 0
  #windowWidth = 0

  constructor(
    editor: Monaco.editor.IStandaloneDiffEditor,
    element: HTMLElement,
    scroller: HTMLElement,
    onHeight: (height: number) => void
  ) {
    this.#editor = editor
    this.#element = element
    this.#scroller = scroller
    this.#onHeight = onHeight
    const { signal } = this.#listening
    editor.updateOptions({
      scrollbar: { vertical: 'hidden', verticalScrollbarSize: 0, alwaysConsumeMouseWheel: false }
    })
    // The wheel scrolls all files; Monaco would scroll its own window.
    const leaveToScroller = (event: WheelEvent) => {
      if (!event.shiftKey && Math.abs(event.deltaY) >= Math.abs(event.deltaX)) event.stopPropagation()
    }
    element.addEventListener('wheel', leaveToScroller, { capture: true, passive: true, signal })
    scroller.addEventListener('scroll', () => this.#moveWindow(), { passive: true, signal })
    const resized = new ResizeObserver(() => {
      // Called with the first size, too.
      const known = sizes.get(scroller)
      if (known?.visible !== scroller.clientHeight || known.room !== scroller.clientWidth) sizes.delete(scroller)
      this.#moveWindow()
    })
    resized.observe(scroller)
    signal.addEventListener('abort', () => resized.disconnect())
    const sides = [editor.getOriginalEditor(), editor.getModifiedEditor()]
    const subscriptions = sides.flatMap((side) => [
      side.onDidContentSizeChange(() => this.#measure()),
      side.onDidChangeCursorPosition(({ source, position: { lineNumber } }) => {
        if (source === 'keyboard') this.reveal({ first: lineNumber, last: lineNumber }, 'nearest', side)
      })
    ])
    // The other side scrolls with it: following that one, too, would end the scroll before this one reports it.
    const scrolled = editor.getModifiedEditor().onDidScrollChange((event) => event.scrollTopChanged && this.#follow())
    this.#subscriptions = [...subscriptions, scrolled]
  }

  /** Replaces the text by `work`, and reads its height once. */
  replace(work: () => void): void {
    // Read before the page is written: it would be laid out for it.
    const offset = this.#offset()
    this.#paused = true
    try {
      work()
    } finally {
      this.#paused = false
    }
    this.#measure(offset)
    void this.#grow()
  }

  async #grow(): Promise<void> {
    while (this.#grown < this.#limit) {
      await freeTime()
      if (this.#listening.signal.aborted) return
      this.#grown += GROWTH_PX
      this.#moveWindow()
    }
    this.#grown = Number.POSITIVE_INFINITY
  }

  /** The greatest height of the window. */
  get #limit(): number {
    return Math.min(this.#height, Math.max(600, WINDOW * this.#visible))
  }

  #sizes(): Sizes {
    const known = sizes.get(this.#scroller)
    if (known) return known
    const { clientHeight: visible, clientWidth: room } = this.#scroller
    const read = { visible, room, width: null }
    sizes.set(this.#scroller, read)
    return read
  }

  /** Of the scrolling element. */
  get #visible(): number {
    return this.#sizes().visible
  }

  /** Of every text in the scrolling element. */
  get #width(): number {
    const known = this.#sizes()
    known.width ??= this.#element.clientWidth
    return known.width
  }

  /** `offset`: that of the text, if it is known. */
  #measure(offset?: number): void {
    if (this.#paused || !this.#editor.getModel()) return
    // Inline, the original side holds line numbers alone, and wraps at another width.
    const split = this.#element.querySelector('.side-by-side') !== null
    const sides = [this.#editor.getModifiedEditor(), ...(split ? [this.#editor.getOriginalEditor()] : [])]
    const height = Math.ceil(Math.max(...sides.map((side) => side.getContentHeight())))
    if (height === this.#height) return
    this.#height = height
    this.#onHeight(height)
    this.#moveWindow(true, offset)
  }

  /** Scrolls lines into view: in the middle if they are out of sight, or as little as possible. */
  reveal({ first, last }: Span, place: 'center' | 'nearest', side = this.#editor.getModifiedEditor()): void {
    const above = this.#offset()
    const top = side.getTopForLineNumber(first)
    const bottom = side.getBottomForLineNumber(last)
    const visibleFrom = above + HEADER_PX
    const visibleTo = above + this.#visible
    if (top >= visibleFrom && (bottom <= visibleTo || bottom - top > visibleTo - visibleFrom)) return
    const middle = top - (this.#visible - Math.min(bottom - top, 200)) / 2
    const nearest = top < visibleFrom ? top - HEADER_PX : bottom - this.#visible
    this.#scroller.scrollTop += (place === 'center' ? middle : nearest) - above
    this.#moveWindow()
  }

  /** Scrolls what is below a line into view. */
  scrollTo(below: HTMLElement): void {
    const { top, bottom } = this.#scroller.getBoundingClientRect()
    this.#scroller.scrollTop += distanceInto({ top: top + HEADER_PX, bottom }, below)
    this.#moveWindow()
  }

  dispose(): void {
    this.#listening.abort()
    for (const subscription of this.#subscriptions) subscription.dispose()
    const { style } = this.#element
    style.removeProperty('top')
    style.removeProperty('height')
    style.removeProperty('bottom')
  }

  /** How far the top edge of the scrolling element is below that of the text. */
  #offset(): number {
    const place = this.#element.parentElement ?? this.#element
    return this.#scroller.getBoundingClientRect().top - place.getBoundingClientRect().top
  }

  /** Lays out the part of the text near what is visible; `changed`: the height of the text did; `known`: the offset. */
  #moveWindow(changed = false, known?: number): void {
    // In a tab that is not shown it keeps its layout.
    if (this.#width === 0) return
    const anew = changed || this.#windowWidth !== this.#width
    const visible = this.#visible
    const limit = this.#limit
    if (limit === this.#height && this.#grown >= limit) {
      if (anew || this.#top !== 0 || this.#windowHeight !== limit) this.#place(0, limit)
      return
    }
    const offset = known ?? this.#offset()
    const inView = Math.min(offset + visible, this.#height - offset)
    this.#grown = Math.max(this.#grown, GROWTH_PX * Math.ceil(1 + inView / GROWTH_PX))
    const size = Math.min(limit, this.#grown)
    const last = this.#height - size
    const margin = MARGIN * visible
    const enough =
      (this.#top === 0 || offset - margin >= this.#top) &&
      (this.#top === last || offset + visible + margin <= this.#top + size)
    if (!anew && enough && this.#windowHeight === size && this.#top <= last) return
    this.#place(Math.round(Math.max(0, Math.min(last, offset - (size - visible) / 2))), size)
  }

  #place(top: number, height: number): void {
    this.#top = top
    this.#windowHeight = height
    this.#windowWidth = this.#width
    const { style } = this.#element
    style.top = `${top}px`
    style.height = `${height}px`
    style.bottom = 'auto'
    this.#placing = true
    try {
      this.#editor.layout({ width: this.#width, height })
      this.#editor.getModifiedEditor().setScrollTop(top)
    } finally {
      this.#placing = false
    }
  }

  /** Keeps the editor at its window. If it scrolled to its cursor, as a search does, all files scroll there instead. */
  #follow(): void {
    const modified = this.#editor.getModifiedEditor()
    const scrolledTo = modified.getScrollTop()
    if (this.#placing || Math.abs(scrolledTo - this.#top) < 1) return
    modified.setScrollTop(this.#top)
    if (this.#windowHeight >= this.#height) return
    const original = this.#editor.getOriginalEditor()
    const side = original.hasWidgetFocus() ? original : modified
    const line = side.getPosition()?.lineNumber ?? 1
    // Sides that are aligned, and a text that becomes shorter, scroll the editor, too: not to its cursor.
    const place = side.getTopForLineNumber(line)
    if (place >= scrolledTo && place < scrolledTo + this.#windowHeight)
      this.reveal({ first: line, last: line }, 'nearest', side)
  }
}
