/**
 * What git writes in a patch: file names (`quote.c`), object ids and binary sections (`diff.c`). And names that `git
 * apply` refuses.
 */
import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { deltas } from './git-delta.ts'

/** What follows the backslash for the control characters from 7 (BEL) on. */
const CONTROLS = 'abtnvfr'

/** Quotes a name in C style if it contains control, quote, backslash or non-ASCII bytes (`core.quotePath`). */
export function quoteName(name: string): string {
  const escaped = escapeName(name)
  return escaped === name ? name : `"${escaped}"`
}

function escapeName(name: string): string {
  let escaped = ''
  for (const byte of Buffer.from(name, 'utf8')) {
    const char = String.fromCharCode(byte)
    if (byte >= 0x20 && byte < 0x7f) escaped += char === '"' || char === '\\' ? `\\${char}` : char
    else escaped += `\\${CONTROLS[byte - 7] ?? byte.toString(8).padStart(3, '0')}`
  }
  return escaped
}

/**
 * A name for the `diff --git` line. Git has to find where the second name begins and fails for a folder whose name ends
 * with a space. Quoted names have a definite end.
 */
export function quoteNameInHeader(name: string): string {
  return name.includes(' /') ? `"${escapeName(name)}"` : quoteName(name)
}

/**
 * A name for a `---` or `+++` line. A name with spaces ends with a tab, or readers would take a part of it for a date.
 */
export function quoteNameInFileLine(name: string): string {
  return name.includes(' ') ? `${quoteName(name)}\t` : quoteName(name)
}

// Including names that NTFS treats as these: short names, trailing dots and spaces, streams, backslash as separator.
const DOT_GIT = /^(\.git|git~1)[ .]*(:.*)?$/i
const DOT_GITMODULES = /^(\.gitmodules|gitmod~[1-4]|gi7eba~[1-9])[ .]*(:.*)?$/i

/**
 * Whether `git apply` refuses the whole patch because of this name: anything in `.git`, or a link named .gitmodules.
 */
export function isRefusedByGit(path: string, kind: 'file' | 'symlink'): boolean {
  return path.split(/[/\\]/).some((part) => DOT_GIT.test(part) || (kind === 'symlink' && DOT_GITMODULES.test(part)))
}

/** The object id of absent content. */
export const NULL_ID = '0'.repeat(40)

/** The SHA-1 object id of content. */
export function blobId(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

interface BinaryParts {
  readonly kind: 'delta' | 'literal'
  /** Of the new version and of the old one. */
  readonly parts: readonly [Uint8Array, Uint8Array]
}

/**
 * What turns the old version into the new one, then the reverse, which lets `git apply -R` work: each as a delta where a part
 * of the file changed, else in full.
 */
export function binaryParts(before: Uint8Array, after: Uint8Array): BinaryParts {
  const parts = deltas(before, after)
  return parts ? { kind: 'delta', parts } : { kind: 'literal', parts: [after, before] }
}

/** Packs them, which takes a second or two for 32 MB. */
export function binarySection({ kind, parts }: BinaryParts): Buffer {
  return Buffer.concat([Buffer.from('GIT binary patch\n'), ...parts.map((bytes) => encoded(kind, bytes))])
}

const DIGITS = Buffer.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~')
/** Bytes that a line has. */
const LINE = 52

/**
 * Each line starts with the number of its bytes (A-Z: 1 to 26, a-z: 27 to 52), followed by the bytes in git's base 85
 * (`base85.c`): four bytes, big-endian, become five digits; the last group is padded with zeros. An empty line ends them.
 */
function encoded(kind: BinaryParts['kind'], bytes: Uint8Array): Buffer {
  const packed = deflateSync(bytes)
  const header = Buffer.from(`${kind} ${bytes.length}\n`)
  const text = Buffer.allocUnsafe(2 * Math.ceil(packed.length / LINE) + 5 * Math.ceil(packed.length / 4) + 1)
  let to = 0
  for (let from = 0; from < packed.length; from += LINE) {
    const length = Math.min(LINE, packed.length - from)
    text[to++] = length <= 26 ? 64 + length : 70 + length
    for (let at = from; at < from + length; at += 4, to += 5) writeGroup(text, to, groupAt(packed, at))
    text[to++] = LINE_FEED
  }
  text[to] = LINE_FEED
  return Buffer.concat([header, text])
}

const LINE_FEED = 10

function groupAt(bytes: Buffer, at: number): number {
  if (at + 4 <= bytes.length) return bytes.readUInt32BE(at)
  let value = 0
  for (let i = at; i < at + 4; i++) value = value * 256 + (bytes[i] ?? 0)
  return value
}

function writeGroup(text: Buffer, to: number, value: number): void {
  let rest = value
  for (let digit = to + 4; digit >= to; digit--) {
    text[digit] = DIGITS[rest % 85] as number
    rest = Math.floor(rest / 85)
  }
}
