/** Bytes of a file as text and back, so that every byte that is not edited stays: encoding and byte order mark are the file's. */

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'bytes'

export interface FileText {
  readonly text: string
  readonly encoding: Encoding
  /** It begins with a byte order mark, which is no part of the text. */
  readonly hasBom: boolean
}

/** Null for what is no text. Bytes that are no UTF-8 become one character each. */
export function textOfBytes(bytes: Uint8Array): FileText | null {
  const wide =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null
  if (wide) {
    const text = bytes.length % 2 === 0 ? decoded(bytes.subarray(2), wide) : null
    return text === null ? null : { text, encoding: wide, hasBom: true }
  }
  if (bytes.includes(0)) return null
  const hasBom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const text = decoded(hasBom ? bytes.subarray(3) : bytes, 'utf-8')
  if (text !== null) return { text, encoding: 'utf-8', hasBom }
  return { text: bytesAsText(bytes), encoding: 'bytes', hasBom: false }
}

/** Null when the text has a character that this file's encoding is not known to have. */
export function bytesOfText({ text, encoding, hasBom }: FileText): Uint8Array | null {
  switch (encoding) {
    case 'utf-8': {
      const bytes = new TextEncoder().encode(text)
      return hasBom ? joined([0xef, 0xbb, 0xbf], bytes) : bytes
    }
    case 'utf-16le':
    case 'utf-16be':
      return joined(encoding === 'utf-16le' ? [0xff, 0xfe] : [0xfe, 0xff], wideBytes(text, encoding === 'utf-16le'))
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

function decoded(bytes: Uint8Array, encoding: 'utf-8' | 'utf-16le' | 'utf-16be'): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    // What is not this encoding.
    if (error instanceof TypeError) return null
    throw error
  }
}

function bytesAsText(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return text
}

function wideBytes(text: string, little: boolean): Uint8Array {
  const bytes = new Uint8Array(text.length * 2)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), little)
  return bytes
}

function joined(mark: readonly number[], bytes: Uint8Array): Uint8Array {
  const all = new Uint8Array(mark.length + bytes.length)
  all.set(mark)
  all.set(bytes, mark.length)
  return all
}
