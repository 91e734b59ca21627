/** What content is, judged by its bytes: how large, and what a reader should know of its text. */
import { lineUnit, splitLines } from './lines.ts'

export { imageMime, sniffType } from './content-type.ts'
export { looksSecret } from './secret-path.ts'

/** From which size on content is shown differently (UI.md C.6). */
export const LIMITS = {
  largeBytes: 1024 * 1024,
  largeLines: 20_000,
  largeLineCharacters: 5000,
  /** Above this content is never rendered nor compared line by line. */
  opaqueBytes: 20 * 1024 * 1024
} as const

/** Number of lines (a last one without line feed counts) and characters of the longest, of text. */
export function measureLines(bytes: Uint8Array): { lines: number; longest: number } {
  if (lineUnit(bytes) !== 'byte') return measureWideLines(bytes)
  let lines = 0
  let longest = 0
  let current = 0
  for (const byte of bytes) {
    if (byte === 0x0a) {
      lines++
      if (current > longest) longest = current
      current = 0
    } else if ((byte & 0xc0) !== 0x80) current++
  }
  if (bytes.length > 0 && bytes[bytes.length - 1] !== 0x0a) lines++
  return { lines, longest: Math.max(longest, current) }
}

function measureWideLines(bytes: Uint8Array): { lines: number; longest: number } {
  const { count, starts } = splitLines(bytes)
  let longest = 0
  for (let line = 0; line < count; line++) longest = Math.max(longest, (starts[line + 1]! - starts[line]!) / 2)
  return { lines: count, longest }
}

/** Whether text is over a limit of what is shown without asking. */
export function isLargeText(bytes: Uint8Array): boolean {
  if (bytes.length > LIMITS.largeBytes) return true
  const { lines, longest } = measureLines(bytes)
  return lines > LIMITS.largeLines || longest > LIMITS.largeLineCharacters
}

// Bidirectional controls; zero-width spaces, non-joiner, word joiner and tags; soft hyphen; Mongolian vowel separator.
const HIDDEN =
  /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u00ad\u180e\u200b\u200c\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/u
// A zero-width joiner is visible as a joined emoji, and hidden everywhere else.
const HIDDEN_JOINER = /(?<!\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d/u

/** Bidirectional or zero-width characters occur. A byte order mark at the very start does not count. */
export function hasHiddenCharacters(text: string): boolean {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  return HIDDEN.test(body) || HIDDEN_JOINER.test(body)
}

/** "LF → CRLF" when both texts differ in nothing but their line endings, else null. */
export function eolChange(before: string, after: string): string | null {
  if (before === after) return null
  if (before.replace(/\r\n?/g, '\n') !== after.replace(/\r\n?/g, '\n')) return null
  return `${eolName(before)} → ${eolName(after)}`
}

function eolName(text: string): string {
  const found = new Set(text.match(/\r\n|\r|\n/g))
  if (found.size > 1) return 'mixed'
  return found.has('\r\n') ? 'CRLF' : found.has('\r') ? 'CR' : 'LF'
}
