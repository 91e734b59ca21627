/**
 * Parses JSON with comments (jsonc-parser) strictly: settings with a syntax error are refused, never repaired. Comments,
 * trailing commas and a byte order mark are allowed.
 */
import { type Node, type ParseError, type ParseErrorCode, parseTree } from 'jsonc-parser'
import { SettingsSyntaxError } from './settings-syntax.ts'

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

/** Index of that name among the children of an object; -1 when there is none. */
export function indexOfMember(node: Node, name: string): number {
  // Of duplicate names the last one counts, as in every JSON reader; jsonc-parser's own search returns the first.
  return node.type === 'object' ? (node.children ?? []).findLastIndex((property) => nameOf(property) === name) : -1
}

/** The name of an object's property. */
export function nameOf(property: Node): string {
  return property.children?.[0]?.value as string
}
