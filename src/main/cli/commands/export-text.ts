/** An exported run as the text of a file. */
import { extname } from 'node:path'
import type { Result } from '../../../contract/api.ts'

/** The text of the file, chosen by its extension: JSON, the patch alone, or a Markdown report. */
export function exportText(path: string, exported: Result<'export.run'>): string {
  switch (extname(path).toLowerCase()) {
    case '.json':
      return `${JSON.stringify(exported, null, 2)}\n`
    case '.patch':
    case '.diff':
      return exported.patch
    default:
      return markdown(exported)
  }
}

function markdown({ report, patch }: Result<'export.run'>): string {
  if (patch === '' || report.includes(patch)) return report
  // A fence longer than any run of backticks in the patch cannot be closed by it.
  let longest = 2
  for (const [ticks] of patch.matchAll(/`+/g)) longest = Math.max(longest, ticks.length)
  const fence = '`'.repeat(longest + 1)
  return `${report.trimEnd()}\n\n${fence}diff\n${patch}${patch.endsWith('\n') ? '' : '\n'}${fence}\n`
}
