/**
 * [SH-1] A run as one page for any browser, to send to others. It has no script, link, image or address, and forbids all of
 * them to the browser, so a hostile title, name or line stays text. Lines that may contain a secret are masked.
 */
import type { Result } from '../../contract/api.ts'
import type { FileChange } from '../../contract/diff.ts'
import { mayHoldSecret } from '../../contract/secrets.ts'
import { agentIdentity } from '../../contract/words/agents.ts'
import { excludedPhrase } from '../../contract/words/excluded.ts'
import { plural } from '../../contract/words/numbers.ts'
import { diffWarningText } from '../../contract/words/run-warnings.ts'
import { escapeLine, escapeText } from './escape.ts'
import { maskedLine, type PatchLine, patchLines } from './patch-lines.ts'

const STYLE = `:root{color-scheme:light dark}body{font:14px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse}td,th{text-align:left;padding:.15rem .75rem .15rem 0}td{overflow-wrap:anywhere}
pre{overflow-x:auto;font:12px/1.5 ui-monospace,monospace}.f{font-weight:bold}.h{color:light-dark(#59636e,#9198a1)}
.a{background:light-dark(#dafbe1,#12381f)}.d{background:light-dark(#ffebe9,#4a1b1c)}`

export function runPage({ title, run, patch }: Result<'export.run'>): string {
  const heading = named(title) || 'Untitled run'
  const warning = run.warnings.length === 0 ? '' : `<p>${text(diffWarningText(run.warnings))}</p>\n`
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${heading}</title>
<style>${STYLE}</style>
<h1>${heading}</h1>
${about(run)}<p>${text(agentIdentity(run.agent).name)}, ${new Date(run.startedAt).toISOString()}, ${plural(run.files.length, 'changed file')}</p>
${warning}<table>
<tr><th scope="col">File<th scope="col">Change<th scope="col">Lines<th scope="col">Notes
${run.files.map(fileRow).join('\n')}
</table>
<pre>${shownLines(patch).join('\n')}</pre>
</html>
`
}

/** The prompt of a run that a person named, and their note. */
function about({ label, prompt, userNote }: Result<'export.run'>['run']): string {
  const lines = [...(label === '' ? [] : [`Prompt: ${prompt}`]), ...(userNote === '' ? [] : userNote.split('\n'))]
  return lines.map((line) => `<p>${named(line)}</p>\n`).join('')
}

function fileRow(file: FileChange): string {
  const path = file.oldPath === undefined ? file.path : `${file.oldPath} → ${file.path}`
  const notes = [
    file.secret ? 'may contain a secret: not in the changes below' : '',
    file.notStored === undefined ? '' : excludedPhrase(file.notStored)
  ]
  const lines = file.counted ? `+${file.added} -${file.deleted}` : ''
  return `<tr><td>${named(path)}<td>${text(file.change)}<td>${lines}<td>${text(notes.filter(Boolean).join(', '))}`
}

/** Encoded bytes say nothing to a reader. */
const shownLines = (patch: string): string[] =>
  patchLines(patch).flatMap((line) =>
    line.part === 'binary' && line.text !== 'GIT binary patch' ? [] : [patchLine(line)]
  )

function patchLine(line: PatchLine): string {
  const { text: content, part, isSecret } = line
  if (part === 'file') return `<span class="f">${named(content)}</span>`
  const kind = part === 'hunk' ? { '+': 'a', '-': 'd', '@': 'h' }[content[0] ?? ''] : 'h'
  const shown = codeText(isSecret ? maskedLine(line) : content)
  return kind === undefined ? shown : `<span class="${kind}">${shown}</span>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}

/** Control and bidirectional characters as escapes, then HTML's own. */
function text(value: string): string {
  return entities(escapeLine(value))
}

/** A title or name: the words of a prompt may contain a secret, too. */
function named(value: string): string {
  return mayHoldSecret(value) ? '(hidden: may contain a secret)' : text(value)
}

/** A line of a file keeps its tabs. */
const codeText = (line: string): string => entities(escapeText(line))

const entities = (value: string): string => value.replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? '')
