/**
 * The definitions in a text, found by how a line of its language looks: without a language service, so a line of a
 * string can be taken for one. Pure.
 */

export type SymbolKind = 'class' | 'function' | 'heading' | 'test'

export interface TextSymbol {
  readonly name: string
  readonly kind: SymbolKind
  /** From 1, both included. */
  readonly line: number
  readonly endLine: number
  /** Number of symbols that contain it. */
  readonly depth: number
}

/** Of longer texts there is no outline: it is made for every text that is shown. */
const MOST_LINES = 20_000
const LONGEST_LINE = 400

/** `pattern`: the name is its last group. */
interface Rule {
  readonly kind: SymbolKind
  readonly pattern: RegExp
}

const rule = (kind: SymbolKind, pattern: RegExp): Rule => ({ kind, pattern })
const KEYWORDS = /^(?:if|for|while|switch|catch|return|function|do|else|with|await|new|throw|case|using|lock|sizeof)$/
/** A name, its parameters, and a block that begins on the same line. */
const METHOD = rule('function', /^\s+(?:[\w<>[\],.?]+\s+)*?\*?(#?[\w$~]+)\s*(?:<[^>]*>)?\([^;]*\{\s*$/)

const SCRIPT: readonly Rule[] = [
  rule(
    'class',
    /^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:const\s+)?(?:class|interface|enum|namespace)\s+([\w$]+)/
  ),
  rule('function', /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*([\w$]+)/),
  rule(
    'function',
    /^\s*(?:export\s+)?(?:const|let)\s+([\w$]+)\s*(?::.*)?=\s*(?:async\s+)?(?:function\b|[\w$]+\s*=>|\(.*(?:=>|[(,{]\s*$))/
  ),
  rule('test', /^\s*(?:describe|test|it)(?:\.\w+)*\(\s*(?:['"`])(.+?)['"`],/),
  METHOD
]
const BRACES: readonly Rule[] = [
  rule(
    'class',
    /^\s*(?:[\w@]+\s+)*(?:class|interface|enum|struct|trait|object|protocol|extension|namespace|record|union)\s+(?:class\s+)?([\w.]+)/
  ),
  rule('function', /^\s*(?:[\w@]+\s+)*(?:fun|func|function)\s+(?:<[^>]*>\s*)?(?:[\w.]+\.)?([\w]+)/),
  METHOD,
  rule('function', /^(?:[\w*&:<>,]+\s+)+[*&]*([\w:~]+)\s*\([^;]*\)?\s*(?:const\s*)?(?:noexcept\s*)?\{?\s*$/)
]

const RULES: readonly (readonly [files: RegExp, rules: readonly Rule[]])[] = [
  [/\.(?:[cm]?[jt]sx?|vue|svelte)$/, SCRIPT],
  [/\.pyi?$/, [rule('class', /^\s*class\s+(\w+)/), rule('function', /^\s*(?:async\s+)?def\s+(\w+)/)]],
  [/\.rb$/, [rule('class', /^\s*(?:class|module)\s+([\w:]+)/), rule('function', /^\s*def\s+([\w.?!=]+)/)]],
  [/\.go$/, [rule('class', /^type\s+(\w+)/), rule('function', /^func\s+(?:\([^)]*\)\s*)?(\w+)/)]],
  [
    /\.rs$/,
    [
      rule('class', /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+)?(?:struct|enum|trait|mod|union)\s+(\w+)/),
      rule('class', /^\s*impl(?:<.*?>)?\s+(.+?)\s*(?:where\b.*)?\{?$/),
      rule('function', /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:const\s+|async\s+|unsafe\s+|extern\s+"\w+"\s+)*fn\s+(\w+)/)
    ]
  ],
  [/\.(?:java|kts?|cs|swift|scala|php|c|h|cc|cpp|cxx|hpp|hh|m|mm|dart|groovy)$/, BRACES],
  [
    /\.(?:sh|bash|zsh)$/,
    [rule('function', /^\s*(?:function\s+)?([\w-]+)\s*\(\)/), rule('function', /^function\s+([\w-]+)/)]
  ],
  [/\.(?:css|scss|less)$/, [rule('class', /^\s*([^\s@{}/][^{}]*?)\s*\{\s*$/)]],
  [
    /\.sql$/i,
    [
      rule(
        'class',
        /^\s*create\s+(?:or\s+replace\s+)?(?:unique\s+|temp(?:orary)?\s+)*(?:table|view|index|function|procedure|trigger)\s+(?:if\s+not\s+exists\s+)?([\w."]+)/i
      )
    ]
  ]
]
const PROSE = /\.(?:md|markdown|mdx)$/

/** In the order of their lines. */
export function outlineOf(text: string, path: string): readonly TextSymbol[] {
  const lines = text.split(/\r\n|\n|\r/)
  if (lines.length > MOST_LINES) return []
  if (PROSE.test(path)) return headings(lines)
  const rules = RULES.find(([files]) => files.test(path))?.[1]
  return rules ? definitions(lines, rules) : []
}

/** The symbols that contain a line, outermost first. */
export function scopeOf(symbols: readonly TextSymbol[], line: number): readonly TextSymbol[] {
  return symbols.filter((symbol) => symbol.line <= line && line <= symbol.endLine)
}

interface OpenSymbol {
  readonly index: number
  /** Of a heading its level, else the width of its indentation. */
  readonly indent: number
}

function definitions(lines: readonly string[], rules: readonly Rule[]): TextSymbol[] {
  const found: TextSymbol[] = []
  const open: OpenSymbol[] = []
  let last = 0
  const close = (indent: number, line: string) => {
    for (let top = open.at(-1); top && top.indent >= indent; top = open.at(-1)) {
      open.pop()
      // The line that closes a block belongs to it.
      const isClosing = top.indent === indent && /^\s*(?:[)\]}]|end\b)/.test(line)
      const symbol = found[top.index] as TextSymbol
      found[top.index] = { ...symbol, endLine: isClosing ? last + 1 : last }
    }
  }
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    const indent = indentOf(line)
    last = index
    // A parameter list that ends, or a block that begins, on a line of its own.
    const continues = /^\s*(?:\{|\).*\{\s*$)/.test(line)
    close(continues ? indent + 1 : indent, line)
    last = index + 1
    const symbol = symbolOf(line, rules)
    if (!symbol) continue
    open.push({ index: found.length, indent })
    found.push({ ...symbol, line: index + 1, endLine: index + 1, depth: open.length - 1 })
  }
  close(0, '')
  return found
}

function symbolOf(line: string, rules: readonly Rule[]): Pick<TextSymbol, 'name' | 'kind'> | null {
  if (line.length > LONGEST_LINE || /^\s*(?:\/\/|\/\*|\*|#(?!\w))/.test(line)) return null
  for (const { kind, pattern } of rules) {
    const name = pattern.exec(line)?.at(-1)
    if (name !== undefined && !KEYWORDS.test(name)) return { name, kind }
  }
  return null
}

function indentOf(line: string): number {
  let width = 0
  for (const char of line) {
    if (char === ' ') width++
    else if (char === '\t') width += 4 - (width % 4)
    else break
  }
  return width
}

function headings(lines: readonly string[]): TextSymbol[] {
  const found: TextSymbol[] = []
  const open: OpenSymbol[] = []
  const close = (level: number, before: number) => {
    for (let top = open.at(-1); top && top.indent >= level; top = open.at(-1)) {
      open.pop()
      found[top.index] = { ...(found[top.index] as TextSymbol), endLine: before }
    }
  }
  let fence: string | null = null
  for (const [index, line] of lines.entries()) {
    const mark = /^\s*(```|~~~)/.exec(line)?.[1]
    if (mark) fence = fence === null ? mark : fence === mark ? null : fence
    const heading = fence === null ? /^(#{1,6})\s+(.+?)\s*#*$/.exec(line) : null
    if (!heading) continue
    const [, signs = '', name = ''] = heading
    close(signs.length, index)
    open.push({ index: found.length, indent: signs.length })
    found.push({ name, kind: 'heading', line: index + 1, endLine: index + 1, depth: open.length - 1 })
  }
  close(0, lines.length)
  return found
}
