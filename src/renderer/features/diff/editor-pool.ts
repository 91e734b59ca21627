/**
 * Diff editors for a list of files: making one takes longer than showing another text in it. An editor that a file no
 * longer needs is used by the next one that comes into view.
 */
import type * as Monaco from 'monaco-editor/editor'
import { DiffEditor } from './diff-editor.ts'
import type { TextOptions } from './text-doc.ts'

/** Unused editors that are held. */
const MAX_IDLE = 8

export class EditorPool {
  #idle: DiffEditor[] = []
  #open = true

  /** An editor in `host`, which has the text of no file. Return it with `put`. */
  take(monaco: typeof Monaco, host: HTMLElement, options: TextOptions): DiffEditor {
    const editor = this.#idle.pop()
    if (!editor) return new DiffEditor(monaco, host, options)
    host.append(editor.element)
    editor.setOptions(options)
    return editor
  }

  put(editor: DiffEditor): void {
    if (!this.#open || this.#idle.length >= MAX_IDLE) {
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
  }
}
