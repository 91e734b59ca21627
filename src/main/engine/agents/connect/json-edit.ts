/**
 * Inserts and removes entries in JSON text, leaving every other byte as it is: settings files are edited by users,
 * too.
 */
import { type Member, type Span, skipTrivia } from './json-spans.ts'

/**
 * Appends an entry to an object or array. `added` returns its text for a given indentation; for objects including the
 * name.
 */
export function appendEntry(text: string, container: Span, added: (indent: string) => string): string {
  const last = childrenOf(container).at(-1)
  const outer = indentAt(text, container.start)
  if (!last) {
    const at = container.start + 1
    const indent = outer + indentUnitOf(text)
    // A comment inside an empty container stays before our entry.
    const rest = text.slice(at, container.end - 1).trimEnd()
    return `${text.slice(0, at)}${rest}\n${indent}${added(indent)}\n${outer}${text.slice(container.end - 1)}`
  }
  const oneLine = !text.slice(container.start, container.end).includes('\n')
  const indent = oneLine ? outer + indentUnitOf(text) : indentAt(text, last.start)
  const comma = skipTrivia(text, last.end)
  if (text[comma] === ',')
    return `${text.slice(0, comma + 1)}${oneLine ? ' ' : `\n${indent}`}${added(indent)},${text.slice(comma + 1)}`
  return `${text.slice(0, last.end)},${oneLine ? ' ' : `\n${indent}`}${added(indent)}${text.slice(last.end)}`
}

/** Removes one entry and one of the commas beside it; comments around it stay. */
export function removeEntry(text: string, container: Span, index: number): string {
  const entries = childrenOf(container)
  const entry = entries[index]
  if (!entry) return text
  const before = entries[index - 1]
  const after = skipTrivia(text, entry.end)
  const lineStart = text.slice(0, entry.start).search(/[^\S\n]*$/)
  // Remove its line as well.
  const from = text[lineStart - 1] === '\n' ? lineStart - 1 : lineStart
  if (before) {
    const comma = skipTrivia(text, before.end)
    // A comma after the entry then separates the entry's neighbours.
    if (text.slice(comma + 1, entry.start).trim() === '') return text.slice(0, comma) + text.slice(entry.end)
    if (text[after] === ',') return text.slice(0, from) + text.slice(entry.end, after) + text.slice(after + 1)
    return text.slice(0, comma) + text.slice(comma + 1, from) + text.slice(entry.end)
  }
  const end = text[after] === ',' ? after + 1 : entry.end
  if (
    entries.length === 1 &&
    text.slice(container.start + 1, from).trim() === '' &&
    text.slice(end, container.end - 1).trim() === ''
  )
    return text.slice(0, container.start + 1) + text.slice(container.end - 1)
  return text.slice(0, from) + text.slice(end)
}

function childrenOf(container: Span): readonly (Span | Member)[] {
  return container.type === 'object' ? container.members : container.type === 'array' ? container.items : []
}

/** The whitespace at the start of the line that contains `at`. */
function indentAt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1
  return /^[^\S\n]*/.exec(text.slice(start, at))?.[0] ?? ''
}

/** One level of the file's own indentation; two spaces when it has none. */
export function indentUnitOf(text: string): string {
  return /^([ \t]+)\S/m.exec(text)?.[1] ?? '  '
}

/** JSON of a value; lines after the first are indented by `indent`. */
export function formatJson(value: unknown, indent: string, unit: string): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', `\n${indent}`)
}
