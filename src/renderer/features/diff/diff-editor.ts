/** Holds the one Monaco diff editor of a pane. Invariant: what is shown stays until the next diff is computed. */
import type * as Monaco from 'monaco-editor/editor'
import { type BarState, type ChangeAct, ChangeBars } from './change-bars.ts'
import { type Span, spanAt } from './change-places.ts'
import { drawRuler } from './change-ruler.ts'
import { drawWords } from './draw-words.ts'
import { fixedOptions, MOST_DELETED_INLINE, textSize, toMonaco } from './editor-options.ts'
import { registerLanguages } from './languages.ts'
import { readTokens, themeOf } from './monaco-theme.ts'
import { drawOwnLines, type OwnLines, unfold } from './own-lines.ts'
import { type ChangePlace, DIFF_MS, type ShownText, type TextDoc, type TextOptions } from './text-doc.ts'
import { colour, createTextModel } from './text-models.ts'
import { isDark, watchTheme } from './theme-watch.ts'

type Api = typeof Monaco
type Editor = Monaco.editor.IStandaloneDiffEditor
interface Shown {
  readonly view: Monaco.editor.IDiffEditorViewModel
  readonly models: readonly Monaco.editor.ITextModel[]
}
/** Part of Monaco that its public types leave out; used only where present. */
interface WithDiff {
  readonly diff?: {
    get?(): { readonly mappings: readonly { readonly lineRangeMapping: { readonly original: { length: number } } }[] }
  }
}
interface WithResult {
  getDiffComputationResult?(): { readonly quitEarly: boolean } | null
}

const THEME = 'driftline'
/** A comparison that never answers must not keep the old file for ever. */
const GIVE_UP_MS = 15_000

export class DiffEditor {
  readonly #monaco: Api
  readonly #host: HTMLElement
  readonly #editor: Editor
  readonly #off: (() => void)[] = []
  readonly #ruler: HTMLElement
  readonly #bars: ChangeBars
  #marks: readonly Monaco.editor.IEditorDecorationsCollection[] = []
  #shown: Shown | null = null
  #turn = 0
  #shape: TextDoc['shape'] = 'changed'
  #options: TextOptions
  #crowded = false
  #path = ''
  #own: OwnLines | null = null
  onPlace: (place: ChangePlace) => void = () => {}
  onChangeAct: (n: number, act: ChangeAct) => void = () => {}

