/** The forms of an exported run, chosen by the extension of its file: JSON, a page, the patch alone, or Markdown. */
import { extname } from 'node:path'
import type { Result } from '../../contract/api.ts'
import { plural } from '../../contract/words/numbers.ts'
import { runReport } from '../../contract/words/run-report.ts'
import { escapeText } from './escape.ts'
import { maskedLine, patchLines } from './patch-lines.ts'
import { runPage } from './run-page.ts'

export interface ExportedRun extends Result<'export.run'> {
  /** Markdown. */
  readonly report: string
}

/** An exported run with its report in Markdown. */
export const withReport = ({ title, patch, run }: Result<'export.run'>): ExportedRun => ({
  title,
  patch,
  run,
  report: runReport(run)
})

/** The JSON of an exported run. */
export const exportDocument = ({ title, patch, report }: ExportedRun) => ({ title, patch, report })

type ExportForm = 'json' | 'page' | 'patch' | 'markdown'

/** What a file holds, chosen by its extension. */
function exportForm(path: string): ExportForm {
  switch (extname(path).toLowerCase()) {
    case '.json':
      return 'json'
    case '.html':
    case '.htm':
      return 'page'
    case '.patch':
    case '.diff':
      return 'patch'
    default:
      return 'markdown'
  }
}

/** [SH-1] What is masked in a file that people read, or left in one that programs read; empty if that is nothing. */
export function secretsNote(path: string, patch: string): string {
  const lines = patchLines(patch).filter(({ isSecret }) => isSecret).length
  if (lines === 0) return ''
  const form = exportForm(path)
  return form === 'page' || form === 'markdown'
    ? `${plural(lines, 'line')} that may contain a secret ${lines === 1 ? 'is' : 'are'} masked. A .patch or .json file keeps them.`
    : `The file contains ${plural(lines, 'line')} that may contain a secret. A .md or .html file masks them.`
}

/** The text of the file: JSON, the patch alone, a page, or a Markdown report. */
export function exportText(path: string, exported: ExportedRun): string {
  switch (exportForm(path)) {
    case 'json':
      return `${JSON.stringify(exportDocument(exported), null, 2)}\n`
    case 'page':
      return runPage(exported)
    case 'patch':
      return exported.patch
    case 'markdown':
      return markdown(exported)
  }
}

/** [UI-14] [SH-1] For reading: only the patch and JSON are exact. */
function markdown(exported: ExportedRun): string {
  const report = escapeText(exported.report)
  if (exported.patch === '') return report
  const shown = patchLines(exported.patch).map((line) => (line.isSecret ? maskedLine(line) : line.text))
  const patch = escapeText(shown.join('\n'))
  // A fence longer than any run of backticks in the patch cannot be closed by it.
  let longest = 2
  for (const [ticks] of patch.matchAll(/`+/g)) longest = Math.max(longest, ticks.length)
  const fence = '`'.repeat(longest + 1)
  return `${report.trimEnd()}\n\n${fence}diff\n${patch}${patch.endsWith('\n') ? '' : '\n'}${fence}\n`
}
