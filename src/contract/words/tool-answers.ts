/** The result of a file tool as a sentence. Pure. */
import type { ToolAnswer } from '../tools.ts'

type Answer = Pick<ToolAnswer, 'outcome' | 'paths' | 'bytes' | 'overwritten' | 'hardLinks' | 'found' | 'text'>

/** If it changed nothing, the reason. */
export function toolAnswerText(answer: Answer): string {
  const text = outcomeText(answer)
  return answer.hardLinks ? `${text} Its other hard links keep the old content.` : text
}

function outcomeText({ outcome, paths: [path = '', to = ''], bytes, overwritten, found, text }: Answer): string {
  const replacing = overwritten ? ', replacing it' : ''
  switch (outcome.code) {
    case 'read':
      return `${path}: ${bytes} bytes${text ? partRead(text) : ''}.`
    case 'secret':
      return `${path} looks like it holds credentials, so its content is not shown: ${bytes} bytes, ${outcome.lines} lines.`
    case 'created':
      return `Wrote ${path}, a new file with ${bytes} bytes.`
    case 'replaced':
      return `Wrote ${path}: ${bytes} bytes, replacing ${outcome.bytesBefore}.`
    case 'edited':
      return `Edited ${path}${found ? placeOf(found) : ''}.`
    case 'copied':
      return `Copied ${path} to ${to}${replacing}.`
    case 'moved':
      return `Moved ${path} to ${to}${replacing}.`
    case 'deleted':
      return `Deleted ${path}.`
    case 'folder-created':
      return `Created the folder ${path}.`
    case 'folder-removed':
      return `Removed the folder ${path}${entriesText(outcome.entries)}.`
    case 'same-content':
      return `${path} already has this content.`
    case 'edited-before':
      return `${path} already has this edit.`
    case 'no-change':
      return `The edit does not change ${path}.`
    case 'absent':
      return `There is no ${path}.`
    case 'folder-exists':
      return `The folder ${path} already exists.`
  }
}

/** How the passage differs from `old_string`, which the agent quoted. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  whitespace: '; whitespace differs from old_string',
  indentation: '; indentation differs from old_string and follows the file',
  unicode: '; quotes, dashes, blanks or accents differ from old_string',
  similar: '; the passage is only similar to old_string, so check the result'
}

function placeOf({ rung, firstLine, lastLine }: NonNullable<ToolAnswer['found']>): string {
  const lines = firstLine === lastLine ? `line ${firstLine}` : `lines ${firstLine} to ${lastLine}`
  return ` at ${lines}${DIFFERENCES[rung] ?? ''}`
}

function partRead({ firstLine, lastLine, lines }: NonNullable<ToolAnswer['text']>): string {
  return firstLine === 1 && lastLine === lines ? '' : `, lines ${firstLine} to ${lastLine} of ${lines}`
}

function entriesText(entries: number): string {
  if (entries === 0) return ''
  return entries === 1 ? ' and the entry in it' : ` and the ${entries} entries in it`
}