  constructor(monaco: Api, host: HTMLElement, options: TextOptions) {
    this.#monaco = monaco
    this.#host = host
    this.#options = options
    registerLanguages(monaco)
    this.#applyTheme()
    this.#off.push(
      watchTheme(() => {
        this.#applyTheme()
        // The two sides each: the whole editor's options would give both sides their first names again.
        for (const side of [this.#editor.getOriginalEditor(), this.#editor.getModifiedEditor()])
          side.updateOptions({ fontSize: textSize() })
      })
    )
    this.#editor = monaco.editor.createDiffEditor(host, { ...fixedOptions(host), ...toMonaco(options, 'changed') })
    this.#editor.getOriginalEditor().updateOptions({ scrollbar: { vertical: 'hidden', verticalScrollbarSize: 0 } })
    this.#ruler = document.createElement('div')
    this.#ruler.className = 'change-ruler'
    this.#ruler.ariaHidden = 'true'
    host.append(this.#ruler)
    const modifiedEditor = this.#editor.getModifiedEditor()
    this.#bars = new ChangeBars(host, modifiedEditor)
    this.#bars.onAct = (n, act) => this.onChangeAct(n, act)
    const places = [
      this.#editor.onDidUpdateDiff(() => this.#redraw()),
      modifiedEditor.onDidContentSizeChange(() => this.#drawRuler()),
      modifiedEditor.onDidLayoutChange(() => this.#drawRuler()),
      modifiedEditor.onDidChangeCursorPosition(() => this.#tellPlace())
    ]
    this.#off.push(() => {
      for (const place of places) place.dispose()
    })
  }

  /**
   * Shows two texts. Resolves when they are on screen with `stopped`: the comparison ended at its time limit,
   * and `crowded`: two columns whatever was chosen, since inline it would hold too much.
   * Resolves to null when a later call overtook this one. `maxMs` 0 compares without a limit.
   */
  async show(doc: TextDoc, options: TextOptions, maxMs = DIFF_MS): Promise<ShownText | null> {
    const turn = ++this.#turn
    this.#options = options
    this.#editor.updateOptions({ maxComputationTime: maxMs, ignoreTrimWhitespace: options.ignoreWhitespace })
    // A file that was born or is gone is one text on both sides: nothing to compare, nothing to highlight.
    const [before, after] =
      doc.shape === 'born'
        ? [doc.after, doc.after]
        : doc.shape === 'gone'
          ? [doc.before, doc.before]
          : [doc.before, doc.after]
    const original = createTextModel(this.#monaco, 'before', doc.oldPath || doc.path, before, doc.plain)
    const modified = createTextModel(this.#monaco, 'after', doc.path, after, doc.plain)
    const view = this.#editor.createViewModel({ original, modified })
    const next: Shown = { view, models: [original, modified] }
    await Promise.race([view.waitForDiff(), new Promise((done) => setTimeout(done, maxMs ? GIVE_UP_MS : 120_000))])
    if (turn !== this.#turn) {
      release(next)
      return null
    }
    await colour(this.#monaco, original)
    if (turn !== this.#turn) {
      release(next)
      return null
    }
    const last = this.#shown
    this.#shown = next
    // Only now, or the old file would be laid out anew while it waits to go.
    this.#shape = doc.shape
    this.#path = doc.path
    this.#crowded = doc.shape === 'changed' && deletedLines(view) > MOST_DELETED_INLINE
    this.#host.dataset.shape = doc.shape
    this.#editor.updateOptions(toMonaco(this.#options, doc.shape, this.#crowded))
    this.#editor.getOriginalEditor().updateOptions({ ariaLabel: doc.beforeLabel })
    this.#editor.getModifiedEditor().updateOptions({ ariaLabel: doc.afterLabel })
    this.#editor.setModel(view)
    this.#editor
      .getModifiedEditor()
      .setScrollPosition({ scrollTop: 0, scrollLeft: 0 }, this.#monaco.editor.ScrollType.Immediate)
    this.#bars.show(doc.hunks)
    this.#redraw()
    if (last) requestAnimationFrame(() => requestAnimationFrame(() => release(last)))
    const result = (this.#editor as Editor & WithResult).getDiffComputationResult?.()
    return { stopped: result?.quitEarly ?? false, crowded: this.#crowded }
  }

  setOptions(options: TextOptions): void {
    this.#options = options
    this.#editor.updateOptions(toMonaco(options, this.#shape, this.#crowded))
  }

  /** Lines to be marked as a person's own, as soon as their file is shown. */
  setOwnLines(own: OwnLines | null): void {
    this.#own = own
    if (this.#shown) this.#mark()
  }

  /** Goes to the next or previous change; false when there is none in that direction. */
  go(delta: 1 | -1): boolean {
    const to = this.#spans()[this.#place().at - 1 + delta]
    if (to) this.#goTo(to)
    return to !== undefined
  }

  /** Goes to the first or last change, as when coming from a neighbouring file. */
  goToEnd(end: 'first' | 'last'): void {
    const to = this.#spans().at(end === 'first' ? 0 : -1)
    if (to) this.#goTo(to)
  }

  /** Number of the change the reader is at; null when none of this text can be decided by itself. */
  change(): number | null {
    return this.#bars.current()?.n ?? null
  }

  goToChange(n: number): void {
    const to = this.#bars.spans()[n - 1]
    if (to) this.#goTo(to)
  }

  /** What was decided about the changes. */
  setBars(state: BarState): void {
    this.#bars.setState(state)
  }

  focus(): void {
    this.#editor.getModifiedEditor().focus()
  }

  /** The accessible viewer: every change as plain lines to read. */
  accessibleViewer(delta: 1 | -1): void {
    if (delta > 0) this.#editor.accessibleDiffViewerNext()
    else this.#editor.accessibleDiffViewerPrev()
  }

  dispose(): void {
    this.#turn++
    for (const off of this.#off) off()
    this.#editor.dispose()
    this.#bars.dispose()
    this.#ruler.remove()
    if (this.#shown) release(this.#shown)
    this.#shown = null
  }

  #redraw(): void {
    this.#mark()
    this.#drawRuler()
    this.#tellPlace()
  }

  #drawRuler(): void {
    drawRuler(this.#ruler, this.#editor.getModifiedEditor(), this.#changes())
  }

  #mark(): void {
    for (const marks of this.#marks) marks.clear()
    const changes = this.#changes()
    this.#marks = [
      drawWords(this.#monaco, this.#editor.getOriginalEditor(), 'original', changes),
      drawWords(this.#monaco, this.#editor.getModifiedEditor(), 'modified', changes)
    ]
    if (this.#own?.path !== this.#path || this.#shape !== 'changed') return
    this.#marks = [...this.#marks, ...drawOwnLines(this.#monaco, this.#editor, this.#own, changes)]
    if (this.#shown) unfold(this.#shown.view, this.#own, changes)
  }

  #changes(): readonly Monaco.editor.ILineChange[] {
    return this.#editor.getLineChanges() ?? []
  }

  /** The changes a reader steps through: those that have bars, else those of the editor. */
  #spans(): readonly Span[] {
    const own = this.#options.ignoreWhitespace ? [] : this.#bars.spans()
    return own.length > 0 ? own : this.#changes().map(spanOf)
  }

  #place(): ChangePlace {
    const spans = this.#spans()
    const line = this.#editor.getModifiedEditor().getPosition()?.lineNumber ?? 1
    return { at: spanAt(spans, line) + 1, of: spans.length }
  }

  #goTo(span: Span): void {
    const editor = this.#editor.getModifiedEditor()
    editor.setPosition({ lineNumber: span.first, column: 1 })
    editor.revealLinesInCenterIfOutsideViewport(span.first, span.last)
    this.#tellPlace()
  }

  #tellPlace(): void {
    this.#bars.mark()
    if (this.#shown) this.onPlace(this.#place())
  }

  #applyTheme(): void {
    if (matchMedia('(forced-colors: active)').matches) {
      // The system's colours replace ours everywhere; Monaco has themes made for that.
      this.#monaco.editor.setTheme(matchMedia('(prefers-color-scheme: dark)').matches ? 'hc-black' : 'hc-light')
      return
    }
    this.#monaco.editor.defineTheme(THEME, themeOf(readTokens(this.#host), isDark()))
    this.#monaco.editor.setTheme(THEME)
  }
}

function deletedLines(view: Monaco.editor.IDiffEditorViewModel): number {
  const mappings = (view as WithDiff).diff?.get?.()?.mappings ?? []
  return mappings.reduce((sum, { lineRangeMapping }) => sum + lineRangeMapping.original.length, 0)
}

/** A deletion has no line of its own after the change: the line it follows stands for it. */
function spanOf(change: Monaco.editor.ILineChange): Span {
  const first = Math.max(1, change.modifiedStartLineNumber)
  return { first, last: Math.max(first, change.modifiedEndLineNumber) }
}

function release(shown: Shown): void {
  shown.view.dispose()
  for (const model of shown.models) model.dispose()
}
