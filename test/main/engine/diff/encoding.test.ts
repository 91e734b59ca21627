/** Which content is text, and what it is read as; lines keep their bytes whatever the guess. */
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeAs,
  encodingOf,
  encodingsOf,
  mixesEncodings,
  readText
} from '../../../../src/main/engine/diff/encoding.ts'
import { lineKey, splitLines } from '../../../../src/main/engine/diff/lines.ts'
import { areBytes, bytesOfPieces, textOf } from '../../../../src/main/engine/diff/woven-text.ts'

const latin = (text: string): Buffer => Buffer.from(text, 'latin1')
const wide = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')
const wideBig = (text: string): Buffer => wide(text).swap16()
/** こんにちは, as an editor in Japan saved it. */
const HELLO = latin('// \x82\xb1\x82\xf1\x82\xc9\x82\xbf\x82\xcd\n')

describe('encodingOf', () => {
  it('UTF-8 is read as that, with or without a byte order mark', () => {
    for (const text of ['', 'plain\r\n', 'grün 🎈', '\ufeffü']) expect(encodingOf(Buffer.from(text))).toBe('utf8')
    expect(readText(Buffer.from('\ufeffü'))).toBe('\ufeffü')
  })

  it('content with a UTF-16 byte order mark is text despite its NUL bytes', () => {
    expect([encodingOf(wide('héllo\r\n')), encodingOf(wideBig('héllo\r\n'))]).toEqual(['utf-16le', 'utf-16be'])
    expect([readText(wide('hé\n')), readText(wideBig('hé\n'))]).toEqual(['hé\n', 'hé\n'])
  })

  it('the mark alone does not make invalid UTF-16, NUL or mostly control characters text', () => {
    expect(encodingOf(wide('a\ud800b'))).toBe(null)
    expect(encodingOf(wide('a\0b'))).toBe(null)
    expect(encodingOf(Buffer.concat([wide(''), Buffer.from([1, 0, 2, 0, 3, 0])]))).toBe(null)
    expect(encodingOf(Buffer.concat([wide('a'), Buffer.from([0x61])]))).toBe(null)
    // The mark of UTF-32 begins with that of UTF-16.
    expect(encodingOf(Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]))).toBe(null)
  })

  it('[git] a NUL in the first 8000 bytes makes it binary, a later one does not', () => {
    expect(encodingOf(latin(`${'a'.repeat(7999)}\0`))).toBe(null)
    expect(encodingOf(latin(`${'a'.repeat(8000)}\0`))).toBe('utf8')
    expect(encodingOf(latin(`\xfc${'a'.repeat(7998)}\0`))).toBe(null)
  })

  it('text that is not UTF-8 is guessed to be Windows-1252', () => {
    expect(encodingOf(latin('gr\xfcn'))).toBe('windows-1252')
    expect(readText(latin('gr\xfcn \x80'))).toBe('grün €')
    expect(encodingOf(Buffer.from([0xed, 0xa0, 0x80]))).toBe('windows-1252')
  })

  it('[git] more than one control character in 128 others makes it binary; tab, page feed and a last Ctrl-Z do not count', () => {
    expect(encodingOf(latin('gr\xfcn\t\f\x1b[0m\r\n\x1a'))).toBe('windows-1252')
    expect(encodingOf(latin('gr\xfcn\x01'))).toBe(null)
    expect(encodingOf(latin(`\xfc${'a'.repeat(127)}\x01`))).toBe('windows-1252')
    expect(encodingOf(latin(`\xfc${'a'.repeat(127)}\x01\x7f`))).toBe(null)
  })

  it('a known signature is believed: a picture or an archive is not text for want of a NUL', () => {
    expect(encodingOf(latin('PK\x03\x04 no nul \xfc here'))).toBe(null)
    expect(encodingOf(latin('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 obj'))).toBe(null)
  })

  it('random bytes without a NUL are binary', () => {
    for (let i = 0; i < 50; i++) expect(encodingOf(randomBytes(9000).map((byte) => byte || 1))).toBe(null)
  })

  it('Shift-JIS is recognized by hiragana, so European text in any code page is not mistaken for it', () => {
    expect(encodingOf(HELLO)).toBe('shift_jis')
    expect(readText(HELLO)).toBe('// こんにちは\n')
    // MS-DOS: für, bâtiment; Windows-1251: привет.
    for (const text of ['f\x81r', 'b\x83timent', '\xef\xf0\xe8\xe2\xe5\xf2'])
      expect([text, encodingOf(latin(text))]).toEqual([text, 'windows-1252'])
  })
})

it('a side that is missing, or without a letter beyond ASCII, is read as the other', () => {
  const of = (before: Buffer, after: Buffer) => Object.values(encodingsOf(before, after))
  expect(of(latin(''), latin('\xfc'))).toEqual(['windows-1252', 'windows-1252'])
  expect(of(latin('u'), latin('\xfc'))).toEqual(['windows-1252', 'windows-1252'])
  expect(of(latin('\xfc'), Buffer.from('ü'))).toEqual(['windows-1252', 'utf8'])
  expect(of(latin('a'), wide('a'))).toEqual(['utf8', 'utf-16le'])
  expect(of(latin(''), wide('a'))).toEqual(['utf-16le', 'utf-16le'])
})

it('detects two encodings in one file', () => {
  expect(mixesEncodings(Buffer.concat([Buffer.from('ü\n'), latin('\xfc\n')]))).toBe(true)
  for (const one of [Buffer.from('ü\na\n'), latin('\xfc\na\n'), wide('ü\n')]) expect(mixesEncodings(one)).toBe(false)
})

describe('lines', () => {
  const TEXT = fc
    .array(fc.constantFrom('a', '\n', '\r\n', 'ü', '\u0a0a', '\u010a', '\u0a00', '漢'))
    .map((all) => all.join(''))

  it('of UTF-16 end at its line feeds, not at letters whose half looks like one', () => {
    fc.assert(
      fc.property(TEXT, fc.boolean(), (text, big) => {
        const bytes = big ? wideBig(text) : wide(text)
        const lines = splitLines(bytes)
        const keys = Array.from({ length: lines.count }, (_, line) => lineKey(lines, line))
        expect(keys).toEqual(`\ufeff${text}`.split(/(?<=\n)/))
        expect(decodeAs(bytes, big ? 'utf-16be' : 'utf-16le')).toBe(text)
      })
    )
  })

  it('of anything return every byte', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.constantFrom([], [0xff, 0xfe], [0xfe, 0xff]), (rest, mark) => {
        const bytes = Buffer.from([...mark, ...rest])
        const text = textOf(splitLines(bytes))
        const lines = Array.from({ length: text.count }, (_, line) => ({ source: text, from: line, to: line + 1 }))
        expect(bytesOfPieces(lines).equals(bytes)).toBe(true)
        expect(areBytes(lines, bytes)).toBe(true)
        expect(text.endsOpen).toBe(text.count > 0 && !lineKey(text.lines, text.count - 1).endsWith('\n'))
      })
    )
  })
})
