/**
 * Diff editors that are used again: making one takes longer than showing another text in it. An editor that a file no
 * longer needs is used by the next one that comes into view.
 * While the pool is open it holds an empty text, because Monaco ends the worker that compares as soon as there is none:
 * the next comparison would start and load it anew.
 */
import type * as Monaco from 'monaco-editor/editor'
import { DiffEditor } from './diff-editor.ts'
import type { TextOptions } from './text-doc.ts'

export class EditorPool {
  readonly #maxIdle: number
  #idle: DiffEditor[] = []
  #open = true
  #held: Monaco.editor.ITextModel | null = null

  /** `maxIdle`: how many unused editors are held. */
  constructor(maxIdle: number) {
    this.#maxIdle = maxIdle
  }

  /** An editor in `host`, which has the text of no file. Return it with `put`. */
  take(monaco: typeof Monaco, host: HTMLElement, options: TextOptions): DiffEditor {
    if (this.#open) this.#held ??= monaco.editor.createModel('', 'plaintext')
    const editor = this.#idle.pop()
    if (!editor) return new DiffEditor(monaco, host, options)
    editor.moveTo(host, options)
    return editor
  }

  put(editor: DiffEditor): void {
    if (!this.#open || this.#idle.length >= this.#maxIdle || hasOpenWidget(editor)) {
      editor.dispose()
      return
    }
    editor.reset()
    this.#idle.push(editor)
  }

  open(): void {
    this.#open = true
  }

  /** Disposes of the unused editors, and of those in use once they are returned. */
  close(): void {
    this.#open = false
    for (const editor of this.#idle) editor.dispose()
    this.#idle = []
    this.#held?.dispose()
    this.#held = null
  }
}

/** Whether the search field or the list of changes is open in it: neither would fit another text. */
function hasOpenWidget({ element }: DiffEditor): boolean {
  return element.querySelector('.find-widget.visible, .diff-review') !== null
}
