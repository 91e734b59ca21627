/** The options of the diff editor (UI.md C.7): those a person changes, and those that never change. */
import type * as Monaco from 'monaco-editor/editor'
import { DIFF_MS, type TextDoc, type TextOptions } from './text-doc.ts'

/**
 * Deleted lines drawn between the others each cost elements that stay whether seen or not: 30,000 hold the page for
 * seconds. With more than this many, two columns are shown, of which only the seen lines exist.
 */
export const MOST_DELETED_INLINE = 2000

/** A file with one side only has nothing to put in a second column. `crowded`: too many deleted lines to go inline. */
export function toMonaco(
  options: TextOptions,
  shape: TextDoc['shape'],
  crowded = false
): Monaco.editor.IDiffEditorOptions {
  return {
    renderSideBySide: (options.split || crowded) && shape === 'changed',
    ignoreTrimWhitespace: options.ignoreWhitespace,
    hideUnchangedRegions: {
      enabled: options.hideUnchanged,
      contextLineCount: 3,
      minimumLineCount: 3,
      revealLineCount: 20
    }
  }
}

/** Letters of the diff, px; a person's choice (tokens.css: --diff-size). */
export function textSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--diff-size')) || 12
}

/** UI.md C.7: what differs from Monaco's defaults and does not depend on the file. */
export function fixedOptions(host: HTMLElement): Monaco.editor.IStandaloneDiffEditorConstructionOptions {
  return {
    autoDetectHighContrast: false,
    automaticLayout: true,
    readOnly: true,
    originalEditable: false,
    renderMarginRevertIcon: false,
    renderGutterMenu: false,
    useInlineViewWhenSpaceIsLimited: false,
    maxComputationTime: DIFF_MS,
    maxFileSize: 20,
    renderOverviewRuler: false,
    overviewRulerLanes: 0,
    overviewRulerBorder: false,
    hideCursorInOverviewRuler: true,
    enableSplitViewResizing: true,
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
    renderWhitespace: 'selection',
    renderControlCharacters: true,
    unicodeHighlight: {
      ambiguousCharacters: true,
      invisibleCharacters: true,
      includeComments: true,
      includeStrings: true
    },
    renderFinalNewline: 'off',
    scrollBeyondLastLine: false,
    smoothScrolling: false,
    roundedSelection: false,
    cursorWidth: 1,
    padding: { top: 0, bottom: 8 },
    scrollbar: { vertical: 'visible', verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false },
    fixedOverflowWidgets: true
  }
}
