import { expect, test } from 'vitest'
import {
  MAX_SHOWN_CHARS,
  shortenMessage,
  splitInlineCode,
  splitMessage
} from '../../../src/renderer/ui/message-text.tsx'

test('fenced blocks are code; everything else stays as written', () => {
  expect(splitMessage('# Title\n\n```ts\nconst a = `b`\n```\n* point <b>')).toEqual([
    { kind: 'text', text: '# Title' },
    { kind: 'code', text: 'const a = `b`', language: 'ts' },
    { kind: 'text', text: '* point <b>' }
  ])
})

test('a block without an end is code; a longer fence may contain shorter ones', () => {
  expect(splitMessage('```\nhalf')).toEqual([{ kind: 'code', text: 'half', language: '' }])
  expect(splitMessage('````\n```\nx\n```\n````')).toEqual([{ kind: 'code', text: '```\nx\n```', language: '' }])
})

test('backticks enclose code within a line; a single backtick is text', () => {
  expect(splitInlineCode('run `npm test` now')).toEqual([
    { text: 'run ', code: false },
    { text: 'npm test', code: true },
    { text: ' now', code: false }
  ])
  expect(splitInlineCode('a ` b')).toEqual([{ text: 'a ` b', code: false }])
})

test('a very long message is cut at a line near the limit, a short one never', () => {
  const line = `${'x'.repeat(99)}\n`
  expect(shortenMessage(line.repeat(100)).length).toBeLessThanOrEqual(MAX_SHOWN_CHARS)
  expect(shortenMessage(line.repeat(100)).endsWith('x')).toBe(true)
  expect(shortenMessage('y'.repeat(9000))).toHaveLength(MAX_SHOWN_CHARS)
  expect(shortenMessage('short')).toBe('short')
})
