/**
 * Decodes a file to text and encodes it again without changing any byte that was not edited: it keeps encoding and byte
 * order mark.
 */
import { isUtf8 } from 'node:buffer'

/**
 * `bytes`: not UTF-8 and without a mark; each byte is one character (U+0000 to U+00FF), so that it survives unchanged.
 */
type Encoding = keyof typeof MARKS

const MARKS = {
  'utf-8': Buffer.of(0xef, 0xbb, 0xbf),
  'utf-16le': Buffer.of(0xff, 0xfe),
  'utf-16be': Buffer.of(0xfe, 0xff),
  bytes: null
} as const

export interface FileText {
  readonly text: string
  readonly encoding: Encoding
  /** The file begins with a byte order mark. `text` does not contain it. */
  readonly hasBom: boolean
}

/** null when the file is not text: it contains a zero byte, or is invalid UTF-16. */
export function textOfBytes(content: Uint8Array): FileText | null {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const startsWith = (mark: Buffer): boolean => bytes.subarray(0, mark.length).equals(mark)
  for (const encoding of ['utf-16le', 'utf-16be'] as const) {
    if (!startsWith(MARKS[encoding])) continue
    if (bytes.length % 2 === 1) return null
    const units = bytes.subarray(2)
    const text = (encoding === 'utf-16le' ? units : Buffer.from(units).swap16()).toString('utf16le')
    return text.isWellFormed() ? { text, encoding, hasBom: true } : null
  }
  if (bytes.includes(0)) return null
  if (!isUtf8(bytes)) return { text: bytes.toString('latin1'), encoding: 'bytes', hasBom: false }
  const hasBom = startsWith(MARKS['utf-8'])
  return { text: bytes.toString('utf8', hasBom ? 3 : 0), encoding: 'utf-8', hasBom }
}

/** null when the encoding `bytes` has no byte for a character of the text. */
export function bytesOfText({ text, encoding, hasBom }: FileText): Uint8Array | null {
  if (encoding === 'bytes') return /[^\0-\xff]/.test(text) ? null : Buffer.from(text, 'latin1')
  const bytes = Buffer.from(text, encoding === 'utf-8' ? 'utf8' : 'utf16le')
  if (encoding === 'utf-16be') bytes.swap16()
  return hasBom ? Buffer.concat([MARKS[encoding], bytes]) : bytes
}
