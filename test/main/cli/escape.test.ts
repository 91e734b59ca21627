import { describe, expect, test } from 'vitest'
import { escapeJson, escapeLine, escapeText, shownPath } from '../../../src/main/cli/escape.ts'

describe('text from projects cannot control a terminal', () => {
  test('control characters become visible escapes', () => {
    expect(escapeLine('a\u001b[2Jb')).toBe('a\\x1b[2Jb')
    expect(escapeLine('a\nb\tc\rd\u0007\u007f\u009b')).toBe('a\\nb\\tc\\rd\\x07\\x7f\\x9b')
  })

  test('bidirectional and invisible characters become visible escapes', () => {
    expect(escapeLine('evil\u202etxt.exe')).toBe('evil\\u202etxt.exe')
    expect(escapeLine('\u2066a\u2069\u200f\u061c\u200b\ufeff\u2028')).toBe(
      '\\u2066a\\u2069\\u200f\\u061c\\u200b\\ufeff\\u2028'
    )
    expect(escapeLine('tag\u{e0041}')).toBe('tag\\udb40\\udc41')
  })

  test('a lone surrogate is escaped, a surrogate pair is kept', () => {
    expect(escapeLine('\ud83d')).toBe('\\ud83d')
    expect(escapeLine('\udc4d')).toBe('\\udc4d')
    expect(escapeLine('👍 naïve 日本 עברית')).toBe('👍 naïve 日本 עברית')
  })

  test('text of several lines keeps only line breaks and tabs', () => {
    expect(escapeText('a\n\tb\r\u001b')).toBe('a\n\tb\\r\\x1b')
  })

  test('escaped JSON has the same value and no control characters', () => {
    const value = { 'k\u202e': 'a\u001b\u007f\u009b\u2028\n"\\', list: ['👍', '\ud83d'] }
    const text = escapeJson(JSON.stringify(value, null, 2))
    expect(JSON.parse(text)).toEqual(value)
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/)
  })

  test('a path in a command that is printed is one word, without control characters', () => {
    expect(shownPath('/tmp/my \u001b[2J')).toMatch(/^(['"])\/tmp\/my \\x1b\[2J\1$/)
  })
})
