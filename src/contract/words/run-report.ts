/** Formats a run as a Markdown report for people. */
import type { ExportedRun } from '../api.ts'
import type { FileChange } from '../diff.ts'
import { spellOut } from '../hidden-characters.ts'
import { HIDDEN_LINE, mayHoldSecret } from '../secrets.ts'
import { excludedPhrase } from './excluded.ts'
import { diffWarningText } from './run-warnings.ts'
import { durationText } from './times.ts'

/**
 * Ends with a line feed. Names and titles are escaped, so they cannot become markup. [SH-1] Those that may contain a secret
 * are masked.
 */
export function runReport({
  title,
  label,
  prompt,
  userNote,
  agent,
  startedAt,
  endedAt,
  files,
  warnings
}: ExportedRun): string {
  const lines = [
    `# ${inline(title) || 'Untitled run'}`,
    '',
    ...(userNote === '' ? [] : [...userNote.split('\n').map((line) => `> ${inline(line)}`.trimEnd()), '']),
    ...(label === '' ? [] : [`- Prompt: ${inline(prompt)}`]),
    `- Agent: ${inline(agent)}`,
    `- Started: ${time(startedAt)}`,
    `- Ended: ${endedAt === null ? 'still running' : `${time(endedAt)} (${durationText(endedAt - startedAt)})`}`,
    `- Changes: ${summary(files)}`
  ]
  if (warnings.length > 0) lines.push('', `> **Note:** ${inline(diffWarningText(warnings))}`)
  lines.push('', '## Files', '')
  if (files.length === 0) lines.push('This run changed no files.')
  else lines.push('| File | Change | Added | Deleted | Notes |', '| --- | --- | ---: | ---: | --- |', ...files.map(row))
  const notStored = files.filter((file) => file.notStored !== undefined)
  if (notStored.length > 0) {
    lines.push('', '## Not stored', '', 'The content of these files is not stored, so they are not in the patch:', '')
    for (const file of notStored) lines.push(`- ${code(file.path)}: ${excludedPhrase(file.notStored!)}`)
  }
  return `${lines.join('\n')}\n`
}

function row(file: FileChange): string {
  const counted = file.counted && (file.kind === 'text' || file.kind === 'large') && file.notStored === undefined
  const path = file.oldPath === undefined ? code(file.path) : `${code(file.oldPath)} → ${code(file.path)}`
  const counts = counted ? [`+${file.added}`, `-${file.deleted}`] : ['', '']
  return `| ${[path, file.change, ...counts, notes(file)].join(' | ')} |`
}

function notes(file: FileChange): string {
  const found: string[] = file.kind === 'text' ? [] : [file.kind]
  if (file.attribution === 'inferred') found.push('changed while a command ran')
  if (file.attribution === 'shared') found.push('several agents were active')
  if (file.interleaved) found.push('also changed by others')
  if (file.secret) found.push('may contain a secret')
  if (file.notStored !== undefined) found.push('not stored')
  return found.join(', ')
}

function summary(files: readonly FileChange[]): string {
  const sum = (pick: (file: FileChange) => number): number => files.reduce((total, file) => total + pick(file), 0)
  const noun = files.length === 1 ? 'file' : 'files'
  return `${files.length} ${noun}, +${sum((file) => file.added)} -${sum((file) => file.deleted)} lines`
}

function time(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

const masked = (text: string): string => (mayHoldSecret(text) ? HIDDEN_LINE : text)

function inline(text: string): string {
  return visible(masked(text).replace(/\s+/g, ' ').trim()).replace(/[\\`*_{}[\]<>#|~&!]/g, '\\$&')
}

/** A code span in a table cell, with one more backtick around it than the text has in a row (CommonMark 6.1). */
function code(text: string): string {
  const shown = visible(masked(text)).replaceAll('|', '\\|')
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map((ticks) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  const pad = longest > 0 || shown.startsWith(' ') || shown.endsWith(' ') ? ' ' : ''
  return `${fence}${pad}${shown}${pad}${fence}`
}

/** With escapes for characters that break a line, hide text or reorder it. */
function visible(text: string): string {
  return spellOut(text, (code) => (code.length > 4 ? `\\u{${code}}` : `\\u${code}`))
}
