/** What content is, judged by its bytes: text or binary, how large, how encoded. */

export { imageMime, sniffType } from './content-type.ts'
export { looksSecret } from './secret-path.ts'

/** From which size on content is shown differently (UI.md C.6). */
export const LIMITS = {
  /** A NUL byte within this many bytes makes content binary. */
  sniffBytes: 8000,
  largeBytes: 1024 * 1024,
  largeLines: 20_000,
  largeLineCharacters: 5000,
  /** Above this content is never rendered nor compared line by line. */
  opaqueBytes: 20 * 1024 * 1024
} as const

/** `binary`: a NUL in the first 8000 bytes, or not valid UTF-8. */
export function classifyContent(bytes: Uint8Array): 'text' | 'binary' {
  return hasEarlyNul(bytes) || decodeUtf8(bytes) === null ? 'binary' : 'text'
}

function hasEarlyNul(bytes: Uint8Array): boolean {
  return bytes.subarray(0, LIMITS.sniffBytes).includes(0)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** The text for display. Bytes that are not UTF-8 are read as Windows-1252, which is a guess; a BOM is kept. */
export function decodeText(bytes: Uint8Array): { text: string; encoding: 'utf8' | 'windows-1252' } {
  const text = decodeUtf8(bytes)
  if (text !== null) return { text, encoding: 'utf8' }
  return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' }
}

/** Text in an older 8-bit encoding: not UTF-8, but without any control character that text does not hold. */
export function looksLikeLegacyText(bytes: Uint8Array): boolean {
  for (const byte of bytes.subarray(0, LIMITS.sniffBytes)) {
    // Allowed below space: backspace, tab, line feed, vertical tab, form feed, carriage return, escape.
    if ((byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b) || byte === 0x7f) return false
  }
  return true
}

/** Number of lines (a last one without line feed counts) and characters of the longest, of UTF-8 bytes. */
export function measureLines(bytes: Uint8Array): { lines: number; longest: number } {
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
