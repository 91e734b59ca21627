/** A definition of JSON, which Monaco ships only with a language service, and further file names of other languages. */
import type * as Monaco from 'monaco-editor/editor'

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
}
