/** Marks the lines others wrote since and that stay, in a preview of a restore. */
import type * as Monaco from 'monaco-editor/editor'

export interface OwnLines {
  readonly path: string
  /** `line`: of the earlier text, 1-based. */
  readonly lines: readonly { readonly line: number; readonly tag: string; readonly yours: boolean }[]
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

/** Own lines this near a change are unfolded; farther ones would push the changes out of sight. */
const NEAR_LINES = 12

/** Part of Monaco that its public types leave out; used only where present. */
interface WithFolds {
  ensureModifiedLineIsVisible?(line: number, from: 0, transaction: undefined): void
}

/** Shows own lines near a change that lie in a folded region. */
export function unfold(view: Monaco.editor.IDiffEditorViewModel, own: OwnLines, changes: readonly Change[]): void {
  for (const { line } of own.lines) {
    const at = lineAfter(line, changes)
    if (at !== null && changes.some((change) => isNear(at, change)))
      (view as WithFolds).ensureModifiedLineIsVisible?.(at, 0, undefined)
  }
}

function isNear(line: number, { modifiedStartLineNumber: from, modifiedEndLineNumber: to }: Change): boolean {
  return line >= from - NEAR_LINES && line <= Math.max(from, to) + NEAR_LINES
}

/** The marks drawn on both sides; clearing them is up to the caller. */
export function drawOwnLines(
  monaco: typeof Monaco,
  editor: Monaco.editor.IStandaloneDiffEditor,
  own: OwnLines,
  changes: readonly Change[]
): readonly Monaco.editor.IEditorDecorationsCollection[] {
  const [before, after] = [editor.getOriginalEditor(), editor.getModifiedEditor()]
  const model = after.getModel()
  const lines = own.lines.flatMap(({ line, tag }) => {
    const at = lineAfter(line, changes)
    return at === null || at > (model?.getLineCount() ?? 0) ? [] : [{ line, at, tag }]
  })
  const look = { isWholeLine: true, className: 'own-line', marginClassName: 'own-line' }
  return [
    // Inline, the numbers of the earlier text are the left edge of everything.
    before.createDecorationsCollection(
      lines.map(({ line }) => ({ range: new monaco.Range(line, 1, line, 1), options: look }))
    ),
    after.createDecorationsCollection(
      lines.map(({ at, tag }) => {
        const end = model?.getLineMaxColumn(at) ?? 1
        const words = { content: tag, inlineClassName: 'own-tag' }
        return { range: new monaco.Range(at, end, at, end), options: { ...look, showIfCollapsed: true, after: words } }
      })
    )
  ]
}
