/**
 * Inserts and removes entries in JSON text, leaving every other byte as it is: settings files are edited by users,
 * too. Not jsonc-parser's own `modify`: it reformats the lines around an inserted entry and deletes the comments around
 * a removed one.
 */
import { createScanner, type Node } from 'jsonc-parser'

/**
 * Appends an entry to an object or array. `added` returns its text for a given indentation; for objects including the
 * name.
 */
export function appendEntry(text: string, container: Node, added: (indent: string) => string): string {
  const last = container.children?.at(-1)
  const end = endOf(container)
  const outer = indentAt(text, container.offset)
  if (!last) {
    const at = container.offset + 1
    const indent = outer + indentUnitOf(text)
    // A comment inside an empty container stays before our entry.
    const rest = text.slice(at, end - 1).trimEnd()
    return `${text.slice(0, at)}${rest}\n${indent}${added(indent)}\n${outer}${text.slice(end - 1)}`
  }
  const oneLine = !text.slice(container.offset, end).includes('\n')
  const indent = oneLine ? outer + indentUnitOf(text) : indentAt(text, last.offset)
  const separator = oneLine ? ' ' : `\n${indent}`
  const comma = skipTrivia(text, endOf(last))
  if (text[comma] === ',') return `${text.slice(0, comma + 1)}${separator}${added(indent)},${text.slice(comma + 1)}`
  return `${text.slice(0, endOf(last))},${separator}${added(indent)}${text.slice(endOf(last))}`
}

/** Removes one entry and one of the commas beside it; comments around it stay. */
export function removeEntry(text: string, container: Node, index: number): string {
  const entries = container.children ?? []
  const entry = entries[index]
  if (!entry) return text
  const before = entries[index - 1]
  const entryEnd = endOf(entry)
  const after = skipTrivia(text, entryEnd)
  const lineStart = text.slice(0, entry.offset).search(/[^\S\n]*$/)
  // Remove its line as well.
  const from = text[lineStart - 1] === '\n' ? lineStart - 1 : lineStart
  if (before) {
    const comma = skipTrivia(text, endOf(before))
    // A comma after the entry then separates the entry's neighbours.
    if (text.slice(comma + 1, entry.offset).trim() === '') return text.slice(0, comma) + text.slice(entryEnd)
    if (text[after] === ',') return text.slice(0, from) + text.slice(entryEnd, after) + text.slice(after + 1)
    return text.slice(0, comma) + text.slice(comma + 1, from) + text.slice(entryEnd)
  }
  const end = text[after] === ',' ? after + 1 : entryEnd
  const start = container.offset + 1
  const close = endOf(container) - 1
  const isOnlyContent =
    entries.length === 1 && text.slice(start, from).trim() === '' && text.slice(end, close).trim() === ''
  return isOnlyContent ? text.slice(0, start) + text.slice(close) : text.slice(0, from) + text.slice(end)
}

function endOf(node: Node): number {
  return node.offset + node.length
}

/** The first offset at or after `at` that is neither whitespace nor comment. */
function skipTrivia(text: string, at: number): number {
  const scanner = createScanner(text, true)
  scanner.setPosition(at)
  scanner.scan()
  return scanner.getTokenOffset()
}

/** The whitespace at the start of the line that contains `at`. */
function indentAt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? ''
}

/** One level of the file's own indentation; two spaces when it has none. */
export function indentUnitOf(text: string): string {
  return /^([ \t]+)\S/m.exec(text)?.[1] ?? '  '
}

/** JSON of a value; lines after the first are indented by `indent`. */
export function formatJson(value: unknown, indent: string, unit: string): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', `\n${indent}`)
}
