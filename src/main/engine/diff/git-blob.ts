/** Git's object ids and `GIT binary patch` sections, as git's `diff.c` writes them. */
import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

/** The object id of absent content. */
export const NULL_ID = '0'.repeat(40)

/** The SHA-1 object id of content. */
export function blobId(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

/** Both versions in full, the new one first. The old one lets `git apply -R` work. */
export function binarySection(before: Uint8Array, after: Uint8Array): string {
  return `GIT binary patch\n${literal(after)}${literal(before)}`
}

/** Each line starts with the number of its bytes (A-Z: 1 to 26, a-z: 27 to 52), followed by the bytes in base 85. */
function literal(bytes: Uint8Array): string {
  const packed = deflateSync(bytes)
  const lines = [`literal ${bytes.length}\n`]
  for (let at = 0; at < packed.length; at += 52) {
    const chunk = packed.subarray(at, at + 52)
    const length = chunk.length <= 26 ? 64 + chunk.length : 70 + chunk.length
    lines.push(`${String.fromCharCode(length)}${base85(chunk)}\n`)
  }
  return `${lines.join('')}\n`
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~'

/** Git's base 85 (`base85.c`): four bytes, big-endian, become five digits; the last group is padded with zeros. */
function base85(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 4) {
    let value = 0
    for (let i = 0; i < 4; i++) value = value * 256 + (bytes[at + i] ?? 0)
    let group = ''
    for (let i = 0; i < 5; i++) {
      group = DIGITS[value % 85]! + group
      value = Math.floor(value / 85)
    }
    text += group
  }
  return text
}
