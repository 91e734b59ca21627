/** Uses the parts of Monaco without public types on a comparison of two texts. */
import { loadMonaco } from '../../../../src/renderer/features/diff/load-monaco.ts'
import {
  deletedLines,
  showMoreAround,
  stoppedEarly,
  tokenizeAll,
  unfoldLine
} from '../../../../src/renderer/features/diff/monaco-private.ts'

export interface MonacoProbe {
  readonly deleted: number
  readonly stopped: boolean
  /** How much higher the text is with 20 more lines below its change, px. */
  readonly more: number
  /** Whether the text is higher once one of its folded lines is unfolded. */
  readonly unfolded: boolean
  /** Whether the last line is tokenized. */
  readonly tokenized: boolean
}

const LINES = Array.from({ length: 100 }, (_, i) => `const line${i} = ${i}`)

export async function probeMonaco(): Promise<MonacoProbe> {
  const monaco = await loadMonaco()
  const host = document.createElement('div')
  host.style.cssText = 'position: fixed; inset: 0'
  document.body.append(host)
  const editor = monaco.editor.createDiffEditor(host, {
    hideUnchangedRegions: { enabled: true },
    maxComputationTime: 0
  })
  const original = monaco.editor.createModel(LINES.join('\n'), 'javascript')
  const modified = monaco.editor.createModel(['first', ...LINES.slice(3)].join('\n'), 'javascript')
  const model = editor.createViewModel({ original, modified })
  await model.waitForDiff()
  editor.setModel(model)
  const after = editor.getModifiedEditor()
  const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  await frame()
  const folded = after.getContentHeight()
  showMoreAround(model, { first: 1, last: 1 }, 20)
  await frame()
  const withMore = after.getContentHeight()
  unfoldLine(model, 50)
  await frame()
  await monaco.editor.colorize('', 'javascript', {})
  tokenizeAll(modified)
  const { tokenization } = modified as unknown as {
    tokenization: { hasAccurateTokensForLine(line: number): boolean }
  }
  const probe = {
    deleted: deletedLines(model),
    stopped: stoppedEarly(editor),
    more: withMore - folded,
    unfolded: after.getContentHeight() > withMore,
    tokenized: tokenization.hasAccurateTokensForLine(modified.getLineCount())
  }
  editor.dispose()
  model.dispose()
  original.dispose()
  modified.dispose()
  host.remove()
  return probe
}
