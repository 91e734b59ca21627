/**
 * Splits the text of a shell command into lists, and these into commands with their words: as much of a shell's grammar as
 * is needed to know which command an exit code is about. What it does not understand is null: here-documents, groups,
 * substitutions outside of quotes, `if` and loops. Pure.
 */

export interface Segment {
  /** Without assignments before the command and without redirections. Quotes are removed. */
  readonly words: readonly string[]
  /** What follows it; '' at the end of its list. */
  readonly end: '&&' | '||' | '|' | '&' | ''
}

const KEYWORDS = new Set(['if', 'then', 'for', 'while', 'until', 'case', 'do', 'done', 'fi', 'esac', 'function', '!'])
/** A longer text is a script that nobody types as one command. */
const MAX_TEXT = 10_000

/** Lists of commands that `;`, a line break or `&` separates; null for what it does not understand. */
export function splitCommand(text: string): (readonly Segment[])[] | null {
  const tokens = text.length > MAX_TEXT ? null : tokensOf(text.trim())
  if (!tokens) return null
  const lists: Segment[][] = [[]]
  let words: string[] = []
  const close = (end: Segment['end']): boolean => {
    const command = withoutAssignments(words)
    words = []
    if (KEYWORDS.has(command[0] ?? '')) return false
    if (command.length > 0 || end !== '') lists.at(-1)?.push({ words: command, end })
    return true
  }
  for (const token of tokens) {
    if (token.kind === 'word') words.push(token.text)
    else {
      if (!close(token.text === ';' ? '' : token.text)) return null
      if (token.text === ';' || token.text === '&') lists.push([])
    }
  }
  if (!close('')) return null
  return lists.filter((list) => list.length > 0)
}

function withoutAssignments(words: readonly string[]): string[] {
  const first = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word))
  return first < 0 ? [] : words.slice(first)
}

type Operator = '&&' | '||' | '|' | '&' | ';'
type Token = { readonly kind: 'word'; readonly text: string } | { readonly kind: 'operator'; readonly text: Operator }

const OPERATORS: Readonly<Record<string, Operator>> = { '&&': '&&', '||': '||', '|': '|', '|&': '|', '&': '&' }

/** One of these at the current place, in this order. */
const BLANK = /[ \t\r]+|\\\r?\n/y
const COMMENT = /#[^\n]*/y
const REDIRECTION = /(?:\d*|&)(?:>>?|<)(?:&(?:\d+|-)|\|)?[ \t]*/y
const OPERATOR = /&&|\|\||\|&?|&|;|\n/y
const PIECE = /'([^']*)'|"((?:[^"\\`$]|\\[\s\S]|\$(?!\())*)"|\\([\s\S])|((?:[^\s'"\\|&;<>()`$]|\$(?!\())+)/y

function tokensOf(text: string): Token[] | null {
  const tokens: Token[] = []
  let at = 0
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at = pattern.lastIndex
    return found
  }
  /** The word at the current place; null if it is not understood. */
  const word = (): string | null => {
    let whole: string | null = null
    for (let piece = match(PIECE); piece; piece = match(PIECE)) {
      const [, single, double, escaped, plain] = piece
      whole = (whole ?? '') + (single ?? double?.replace(/\\(["\\$`\n])/g, '$1') ?? escaped ?? plain ?? '')
    }
    return whole
  }
  while (at < text.length) {
    if (match(BLANK)) continue
    if (text[at] === '#' && match(COMMENT)) continue
    const redirection = match(REDIRECTION)
    if (redirection) {
      // `2>&1` names its target itself; another one is the next word. `<<` and `<(` are not understood.
      if (!/&(\d+|-)\s*$/.test(redirection[0]) && word() === null) return null
      continue
    }
    const operator = match(OPERATOR)?.[0]
    if (operator) {
      // A list continues on the next line after an operator.
      if (operator !== '\n' || tokens.at(-1)?.kind === 'word')
        tokens.push({ kind: 'operator', text: OPERATORS[operator] ?? ';' })
      continue
    }
    const found = word()
    if (found === null) return null
    tokens.push({ kind: 'word', text: found })
  }
  return tokens
}
