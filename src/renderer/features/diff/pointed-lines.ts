/** The lines that a command on lines is about: those at the cursor, or at a point of the window. */
import type * as Monaco from 'monaco-editor/editor'
import type { TextHunk } from '../../../contract/diff.ts'
import type { LineSelection } from '../../../contract/restore.ts'
import { lineAfter } from './preserved-lines.ts'
import type { PointedLines, TextDoc } from './text-doc.ts'

type Editor = Monaco.editor.IStandaloneDiffEditor
type Change = Monaco.editor.ILineChange
/** A point of a view zone has the line above the zone. */
interface ZoneTarget {
  readonly detail?: { readonly afterLineNumber?: number } | null
}
type Shape = TextDoc['shape']

/** The selected lines, else that of the cursor. */
export function linesAtCursor(editor: Editor, shape: Shape, selection: LineSelection | null): PointedLines {
  if (selection) return { side: sideShown(selection.side, shape), from: selection.from + 1, to: selection.to }
  const original = editor.getOriginalEditor()
  if (shape === 'changed' && original.hasTextFocus()) return oneLine('before', original.getPosition()?.lineNumber ?? 1)
  const line = editor.getModifiedEditor().getPosition()?.lineNumber ?? 1
  return oneLine(sideShown('after', shape), line)
}

/** A hunk that only deletes is its deleted lines. */
export function linesOfHunk({ newFrom, newTo, oldFrom, oldTo }: TextHunk): PointedLines {
  return newTo > newFrom
    ? { side: 'after', from: newFrom + 1, to: newTo }
    : { side: 'before', from: oldFrom + 1, to: oldTo }
}

/** Null beside the text. Inline, deleted lines are no text of an editor: all that were deleted there are meant. */
export function linesAtPoint(editor: Editor, shape: Shape, x: number, y: number): PointedLines | null {
  const original = editor.getOriginalEditor()
  const inOriginal = shape === 'changed' && contains(original, x) ? original.getTargetAtClientPoint(x, y) : null
  if (inOriginal?.position) return oneLine('before', inOriginal.position.lineNumber)
  const target = editor.getModifiedEditor().getTargetAtClientPoint(x, y)
  const zone = (target as ZoneTarget | null)?.detail?.afterLineNumber
  if (zone !== undefined && shape === 'changed') {
    const deleted = editor.getLineChanges()?.find((change) => deletes(change) && lineAboveDeleted(change) === zone)
    if (deleted) return { side: 'before', from: deleted.originalStartLineNumber, to: deleted.originalEndLineNumber }
  }
  return target?.position ? oneLine(sideShown('after', shape), target.position.lineNumber) : null
}

/** The line of the later text below which an earlier line is shown inline. */
export function lineInlineOf(line: number, changes: readonly Change[]): number {
  const change = changes.find(
    (each) => deletes(each) && line >= each.originalStartLineNumber && line <= each.originalEndLineNumber
  )
  return change ? lineAboveDeleted(change) : (lineAfter(line, changes) ?? 0)
}

function deletes({ originalEndLineNumber }: Change): boolean {
  return originalEndLineNumber > 0
}

/** Monaco: a side without lines has end 0, and its start is the line before the change. */
function lineAboveDeleted({ modifiedStartLineNumber, modifiedEndLineNumber }: Change): number {
  return modifiedEndLineNumber === 0 ? modifiedStartLineNumber : modifiedStartLineNumber - 1
}

/** The editor of the later text shows the earlier one of a deleted file. */
function sideShown(side: LineSelection['side'], shape: Shape): LineSelection['side'] {
  return shape === 'deleted' ? 'before' : shape === 'added' ? 'after' : side
}

function oneLine(side: LineSelection['side'], line: number): PointedLines {
  return { side, from: line, to: line }
}

function contains(editor: Monaco.editor.ICodeEditor, x: number): boolean {
  const box = editor.getDomNode()?.getBoundingClientRect()
  return box !== undefined && x >= box.left && x < box.right
}

const NO_RANGE = { startLineNumber: 1, startColumn: 1, endLineNumber: 1, endColumn: 1 } as const

/** The selected text of the later side, else of the earlier one; "" for none. */
export function selectedText(editor: Monaco.editor.IStandaloneDiffEditor): string {
  const texts = [editor.getModifiedEditor(), editor.getOriginalEditor()].map(
    (side) => side.getModel()?.getValueInRange(side.getSelection() ?? NO_RANGE) ?? ''
  )
  return texts.find((text) => text !== '') ?? ''
}
