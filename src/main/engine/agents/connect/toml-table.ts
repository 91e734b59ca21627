/**
 * Finds, sets and removes one table of a TOML text (`[a.b]` and the tables below it); every other byte stays. Only
 * tables and keys are parsed, not values.
 */

export interface TomlTable {
  /** Offsets of its lines, without comments and empty lines before the next table. */
  readonly from: number
  readonly to: number
  readonly text: string
}

interface Line {
  readonly from: number
  readonly to: number
  /** Name parts of a table header; null for every other line. */
  readonly header: readonly string[] | null
  /** Name parts of a key; null for every other line. */
  readonly key: readonly string[] | null
  /** Empty, or only a comment. */
  readonly blank: boolean
}

/**
 * The table of that name, including its inner tables; null when there is none. Throws TypeError when it exists in
 * another form.
 */
export function findTable(text: string, names: readonly string[]): TomlTable | null {
  const lines = linesOf(text)
  let current: readonly string[] = []
  let first = -1
  let last = -1
  for (const [n, line] of lines.entries()) {
    if (line.header) current = line.header
    const inside = startsWith(current, names)
    if (
      inside &&
      line.header &&
      first >= 0 &&
      last < n - 1 &&
      lines.slice(last + 1, n).some((between) => between.header)
    )
      throw new TypeError(`[${names.join('.')}] is defined in several places`)
    if (inside) {
      if (first < 0) first = n
      if (!line.blank) last = n
    } else if (line.key) {
      const full = [...current, ...line.key]
      // `a = { b = … }` and `a.b.c = …` define the same table; adding ours would make the file invalid.
      if (startsWith(full, names) || (startsWith(names, full) && full.length > 0 && !line.header))
        throw new TypeError(`${names.join('.')} is not a separate table`)
    }
  }
  if (first < 0) return null
  const from = (lines[first] as Line).from
  const to = (lines[last] as Line).to
  return { from, to, text: text.slice(from, to) }
}

/**
 * The text with this table, in place of the one of that name, or appended. `body`: its lines with `\n`, header
 * included.
 */
export function setTable(text: string, names: readonly string[], body: string): string {
  const end = /\r\n/.test(text) ? '\r\n' : '\n'
  const lines = body.replaceAll('\n', end)
  const table = findTable(text, names)
  if (table) return text.slice(0, table.from) + lines + text.slice(table.to)
  if (text === '') return lines
  const gap = text.endsWith('\n') ? end : end + end
  return text + gap + lines
}

/** The text without the table, and without the one empty line that `setTable` put before it. */
export function removeTable(text: string, names: readonly string[]): string {
  const table = findTable(text, names)
  if (!table) return text
  const before = text.slice(0, table.from).replace(/(\n)\r?\n$/, '$1')
  return before + text.slice(table.to)
}

function startsWith(names: readonly string[], start: readonly string[]): boolean {
  return names.length >= start.length && start.every((name, n) => names[n] === name)
}

/** Logical lines: a multi-line string or list belongs to the line that opens it. */
function linesOf(text: string): Line[] {
  const found: Line[] = []
  for (let from = 0; from < text.length; ) {
    const to = findStatementEnd(text, from)
    const line = text.slice(from, to).trimStart()
    const header = /^\[\[?([^\]\n]*)\]\]?/.exec(line)
    const key = header || line.startsWith('#') ? null : /^([^=\n]+)=/.exec(line)
    found.push({
      from,
      to,
      header: header ? namesOf(header[1] as string) : null,
      key: key ? namesOf(key[1] as string) : null,
      blank: line.trim() === '' || line.startsWith('#')
    })
    from = to
  }
  return found
}

function namesOf(dotted: string): string[] {
  return [...dotted.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? ''
  )
}

/** End of the logical line that begins at `from`, line end included. */
function findStatementEnd(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const char = text[at]
    if (char === '"' || char === "'") {
      const triple = text.startsWith(char.repeat(3), at)
      at = findStringEnd(text, at, triple ? char.repeat(3) : char)
    } else if (char === '#') {
      const end = text.indexOf('\n', at)
      if (end < 0) return text.length
      at = end - 1
    } else if (char === '[' || char === '{') depth++
    else if (char === ']' || char === '}') depth--
    else if (char === '\n' && depth <= 0) return at + 1
  }
  return text.length
}

/** Offset of the last character of the string that begins at `at`; an unterminated one ends with its line. */
function findStringEnd(text: string, at: number, quote: string): number {
  for (let end = at + quote.length; end < text.length; end++) {
    if (quote.startsWith('"') && text[end] === '\\') end++
    else if (quote.length === 1 && text[end] === '\n') return end - 1
    else if (text.startsWith(quote, end)) return end + quote.length - 1
  }
  return text.length
}
