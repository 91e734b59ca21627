/** Decodes a file to text and encodes it again without changing any byte that was not edited: it keeps encoding and byte order mark. */

/** `bytes`: not UTF-8 and without a mark; each byte is one character (U+0000 to U+00FF), so that it survives unchanged. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'bytes'

export interface FileText {
  readonly text: string
  readonly encoding: Encoding
  /** The file begins with a byte order mark. `text` does not contain it. */
  readonly hasBom: boolean
}

/** null when the file is not text: it contains a zero byte, or is invalid UTF-16. */
export function textOfBytes(bytes: Uint8Array): FileText | null {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null
  if (utf16) {
    const text = bytes.length % 2 === 0 ? decode(bytes.subarray(2), utf16) : null
    return text === null ? null : { text, encoding: utf16, hasBom: true }
  }
  if (bytes.includes(0)) return null
  const hasBom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const text = decode(hasBom ? bytes.subarray(3) : bytes, 'utf-8')
  if (text !== null) return { text, encoding: 'utf-8', hasBom }
  return { text: latin1Text(bytes), encoding: 'bytes', hasBom: false }
}

/** null when the encoding `bytes` has no byte for a character of the text. */
export function bytesOfText({ text, encoding, hasBom }: FileText): Uint8Array | null {
  switch (encoding) {
    case 'utf-8': {
      const bytes = new TextEncoder().encode(text)
      return hasBom ? withMark([0xef, 0xbb, 0xbf], bytes) : bytes
    }
    case 'utf-16le':
    case 'utf-16be':
      return withMark(encoding === 'utf-16le' ? [0xff, 0xfe] : [0xfe, 0xff], encodeUtf16(text, encoding === 'utf-16le'))
    case 'bytes': {
      const bytes = new Uint8Array(text.length)
      for (let at = 0; at < text.length; at++) {
        const unit = text.charCodeAt(at)
        if (unit > 0xff) return null
        bytes[at] = unit
      }
      return bytes
    }
  }
}

function decode(bytes: Uint8Array, encoding: 'utf-8' | 'utf-16le' | 'utf-16be'): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    // With `fatal`, TextDecoder throws TypeError for bytes that are invalid in this encoding.
    if (error instanceof TypeError) return null
    throw error
  }
}

function latin1Text(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return text
}

function encodeUtf16(text: string, little: boolean): Uint8Array {
  const bytes = new Uint8Array(text.length * 2)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), little)
  return bytes
}

function withMark(mark: readonly number[], bytes: Uint8Array): Uint8Array {
  const all = new Uint8Array(mark.length + bytes.length)
  all.set(mark)
  all.set(bytes, mark.length)
  return all
}
