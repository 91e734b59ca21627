/** JSON with comments as values that know where they stand in the text, so that one entry can be added or taken out without touching the rest. */

export type Span = { readonly start: number; readonly end: number } & (
  | { readonly type: 'object'; readonly members: readonly Member[] }
  | { readonly type: 'array'; readonly items: readonly Span[] }
  | { readonly type: 'value'; readonly value: string | number | boolean | null }
)

export interface Member {
  readonly key: string
  /** Where the name begins. */
  readonly start: number
  readonly end: number
  readonly value: Span
}

/** Where and why a text is not JSON. */
export class JsonSyntaxError extends Error {
  readonly at: number
  constructor(at: number, what: string) {
    super(what)
    this.at = at
  }
}

/** The line a place lies in, from 1. */
export function lineNumberAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}

/** Deepest nesting that is read. */
const MAX_DEPTH = 200

/** Reads a whole text; comments and trailing commas are allowed. Throws NotJson. */
export function parseSpans(text: string): Span {
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  const skip = (): void => {
    at = skipTrivia(text, at)
  }
  const fail = (what: string): never => {
    throw new JsonSyntaxError(at, what)
  }

  const value = (depth: number): Span => {
    if (depth > MAX_DEPTH) fail('it is nested too deeply')
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
      if (at >= text.length || text[at] === '\n') fail('a string does not end')
      if (text[at] === '\\') at++
    }
    at++
    try {
      return JSON.parse(text.slice(start, at)) as string
    } catch {
      // SyntaxError: an escape or a control character JSON has not.
      return fail('a string is not valid')
    }
  }

  skip()
  const root = value(0)
  skip()
  if (at < text.length) fail('something follows the end')
  return root
}

/** The first place at or after `at` that is neither space nor comment. */
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

export function findMember(span: Span, key: string): Span | null {
  // The last one of a name counts, as it does for every reader of JSON.
  return span.type === 'object' ? (span.members.findLast((one) => one.key === key)?.value ?? null) : null
}
