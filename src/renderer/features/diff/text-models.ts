/** Creates the editor's text models. Their URI contains the path, from which Monaco derives the language. */
import type * as Monaco from 'monaco-editor/editor'
import { tokenizeAll } from './monaco-private.ts'
import { outlineOf, type SymbolKind, type TextSymbol } from './outline.ts'
import { PLAIN_ABOVE } from './text-doc.ts'

/** Up to this many lines a model is tokenized before it is shown. */
const MAX_TOKENIZED_LINES = 4000

/** Makes the URIs of all models unique; Monaco allows one model per URI. */
let serial = 0

export function createTextModel(
  monaco: typeof Monaco,
  side: 'before' | 'after',
  path: string,
  text: string,
  plain: boolean
): Monaco.editor.ITextModel {
  const uri = monaco.Uri.from({ scheme: 'driftline', authority: side, path: `/${++serial}/${path}` })
  const model = monaco.editor.createModel(text, plain || text.length > PLAIN_ABOVE ? 'plaintext' : undefined, uri)
  model.updateOptions({ bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false } })
  return model
}

/** Tokenizes a model now. Monaco renders the deleted lines of the inline view once and never recolours them. */
export async function tokenizeNow(monaco: typeof Monaco, model: Monaco.editor.ITextModel): Promise<void> {
  const language = model.getLanguageId()
  if (language === 'plaintext' || model.getLineCount() > MAX_TOKENIZED_LINES) return
  await monaco.editor.colorize('', language, {})
  if (!model.isDisposed()) tokenizeAll(model)
}

/** A definition of JSON, which Monaco ships only with a language service, and further file names of other languages. */
const JSON_RULES: Monaco.languages.IMonarchLanguage = {
  tokenizer: {
    root: [
      [/"(?:[^"\\]|\\.)*"(?=\s*:)/, 'string.key'],
      [/"(?:[^"\\]|\\.)*"?/, 'string'],
      [/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/, 'number'],
      [/\b(?:true|false|null)\b/, 'keyword'],
      [/\/\/.*$/, 'comment'],
      [/\/\*/, 'comment', '@block']
    ],
    block: [
      [/\*\//, 'comment', '@pop'],
      [/./, 'comment']
    ]
  }
}

let registered = false

/** Registers the languages once; later calls do nothing. */
export function registerLanguages(monaco: typeof Monaco): void {
  if (registered) return
  registered = true
  monaco.languages.register({
    id: 'json',
    extensions: ['.json', '.jsonc', '.json5', '.webmanifest', '.ipynb', '.geojson', '.map'],
    filenames: ['.babelrc', '.eslintrc', '.prettierrc', '.swcrc']
  })
  monaco.languages.setMonarchTokensProvider('json', JSON_RULES)
  monaco.languages.register({
    id: 'ini',
    extensions: ['.toml', '.env', '.cfg', '.conf'],
    filenames: ['.env', '.npmrc']
  })
  monaco.languages.register({ id: 'html', extensions: ['.vue', '.svelte', '.astro'] })
  monaco.languages.register({ id: 'shell', filenames: ['.bashrc', '.zshrc', '.profile'] })
  monaco.languages.registerDocumentSymbolProvider('*', {
    provideDocumentSymbols: (model) =>
      model.getValueLength() > PLAIN_ABOVE ? [] : nested(monaco, outlineOf(model.getValue(), model.uri.path))
  })
}

/** As the editor wants them: each in the one that contains it. */
function nested(monaco: typeof Monaco, symbols: readonly TextSymbol[]): Monaco.languages.DocumentSymbol[] {
  const { Class, Function: Method, String: Text, Event } = monaco.languages.SymbolKind
  const kinds: Readonly<Record<SymbolKind, number>> = { class: Class, function: Method, heading: Text, test: Event }
  const top: Monaco.languages.DocumentSymbol[] = []
  const above: Monaco.languages.DocumentSymbol[] = []
  for (const { name, kind, line, endLine, depth } of symbols) {
    const range = { startLineNumber: line, startColumn: 1, endLineNumber: endLine, endColumn: 1 }
    const children: Monaco.languages.DocumentSymbol[] = []
    const symbol = { name, detail: '', kind: kinds[kind], tags: [], range, selectionRange: range, children }
    above.length = depth
    const parent = above.at(-1)
    ;(parent?.children ?? top).push(symbol)
    above.push(symbol)
  }
  return top
}

/** Two texts with their comparison. */
export interface Shown {
  readonly view: Monaco.editor.IDiffEditorViewModel
  readonly models: readonly Monaco.editor.ITextModel[]
}

export function release(shown: Shown): void {
  shown.view.dispose()
  for (const model of shown.models) model.dispose()
}
