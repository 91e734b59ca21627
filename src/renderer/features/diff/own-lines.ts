/** Marks the lines a person wrote themselves and that stay, in a preview of a restore. */
import type * as Monaco from 'monaco-editor/editor'

export interface OwnLines {
  readonly path: string
  /** `line`: of the earlier text, 1-based. */
  readonly lines: readonly { readonly line: number; readonly tag: string }[]
}

type Change = Pick<
  Monaco.editor.ILineChange,
  'originalStartLineNumber' | 'originalEndLineNumber' | 'modifiedStartLineNumber' | 'modifiedEndLineNumber'
>

/** Where a line of the earlier text stands in the later one; null when it is part of a change. */
export function lineAfter(line: number, changes: readonly Change[]): number | null {
  let shift = 0
  for (const change of changes) {
    // A side without lines has the end 0, and as its start the line it comes after.
    const { originalStartLineNumber: from, originalEndLineNumber: to } = change
    const gone = to === 0 ? 0 : to - from + 1
    const came =
      change.modifiedEndLineNumber === 0 ? 0 : change.modifiedEndLineNumber - change.modifiedStartLineNumber + 1
    if (line < from || (to === 0 && line === from)) break
    if (to !== 0 && line <= to) return null
    shift += came - gone
  }
  return line + shift
}

/** The marks drawn; clearing them is up to the caller. */
export function drawOwnLines(
  monaco: typeof Monaco,
  editor: Monaco.editor.ICodeEditor,
  own: OwnLines,
  changes: readonly Change[]
): Monaco.editor.IEditorDecorationsCollection {
  const model = editor.getModel()
  const last = model?.getLineCount() ?? 0
  return editor.createDecorationsCollection(
    own.lines.flatMap(({ line, tag }) => {
      const at = lineAfter(line, changes)
      if (at === null || at > last) return []
      const end = model?.getLineMaxColumn(at) ?? 1
      return [
        {
          range: new monaco.Range(at, end, at, end),
          options: {
            isWholeLine: true,
            className: 'own-line',
            marginClassName: 'own-line',
            showIfCollapsed: true,
            after: { content: tag, inlineClassName: 'own-tag' }
          }
        }
      ]
    })
  )
}
