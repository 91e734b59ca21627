/** Measures content by its bytes: size limits of views, hidden characters, line endings. */
import { HIDDEN } from '../../../contract/hidden-characters.ts'
import { lineUnit, splitLines } from './lines.ts'

/** Sizes from which content is shown differently. */
export const LIMITS = {
  largeBytes: 1024 * 1024,
  largeLines: 20_000,
  largeLineCharacters: 5000,
  /** Larger content is not rendered. */
  opaqueBytes: 20 * 1024 * 1024,
  /** Larger content is not compared line by line. */
  comparedBytes: 64 * 1024 * 1024
} as const

/**
 * The number of lines of a text, including a last one without line feed, and the length of the longest in characters.
 */
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
    } else if ((byte & 0xc0) !== 0x80) current++ // not a UTF-8 continuation byte
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

/** Whether text is over a limit of what is shown without a request. */
export function isLargeText(bytes: Uint8Array): boolean {
  if (bytes.length > LIMITS.largeBytes) return true
  // Too short for any of the limits; most texts are, and a run that changes thousands of them measures each.
  if (bytes.length <= LIMITS.largeLineCharacters) return false
  const { lines, longest } = measureLines(bytes)
  return lines > LIMITS.largeLines || longest > LIMITS.largeLineCharacters
}

/**
 * Whether text has bidirectional controls or zero-width characters, which can disguise code (CVE-2021-42574). A leading
 * byte order mark does not count.
 */
export function hasHiddenCharacters(text: string): boolean {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  return body.search(HIDDEN) >= 0
}

/** "LF → CRLF" when two texts differ only in their line endings, else null. */
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
