/**
 * Detects whether content is text, and guesses its encoding. Used for display and for counting lines only: lines are
 * compared, stored and restored as bytes, so a wrong guess shows wrong letters and has no other effect.
 */
import { isAscii, isUtf8 } from 'node:buffer'
import type { Encodings, TextEncoding } from '../../../contract/diff.ts'
import { sniffType } from './content-type.ts'
import { lineUnit, splitLines } from './lines.ts'

/** Number of bytes that are searched for NUL and control characters; the value of git (`buffer_is_binary`). */
const SNIFFED = 8000

/**
 * Null for content that is not text. The first rule that applies decides:
 * 1. A UTF-16 byte order mark: UTF-16, or not text if it is invalid or contains a NUL.
 * 2. A NUL in the first 8000 bytes: not text (git's rule for diffs).
 * 3. Valid UTF-8: UTF-8.
 * 4. A known signature, or too many control characters: not text.
 * 5. A legacy encoding: Shift-JIS if all bytes are valid and there is hiragana, else Windows-1252, in which every byte
 *    is valid.
 */
export function encodingOf(bytes: Uint8Array): TextEncoding | null {
  const unit = lineUnit(bytes)
  if (unit !== 'byte') {
    const text = tryDecode(bytes, unit)
    return text !== null && !text.includes('\0') && isMostlyPrintable(firstUnits(text)) ? unit : null
  }
  if (bytes.subarray(0, SNIFFED).includes(0)) return null
  if (isUtf8(bytes)) return 'utf8'
  if (sniffType(bytes) !== 'data' || !isMostlyPrintable(bytes)) return null
  return HIRAGANA.test(tryDecode(bytes, 'shift_jis') ?? '') ? 'shift_jis' : 'windows-1252'
}

export function isText(bytes: Uint8Array): boolean {
  return encodingOf(bytes) !== null
}

/** The encodings of two sides. A side that fits any encoding (empty or ASCII) gets that of the other side. */
export function encodingsOf(before: Uint8Array, after: Uint8Array): Encodings {
  return encodingsOfTexts(before, after) ?? { before: 'utf8', after: 'utf8' }
}

/** Null if a side is not text. */
export function encodingsOfTexts(before: Uint8Array, after: Uint8Array): Encodings | null {
  const [old, now] = [encodingOf(before), encodingOf(after)]
  if (!old || !now) return null
  if (old === now) return { before: old, after: now }
  const fitsAny = (bytes: Uint8Array, encoding: TextEncoding): boolean =>
    bytes.length === 0 || (encoding !== 'utf-16le' && encoding !== 'utf-16be' && isAscii(bytes))
  return { before: fitsAny(before, now) ? now : old, after: fitsAny(after, old) ? old : now }
}

/**
 * Whether some lines are UTF-8 and others are in a legacy encoding. No editor writes such a file, so a merge must not
 * either. ASCII lines fit both.
 */
export function mixesEncodings(bytes: Uint8Array): boolean {
  if (lineUnit(bytes) !== 'byte' || isUtf8(bytes)) return false
  const { count, starts } = splitLines(bytes)
  return Array.from({ length: count }, (_, line) => bytes.subarray(starts[line], starts[line + 1])).some(
    (line) => !isAscii(line) && isUtf8(line)
  )
}

/**
 * Decodes content or whole lines of it. A UTF-8 byte order mark is kept as a character; in UTF-16 it belongs to the
 * encoding.
 */
export function decodeAs(bytes: Uint8Array, encoding: TextEncoding): string {
  return decoderOf(encoding, false).decode(bytes)
}

/** The decoded text, null when the content is not text. */
export function readText(bytes: Uint8Array): string | null {
  const encoding = encodingOf(bytes)
  return encoding && decodeAs(bytes, encoding)
}

/** Nearly all Japanese text has hiragana, and its Shift-JIS byte pairs do not occur in European text. */
const HIRAGANA = /[\u3041-\u3093]/

/** Created once: for a small text that costs more than decoding it. */
const DECODERS = new Map<string, InstanceType<typeof TextDecoder>>()

function decoderOf(encoding: TextEncoding, fatal: boolean): InstanceType<typeof TextDecoder> {
  const key = `${encoding} ${fatal}`
  const decoder = DECODERS.get(key) ?? new TextDecoder(encoding, { fatal, ignoreBOM: fatal || encoding === 'utf8' })
  DECODERS.set(key, decoder)
  return decoder
}

function tryDecode(bytes: Uint8Array, encoding: TextEncoding): string | null {
  try {
    return decoderOf(encoding, true).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

function firstUnits(text: string): Uint16Array {
  return Uint16Array.from({ length: Math.min(text.length, SNIFFED) }, (_, at) => text.charCodeAt(at))
}

/**
 * At most one control character per 128 others, git's limit for converting line endings (`convert_is_binary`).
 * Backspace, tab, line feed, form feed, carriage return and escape count as text, and so does a final Ctrl-Z (DOS).
 * Random data has about one in ten.
 */
function isMostlyPrintable(units: Uint8Array | Uint16Array): boolean {
  let controls = 0
  const sniffed = units.subarray(0, SNIFFED)
  for (const unit of sniffed) if ((unit < 0x20 && !TEXT_CONTROLS.has(unit)) || unit === 0x7f) controls++
  if (units.length <= SNIFFED && units.at(-1) === 0x1a) controls--
  return controls <= (sniffed.length - controls) >> 7
}

const TEXT_CONTROLS: ReadonlySet<number> = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x1b])
