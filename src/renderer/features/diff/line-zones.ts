/**
 * Room below lines of a diff for elements of the page: comments and the box for one. Like the bars of the hunks, an
 * element lies over an empty view zone of the editor and follows it; the zone has the height of the element.
 */
import type * as Monaco from 'monaco-editor/editor'
import { lineInlineOf } from './pointed-lines.ts'
import type { PlacedZone, TextDoc } from './text-doc.ts'

/** An element below a line of one of the two editors. */
interface PlacedElement {
  readonly key: string
  readonly editor: Monaco.editor.ICodeEditor
  readonly line: number
  readonly element: HTMLElement
}

interface Zone extends PlacedElement {
  readonly id: string
  readonly zone: Monaco.editor.IViewZone
}

/** Below the deleted lines that Monaco draws inline in a zone at the same line. */
const BELOW_DELETED_LINES = 20_000

/** The editor and the line of each zone. `split`: two columns where both sides have a text. */
export function placedIn(
  editor: Monaco.editor.IStandaloneDiffEditor,
  shape: TextDoc['shape'],
  split: boolean,
  zones: readonly PlacedZone[]
): PlacedElement[] {
  const changes = editor.getLineChanges() ?? []
  return zones.map(({ key, side, line, element }) => {
    if (side === 'after' || shape !== 'changed') return { key, element, line, editor: editor.getModifiedEditor() }
    if (split) return { key, element, line, editor: editor.getOriginalEditor() }
    return { key, element, line: lineInlineOf(line, changes), editor: editor.getModifiedEditor() }
  })
}

export class LineZones {
  readonly #host: HTMLElement
  readonly #layer: HTMLElement
  readonly #resized: ResizeObserver
  #zones: readonly Zone[] = []
  /** An element has the focus, and has its place: it is to be scrolled into view, where the browser would scroll the layer. */
  onFocus: (editor: Monaco.editor.ICodeEditor, element: HTMLElement) => void = () => {}

  constructor(host: HTMLElement, editors: readonly Monaco.editor.ICodeEditor[]) {
    this.#host = host
    this.#layer = document.createElement('div')
    this.#layer.className = 'line-zones'
    host.append(this.#layer)
    this.#layer.addEventListener('wheel', (event) => {
      const editor = this.#zones.find(({ element }) => element.contains(event.target as Node))?.editor
      editor?.setScrollTop(editor.getScrollTop() + event.deltaY)
    })
    this.#layer.addEventListener('focusin', ({ target }) => {
      const zone = this.#zones.find(({ element }) => element.contains(target as Node))
      if (zone) this.#focused(zone)
    })
    this.#resized = new ResizeObserver((entries) => {
      for (const { target } of entries) this.#fit(target as HTMLElement)
    })
    // The editors dispose their listeners with themselves.
    for (const editor of editors)
      editor.onDidLayoutChange(() => {
        for (const zone of this.#zones) this.#align(zone)
      })
  }

  /** Replaces all zones. Call it after the editor has its text, because zones belong to a text. */
  show(placed: readonly PlacedElement[]): void {
    for (const { editor, id, element } of this.#zones) {
      editor.changeViewZones((zones) => zones.removeZone(id))
      this.#resized.unobserve(element)
    }
    const elements = placed.map(({ element }) => element)
    for (const child of [...this.#layer.children]) if (!elements.includes(child as HTMLElement)) child.remove()
    this.#zones = placed.map((item) => this.#add(item))
  }

  /** Removes the elements. Their zones are removed with the editor. */
  dispose(): void {
    this.#resized.disconnect()
    this.#layer.remove()
  }

  #add(item: PlacedElement): Zone {
    const { editor, line, element } = item
    // An element that stays is not moved in the page: it would lose the focus.
    if (element.parentElement !== this.#layer) this.#layer.append(element)
    const zone: Monaco.editor.IViewZone = {
      afterLineNumber: line,
      heightInPx: element.offsetHeight,
      ordinal: BELOW_DELETED_LINES,
      domNode: document.createElement('div'),
      onDomNodeTop: (top) => {
        element.style.top = `${top}px`
        element.hidden = top < -4 * editor.getLayoutInfo().height || top > 5 * editor.getLayoutInfo().height
      }
    }
    let id = ''
    editor.changeViewZones((zones) => {
      id = zones.addZone(zone)
    })
    const added = { ...item, id, zone }
    this.#align(added)
    this.#resized.observe(element)
    return added
  }

  /** The editor places the element in its next frame, which it requested before. */
  #focused({ editor, element }: PlacedElement): void {
    requestAnimationFrame(() => {
      if (element.contains(document.activeElement)) this.onFocus(editor, element)
    })
  }

  /** Beside the line numbers of its editor. */
  #align({ editor, element }: PlacedElement): void {
    const node = editor.getDomNode()
    if (!node) return
    const { contentLeft, contentWidth, verticalScrollbarWidth } = editor.getLayoutInfo()
    const left = node.getBoundingClientRect().left - this.#host.getBoundingClientRect().left
    element.style.left = `${left + contentLeft}px`
    element.style.width = `${Math.max(160, contentWidth - verticalScrollbarWidth)}px`
  }

  #fit(element: HTMLElement): void {
    const found = this.#zones.find((zone) => zone.element === element)
    // Hidden it has no height.
    if (!found || element.offsetHeight === 0 || found.zone.heightInPx === element.offsetHeight) return
    found.zone.heightInPx = element.offsetHeight
    found.editor.changeViewZones((zones) => zones.layoutZone(found.id))
    if (element.contains(document.activeElement)) this.#focused(found)
  }
}
