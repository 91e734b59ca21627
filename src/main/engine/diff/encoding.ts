/**
 * Whether content is text, and in which encoding it reads best. Only for showing and counting: lines are compared, kept
 * and put back as the bytes they are, so a wrong guess shows wrong letters and nothing worse.
 */
import type { Encodings, TextEncoding } from '../../../contract/diff.ts'
import { sniffType } from './content-type.ts'
import { lineUnit, splitLines } from './lines.ts'

/** How much of content is looked at for what text does not hold; as in git (`buffer_is_binary`). */
const SNIFFED = 8000

/**
 * Null for content that is no text. In this order:
 * a UTF-16 byte order mark: UTF-16, or no text when it is not valid or holds a NUL;
 * a NUL in the first 8000 bytes: no text (git's rule for diffs);
 * valid UTF-8: that;
 * a known signature, or too many control characters: no text;
 * else an older encoding nobody named: Shift-JIS when all of it fits and it has hiragana, else Windows-1252, which fits anything.
 */
export function encodingOf(bytes: Uint8Array): TextEncoding | null {
  const unit = lineUnit(bytes)
  if (unit !== 'byte') {
    const text = decoded(bytes, unit)
    return text !== null && !text.includes('\0') && isMostlyPrintable(unitsOf(text)) ? unit : null
  }
  if (bytes.subarray(0, SNIFFED).includes(0)) return null
  if (decoded(bytes, 'utf8') !== null) return 'utf8'
  if (sniffType(bytes) !== 'data' || !isMostlyPrintable(bytes)) return null
  return HIRAGANA.test(decoded(bytes, 'shift_jis') ?? '') ? 'shift_jis' : 'windows-1252'
}

export function isText(bytes: Uint8Array): boolean {
  return encodingOf(bytes) !== null
}

/** Of two texts. One without a letter that tells its encoding has the other one's. */
export function encodingsOf(before: Uint8Array, after: Uint8Array): Encodings {
  const [old, now] = [encodingOf(before) ?? 'utf8', encodingOf(after) ?? 'utf8']
  const tellsNothing = (bytes: Uint8Array, encoding: TextEncoding): boolean =>
    bytes.length === 0 || (encoding !== 'utf-16le' && encoding !== 'utf-16be' && isAscii(bytes))
  return { before: tellsNothing(before, now) ? now : old, after: tellsNothing(after, old) ? old : now }
}

/**
 * Some of its lines are UTF-8 and others are not: nobody writes that, so a merge must not either. Lines without any letter
 * beyond ASCII are both.
 */
export function mixesEncodings(bytes: Uint8Array): boolean {
  if (lineUnit(bytes) !== 'byte' || decoded(bytes, 'utf8') !== null) return false
  const { count, starts } = splitLines(bytes)
  return Array.from({ length: count }, (_, line) => bytes.subarray(starts[line], starts[line + 1])).some(
    (line) => !isAscii(line) && decoded(line, 'utf8') !== null
  )
}

function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80)
}

/** The letters of content or of whole lines of it. UTF-8 keeps its byte order mark, UTF-16 has it as part of the encoding. */
export function decodeAs(bytes: Uint8Array, encoding: TextEncoding): string {
  return new TextDecoder(LABELS[encoding], { ignoreBOM: encoding === 'utf8' }).decode(bytes)
}

/** The text of content, null for what is no text. */
export function readText(bytes: Uint8Array): string | null {
  const encoding = encodingOf(bytes)
  return encoding && decodeAs(bytes, encoding)
}

const LABELS: Readonly<Record<TextEncoding, string>> = {
  utf8: 'utf-8',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
  'windows-1252': 'windows-1252',
  shift_jis: 'shift_jis'
}

/** Japanese text nearly always has some; as Shift-JIS they are two bytes that no European text has side by side. */
const HIRAGANA = /[\u3041-\u3093]/

function decoded(bytes: Uint8Array, encoding: TextEncoding): string | null {
  try {
    return new TextDecoder(LABELS[encoding], { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

function unitsOf(text: string): Uint16Array {
  return Uint16Array.from({ length: Math.min(text.length, SNIFFED) }, (_, at) => text.charCodeAt(at))
}

/**
 * At most one control character in 128 others, as git asks of text whose line ends it converts (`convert_is_binary`). Backspace,
 * tab, line feed, form feed, carriage return and escape are text, and so is a Ctrl-Z that ends it, as DOS wrote it. Data
 * without any order has one in ten.
 */
function isMostlyPrintable(units: Uint8Array | Uint16Array): boolean {
  let controls = 0
  const sniffed = units.subarray(0, SNIFFED)
  for (const unit of sniffed) if ((unit < 0x20 && !TEXT_CONTROLS.has(unit)) || unit === 0x7f) controls++
  if (units.length <= SNIFFED && units.at(-1) === 0x1a) controls--
  return controls <= (sniffed.length - controls) >> 7
}

const TEXT_CONTROLS: ReadonlySet<number> = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x1b])
