/** The options of the diff editor: those that follow the user's choices, and fixed ones. */
import type * as Monaco from 'monaco-editor/editor'
import { DIFF_MS, type TextDoc, type TextOptions, wrapsLines } from './text-doc.ts'

/**
 * Inline, Monaco keeps DOM elements for every deleted line, visible or not: 30,000 of them block the page for seconds.
 * Above this number two columns are shown, which render visible lines only.
 */
export const MAX_DELETED_LINES_INLINE = 2000

/** Unchanged lines that stay around a change. */
export const CONTEXT_LINES = 3

/** Lines that a step shows of a folded region; monaco.css names it. */
export const MORE_LINES = 20

/** A file with one side only needs no second column. `tooLongForInline`: it has too many deleted lines. */
export function toMonaco(
  options: TextOptions,
  { shape, path }: Pick<TextDoc, 'shape' | 'path'>,
  tooLongForInline = false
): Monaco.editor.IDiffEditorOptions {
  return {
    renderSideBySide: (options.split || tooLongForInline) && shape === 'changed',
    wordWrap: wrapsLines(options, path) ? 'on' : 'off',
    hideUnchangedRegions: {
      enabled: options.hideUnchanged,
      contextLineCount: CONTEXT_LINES,
      minimumLineCount: 3,
      revealLineCount: MORE_LINES
    }
  }
}

/** How the texts are compared. `maxMs`: the time limit, 0 for none. */
export function comparisonOptions(
  { whitespace }: Pick<TextOptions, 'whitespace'>,
  maxMs: number
): Monaco.editor.IDiffEditorOptions {
  if (whitespace !== 'ignore-all')
    return {
      diffAlgorithm: 'advanced',
      ignoreTrimWhitespace: whitespace === 'ignore-ends',
      maxComputationTime: maxMs
    }
  return {
    // That of diff-worker.ts.
    diffAlgorithm: 'advanced-external',
    ignoreTrimWhitespace: true,
    // Monaco keeps results by these two, whatever the algorithm: a time of its own tells them apart.
    maxComputationTime: maxMs === 0 ? 3_600_000 : maxMs + 1
  }
}

/** Font size of the diff, px; a user setting (tokens.css: --diff-size). */
export function textSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--diff-size')) || 12
}

/** Options that differ from Monaco's defaults and do not depend on the file. */
export function fixedOptions(host: HTMLElement): Monaco.editor.IStandaloneDiffEditorConstructionOptions {
  return {
    autoDetectHighContrast: false,
    automaticLayout: true,
    readOnly: true,
    renderMarginRevertIcon: false,
    renderGutterMenu: false,
    useInlineViewWhenSpaceIsLimited: false,
    maxComputationTime: DIFF_MS,
    maxFileSize: 20,
    renderOverviewRuler: false,
    overviewRulerLanes: 0,
    overviewRulerBorder: false,
    hideCursorInOverviewRuler: true,
    fontFamily: getComputedStyle(host).getPropertyValue('--mono') || 'monospace',
    fontSize: textSize(),
    lineHeight: 20,
    fontLigatures: false,
    tabFocusMode: true,
    lineNumbersMinChars: 5,
    lineDecorationsWidth: 22,
    glyphMargin: false,
    folding: false,
    minimap: { enabled: false },
    codeLens: false,
    hover: { enabled: 'off' },
    links: false,
    contextmenu: false,
    quickSuggestions: false,
    occurrencesHighlight: 'off',
    selectionHighlight: false,
    matchBrackets: 'never',
    bracketPairColorization: { enabled: false },
    guides: { indentation: false, bracketPairs: false },
    stickyScroll: { enabled: false },
    renderLineHighlight: 'none',
    unicodeHighlight: {
      // Prose is full of dashes and signs that look like others.
      ambiguousCharacters: false,
      invisibleCharacters: true,
      includeComments: true,
      includeStrings: true
    },
    renderFinalNewline: 'off',
    scrollBeyondLastLine: false,
    roundedSelection: false,
    cursorWidth: 1,
    padding: { top: 0, bottom: 8 },
    scrollbar: { vertical: 'visible', verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false },
    fixedOverflowWidgets: true
  }
}
