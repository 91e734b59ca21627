/**
 * Inserts and removes members and items of JSON with comments (jsonc-parser), leaving every other byte as it is:
 * settings files are edited by users, too. Not jsonc-parser's own `modify`: it reformats the lines around an inserted
 * entry and deletes the comments around a removed one. Settings with a syntax error are refused, never repaired;
 * comments, trailing commas and a byte order mark are allowed.
 */
import { createScanner, type Node, type ParseError, type ParseErrorCode, parseTree } from 'jsonc-parser'
import { SettingsSyntaxError } from './settings-file.ts'

/** By `ParseErrorCode`, which is a const enum. */
const MESSAGES: Readonly<Record<ParseErrorCode, string>> = {
  1: 'a value is missing',
  2: 'invalid number',
  3: 'a name is missing',
  4: 'a value is missing',
  5: 'a colon is missing',
  6: 'a comma is missing',
  7: 'a closing brace is missing',
  8: 'a closing bracket is missing',
  9: 'unexpected text after the end',
  10: 'invalid comment',
  11: 'unterminated comment',
  12: 'unterminated string',
  13: 'unterminated number',
  14: 'invalid string',
  15: 'invalid string',
  16: 'invalid character'
}

/** The root of a whole text; offsets are those of `text`. Throws SettingsSyntaxError. */
export function parseJson(text: string): Node {
  const errors: ParseError[] = []
  let root: Node | undefined
  try {
    // A space has the length of a byte order mark, so the offsets stay.
    root = parseTree(text.replace(/^\ufeff/, ' '), errors, { allowTrailingComma: true })
  } catch (error) {
    // The parser is recursive: a text of brackets only exhausts the stack.
    if (error instanceof RangeError) throw new SettingsSyntaxError(1, 'nested too deeply')
    throw error
  }
  const [first] = errors
  if (first) throw new SettingsSyntaxError(text.slice(0, first.offset).split('\n').length, MESSAGES[first.error])
  if (!root) throw new SettingsSyntaxError(1, 'a value is missing')
  return root
}

/** The value of that name in an object; null when there is none. */
export function findMember(node: Node, name: string): Node | null {
  return node.children?.[indexOfMember(node, name)]?.children?.[1] ?? null
}

/** The value at this path of names; null when there is none. Throws SettingsSyntaxError. */
export function findValue(text: string, path: readonly string[]): Node | null {
  if (text.trim() === '') return null
  return path.reduce<Node | null>((node, name) => node && findMember(node, name), parseJson(text))
}

/** The name of an object's property. */
export function nameOf(property: Node): string {
  return property.children?.[0]?.value as string
}

/** Index of that name among the children of an object; -1 when there is none. */
function indexOfMember(node: Node, name: string): number {
  // Of duplicate names the last one counts, as in every JSON reader; jsonc-parser's own search returns the first.
  return node.type === 'object' ? (node.children ?? []).findLastIndex((property) => nameOf(property) === name) : -1
}

/**
 * The text with a value at this path, which must be free, and with the objects around it. Throws SettingsSyntaxError,
 * or TypeError when one of them is another kind of value.
 */
export function addValue(before: string, path: readonly string[], value: unknown): string {
  const text = before.trim() === '' ? '{}\n' : before
  let object = parseJson(text)
  for (const [depth, name] of path.entries()) {
    if (object.type !== 'object')
      throw new TypeError(
        depth === 0 ? 'the file is not a JSON object' : `"${path.slice(0, depth).join('.')}" is not an object`
      )
    const inner = findMember(object, name)
    if (!inner) {
      const added = path.slice(depth + 1).reduceRight<unknown>((inside, outer) => ({ [outer]: inside }), value)
      return appendEntry(text, object, added, name)
    }
    object = inner
  }
  return text
}

/** The text without the value at this path of two names. Throws SettingsSyntaxError. */
export function removeValue(text: string, [object, name]: readonly [string, string]): string {
  const root = parseJson(text)
  const inside = findMember(root, object)
  const at = inside ? indexOfMember(inside, name) : -1
  return at < 0 ? text : removeMember(text, root, object, at)
}

/** The text without member `at` of an object of the root, and without that object when it becomes empty. */
export function removeMember(text: string, root: Node, object: string, at: number): string {
  const inside = findMember(root, object)
  return inside?.children && inside.children.length > 1
    ? removeEntry(text, inside, at)
    : removeEntry(text, root, indexOfMember(root, object))
}

/** Appends an item to an array, or a member of that name to an object. */
export function appendEntry(text: string, container: Node, value: unknown, name?: string): string {
  const unit = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  '
  const added = (indent: string): string =>
    (name === undefined ? '' : `${JSON.stringify(name)}: `) +
    JSON.stringify(value, null, unit).replaceAll('\n', `\n${indent}`)
  const last = container.children?.at(-1)
  const end = endOf(container)
  const outer = indentAt(text, container.offset)
  if (!last) {
    const at = container.offset + 1
    const indent = outer + unit
    // A comment inside an empty container stays before our entry.
    const rest = text.slice(at, end - 1).trimEnd()
    return `${text.slice(0, at)}${rest}\n${indent}${added(indent)}\n${outer}${text.slice(end - 1)}`
  }
  const oneLine = !text.slice(container.offset, end).includes('\n')
  const indent = oneLine ? outer + unit : indentAt(text, last.offset)
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
