/**
 * Parses JSON with comments into values with their offsets in the text, so that one entry can be edited without
 * touching the rest. A recursive descent parser.
 */

export type Span = { readonly start: number; readonly end: number } & (
  | { readonly type: 'object'; readonly members: readonly Member[] }
  | { readonly type: 'array'; readonly items: readonly Span[] }
  | { readonly type: 'value'; readonly value: string | number | boolean | null }
)

export interface Member {
  readonly key: string
  /** Offset of the name. */
  readonly start: number
  readonly end: number
  readonly value: Span
}

/** A text that is not JSON. `at` is the offset of the error; the message completes "line 3: ". */
export class JsonSyntaxError extends Error {
  readonly at: number
  constructor(at: number, message: string) {
    super(message)
    this.at = at
  }
}

/** The line number of an offset, from 1. */
export function lineNumberAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}

/** Deepest nesting that is parsed: bounds the recursion. */
const MAX_DEPTH = 200

/** Parses a whole text. Comments, trailing commas and a BOM are allowed. Throws JsonSyntaxError. */
export function parseSpans(text: string): Span {
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  const skip = (): void => {
    at = skipTrivia(text, at)
  }
  const fail = (message: string): never => {
    throw new JsonSyntaxError(at, message)
  }

  const value = (depth: number): Span => {
    if (depth > MAX_DEPTH) fail('nested too deeply')
    const start = at
    const first = text[at]
    if (first === '{') {
      at++
      const members: Member[] = []
      for (skip(); text[at] !== '}'; skip()) {
        const from = at
        if (text[at] !== '"') fail('a name is missing')
        const key = string()
        skip()
        if (text[at] !== ':') fail('a colon is missing')
        at++
        skip()
        const found = value(depth + 1)
        members.push({ key, start: from, end: found.end, value: found })
        skip()
        if (text[at] === ',') at++
        else if (text[at] !== '}') fail('a comma or a closing brace is missing')
      }
      at++
      return { type: 'object', members, start, end: at }
    }
    if (first === '[') {
      at++
      const items: Span[] = []
      for (skip(); text[at] !== ']'; skip()) {
        items.push(value(depth + 1))
        skip()
        if (text[at] === ',') at++
        else if (text[at] !== ']') fail('a comma or a closing bracket is missing')
      }
      at++
      return { type: 'array', items, start, end: at }
    }
    if (first === '"') return { type: 'value', value: string(), start, end: at }
    const word = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/.exec(text.slice(at, at + 400))?.[0]
    if (!word) return fail('a value is missing')
    at += word.length
    return { type: 'value', value: JSON.parse(word) as number | boolean | null, start, end: at }
  }

  const string = (): string => {
    const start = at
    for (at++; text[at] !== '"'; at++) {
      if (at >= text.length || text[at] === '\n') fail('unterminated string')
      if (text[at] === '\\') at++
    }
    at++
    try {
      return JSON.parse(text.slice(start, at)) as string
    } catch {
      // SyntaxError: an invalid escape or control character.
      return fail('invalid string')
    }
  }

  skip()
  const root = value(0)
  skip()
  if (at < text.length) fail('unexpected text after the end')
  return root
}

/** The first offset at or after `at` that is neither whitespace nor comment. */
export function skipTrivia(text: string, at: number): number {
  for (;;) {
    while (/\s/.test(text[at] ?? '')) at++
    if (text.startsWith('//', at)) {
      const end = text.indexOf('\n', at)
      at = end === -1 ? text.length : end
    } else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2)
      at = end === -1 ? text.length : end + 2
    } else return at
  }
}

/** The value of that name in an object; null when there is none. */
export function findMember(span: Span, key: string): Span | null {
  // Of duplicate names the last one counts, as in every JSON reader.
  return span.type === 'object' ? (span.members.findLast((entry) => entry.key === key)?.value ?? null) : null
}
