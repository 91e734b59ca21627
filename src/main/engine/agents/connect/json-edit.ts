/** Adds to and takes from the text of a JSON file, leaving every other byte as it is. */
import { type Member, type Span, skipTrivia } from './json-spans.ts'

/** `added` becomes the last entry of an object or array; for objects it holds its name, too. */
export function appendEntry(text: string, container: Span, added: (indent: string) => string): string {
  const last = childrenOf(container).at(-1)
  const outer = indentAt(text, container.start)
  if (!last) {
    const at = container.start + 1
    const indent = outer + indentUnitOf(text)
    // A comment inside an empty one stays before ours.
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

/** Takes one entry out with the comma that parted it from the others; comments around it stay. */
export function removeEntry(text: string, container: Span, index: number): string {
  const entries = childrenOf(container)
  const one = entries[index]
  if (!one) return text
  const before = entries[index - 1]
  const after = skipTrivia(text, one.end)
  const lineStart = text.slice(0, one.start).search(/[^\S\n]*$/)
  // Its own line goes with it.
  const from = text[lineStart - 1] === '\n' ? lineStart - 1 : lineStart
  if (before) {
    const comma = skipTrivia(text, before.end)
    // The comma after it, if any, parts what follows from what came before.
    if (text.slice(comma + 1, one.start).trim() === '') return text.slice(0, comma) + text.slice(one.end)
    if (text[after] === ',') return text.slice(0, from) + text.slice(one.end, after) + text.slice(after + 1)
    return text.slice(0, comma) + text.slice(comma + 1, from) + text.slice(one.end)
  }
  const end = text[after] === ',' ? after + 1 : one.end
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

/** The white space a line begins with. */
function indentAt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1
  return /^[^\S\n]*/.exec(text.slice(start, at))?.[0] ?? ''
}

/** One step of the file's own indentation. */
export function indentUnitOf(text: string): string {
  return /^([ \t]+)\S/m.exec(text)?.[1] ?? '  '
}

/** JSON of a value, its further lines indented like its first. */
export function formatJson(value: unknown, indent: string, unit: string): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', `\n${indent}`)
}
