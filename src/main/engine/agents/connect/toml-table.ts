/**
 * Finds, sets and removes one table of a TOML text (`[a.b]` and the tables below it); every other byte stays. smol-toml
 * reads, but its writer keeps no comments, so the table's lines are located here by their headers.
 */
import { parse, TomlError, type TomlTable as TomlValues } from 'smol-toml'
import { SettingsSyntaxError } from './settings-file.ts'

interface TomlTable {
  /** Offsets of its lines, without comments and empty lines before the next table. */
  readonly from: number
  readonly to: number
  readonly text: string
}

/** The values of a whole text. Throws SettingsSyntaxError. */
function parseToml(text: string): TomlValues {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' }) as TomlValues
  } catch (error) {
    if (error instanceof TomlError)
      throw new SettingsSyntaxError(
        error.line,
        (error.message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '')
      )
    throw error
  }
}

/** The value of that name; undefined when there is none. Throws SettingsSyntaxError. */
export function readToml(text: string, names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined,
    parseToml(text)
  )
}

/**
 * The table of that name, including its inner tables; null when there is none. Throws SettingsSyntaxError, and
 * TypeError when the table exists in another form.
 */
export function findTable(text: string, names: readonly string[]): TomlTable | null {
  if (readToml(text, names) === undefined) return null
  const headers = headersOf(text)
  const isInside = ({ name }: Header) => names.every((part, n) => name[n] === part)
  const first = headers.findIndex(isInside)
  // `a = { b = … }` and `a.b.c = …` define the same table.
  if (first < 0) throw new TypeError(`${names.join('.')} is not a separate table`)
  const next = headers.findIndex((header, n) => n > first && !isInside(header))
  if (next >= 0 && headers.slice(next).some(isInside))
    throw new TypeError(`[${names.join('.')}] is defined in several places`)
  const from = (headers[first] as Header).at
  const upToNext = text.slice(from, headers[next]?.at)
  const table = upToNext.replace(/(?<=\n)(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*(?:#[^\n]*)?$/, '')
  return { from, to: from + table.length, text: table }
}

/**
 * The text with this table, in place of the one of that name, or appended. `body`: its lines with `\n`, header
 * included. Throws as `findTable`.
 */
export function setTable(text: string, names: readonly string[], body: string): string {
  const end = /\r\n/.test(text) ? '\r\n' : '\n'
  const lines = body.replaceAll('\n', end)
  const table = findTable(text, names)
  const gap = text === '' ? '' : text.endsWith('\n') ? end : end + end
  const result = table ? text.slice(0, table.from) + lines + text.slice(table.to) : text + gap + lines
  try {
    parseToml(result)
  } catch {
    // SettingsSyntaxError: a parent is an inline table, which no header can extend.
    throw new TypeError(`${names.join('.')} is not a separate table`)
  }
  return result
}

/** The text without the table, and without the one empty line that `setTable` put before it. */
export function removeTable(text: string, names: readonly string[]): string {
  const table = findTable(text, names)
  if (!table) return text
  const before = text.slice(0, table.from).replace(/(\n)\r?\n$/, '$1')
  return before + text.slice(table.to)
}

interface Header {
  readonly at: number
  readonly name: readonly string[]
}

/**
 * Every table header. Lines that look like one inside a multi-line string or list are none: the text before them is no
 * TOML.
 */
function headersOf(text: string): Header[] {
  return [...text.matchAll(/^[ \t]*\[\[?([^\n]*?)\]\]?[ \t]*(?:#[^\n]*)?\r?$/gm)].flatMap(
    ({ 0: line, 1: name, index }) => {
      try {
        parseToml(text.slice(0, index))
      } catch {
        return []
      }
      return [{ at: index + (line.length - line.trimStart().length), name: namesOf(name ?? '') }]
    }
  )
}

function namesOf(dotted: string): string[] {
  return [...dotted.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? ''
  )
}
