/** Makes the models of the editor: named by their path, coloured before they are shown. */
import type * as Monaco from 'monaco-editor/editor'
import { PLAIN_ABOVE } from './text-doc.ts'

/** Part of Monaco that its public types leave out; used only where present. */
interface WithTokens {
  readonly tokenization?: { forceTokenization?(line: number): void }
}

/** Up to so many lines the old side is coloured before it is shown; inline deletions never get colours later. */
const COLOUR_FIRST_LINES = 4000

/** Numbers the models of all editors: Monaco knows a model by its address. */
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

/** Colours a model now: deleted lines shown inline are drawn once and keep the colours they had then. */
export async function colour(monaco: typeof Monaco, model: Monaco.editor.ITextModel): Promise<void> {
  const language = model.getLanguageId()
  if (language === 'plaintext' || model.getLineCount() > COLOUR_FIRST_LINES) return
  await monaco.editor.colorize('', language, {})
  if (!model.isDisposed()) (model as WithTokens).tokenization?.forceTokenization?.(model.getLineCount())
}
