/**
 * Parts of Monaco that its public types leave out. Each is used only if present, so that a new version of Monaco loses
 * a detail instead of the diff. `test/renderer/diff/panes.browser.test.ts` fails if one is gone.
 */
import type * as Monaco from 'monaco-editor/editor'
import type { Span } from './hunk-spans.ts'

type DiffEditor = Monaco.editor.IStandaloneDiffEditor
type DiffModel = Monaco.editor.IDiffEditorViewModel

interface PrivateDiffModel {
  readonly diff?: {
    get?(): { readonly mappings: readonly { readonly lineRangeMapping: { readonly original: { length: number } } }[] }
  }
  ensureModifiedLineIsVisible?(line: number, from: 0, transaction: undefined): void
}
interface PrivateRegion {
  readonly modifiedLineNumber: number
  readonly lineCount: number
  showMoreAbove(lines: number): void
  showMoreBelow(lines: number): void
}
interface PrivateRegions {
  readonly unchangedRegions?: { get?(): readonly PrivateRegion[] }
}
interface PrivateDiffEditor {
  getDiffComputationResult?(): { readonly quitEarly: boolean } | null
}
interface PrivateTextModel {
  readonly tokenization?: { forceTokenization?(line: number): void }
}

/** Number of lines that a computed comparison deletes or replaces; 0 if unknown. */
export function deletedLines(model: DiffModel): number {
  const mappings = (model as PrivateDiffModel).diff?.get?.()?.mappings ?? []
  return mappings.reduce((sum, { lineRangeMapping }) => sum + lineRangeMapping.original.length, 0)
}

/** Unfolds the region of unchanged lines that contains a line of the later text. */
export function unfoldLine(model: DiffModel, line: number): void {
  ;(model as PrivateDiffModel).ensureModifiedLineIsVisible?.(line, 0, undefined)
}

/** Shows more of the folded lines next to a change, on both sides of it; `first` and `last` are lines of the later text. */
export function showMoreAround(model: DiffModel, { first, last }: Span, lines: number): void {
  const regions = (model as PrivateRegions).unchangedRegions?.get?.() ?? []
  regions.findLast(({ modifiedLineNumber }) => modifiedLineNumber < first)?.showMoreBelow(lines)
  regions.find(({ modifiedLineNumber, lineCount }) => modifiedLineNumber + lineCount > last + 1)?.showMoreAbove(lines)
}

/** Whether the shown comparison stopped at its time limit. */
export function stoppedEarly(editor: DiffEditor): boolean {
  return (editor as DiffEditor & PrivateDiffEditor).getDiffComputationResult?.()?.quitEarly ?? false
}

/** Tokenizes a whole text at once; its language must be loaded. */
export function tokenizeAll(model: Monaco.editor.ITextModel): void {
  ;(model as PrivateTextModel).tokenization?.forceTokenization?.(model.getLineCount())
}
