/** What messages and tool calls say, and where the keys of a conversation lead. */
import { describe, expect, test } from 'vitest'
import {
  callDetails,
  callEnd,
  callFiles,
  callLook,
  callPath,
  duration,
  outputLines,
  writtenNow
} from '../../../src/renderer/features/conversation/call-words.ts'
import { talkMove } from '../../../src/renderer/features/conversation/talk-keys.ts'
import { inlineParts, partsOf, SHOWN_CHARS, shortened } from '../../../src/renderer/features/conversation/text-parts.ts'
import { press } from '../commands/press.ts'
import { NOON } from '../timeline/make.ts'
import { call } from './make.ts'

describe('text', () => {
  test('fenced blocks are code, everything else stays as it was written', () => {
    expect(partsOf('# Title\n\n```ts\nconst a = `b`\n```\n* point <b>')).toEqual([
      { kind: 'text', text: '# Title' },
      { kind: 'code', text: 'const a = `b`', language: 'ts' },
      { kind: 'text', text: '* point <b>' }
    ])
  })

  test('a block that has not ended yet is code already; a longer fence holds shorter ones', () => {
    expect(partsOf('```\nhalf')).toEqual([{ kind: 'code', text: 'half', language: '' }])
    expect(partsOf('````\n```\nx\n```\n````')).toEqual([{ kind: 'code', text: '```\nx\n```', language: '' }])
  })

  test('ticks mark code within a line; a lone tick is a tick', () => {
    expect(inlineParts('run `npm test` now')).toEqual([
      { text: 'run ', code: false },
      { text: 'npm test', code: true },
      { text: ' now', code: false }
    ])
    expect(inlineParts('a ` b')).toEqual([{ text: 'a ` b', code: false }])
  })

  test('a very long message is cut at a line near the limit, a short one never', () => {
    const line = `${'x'.repeat(99)}\n`
    expect(shortened(line.repeat(100)).length).toBeLessThanOrEqual(SHOWN_CHARS)
    expect(shortened(line.repeat(100)).endsWith('x')).toBe(true)
    expect(shortened('y'.repeat(9000))).toHaveLength(SHOWN_CHARS)
    expect(shortened('short')).toBe('short')
  })
})

describe('tool calls', () => {
  test('[UI-1] of what a command printed the last lines show, all that are kept once it is opened; what is missing is said', () => {
    const text = ['1', '2', '3', '4', '5'].join('\n')
    expect(outputLines(null, true)).toEqual({ shown: [], above: '' })
    expect(outputLines({ text: '1\n2', cut: false }, false)).toEqual({ shown: ['1', '2'], above: '' })
    expect(outputLines({ text, cut: true }, false)).toEqual({ shown: ['3', '4', '5'], above: '… 2 more lines' })
    expect(outputLines({ text, cut: false }, true)).toEqual({ shown: ['1', '2', '3', '4', '5'], above: '' })
    expect(outputLines({ text, cut: true }, true).above).toBe('What was printed before is not kept.')
  })

  test('what is written now: what open calls of writing tools name, our own under any name; commands and ends say nothing', () => {
    const open = { state: 'open', endedAt: null } as const
    const now = writtenNow([
      call('c1', 'Write', 0, { ...open, paths: ['a.ts'] }),
      call('c2', 'mcp__driftline__edit_file', 0, { ...open, paths: ['b.ts'] }),
      call('c3', 'apply_patch', 0, { ...open, paths: ['c.ts', 'd.ts'] }),
      call('c4', 'Bash', 0, { ...open, paths: ['e.ts'] }),
      call('c5', 'Edit', 0, { paths: ['f.ts'] }),
      call('c6', 'SomethingElse', 0, { ...open, paths: ['g.ts'] })
    ])
    expect([...now]).toEqual(['a.ts', 'b.ts', 'c.ts', 'd.ts'])
  })

  test('names of six agents become the same verbs; an unknown one is its own', () => {
    const verb = (name: string) => callLook(call('c', name, 0), '').verb
    expect(['Bash', 'run_shell_command', 'shell'].map(verb)).toEqual(['Run', 'Run', 'Run'])
    expect(['Edit', 'replace', 'apply_patch'].map(verb)).toEqual(['Edit', 'Edit', 'Edit'])
    expect(verb('mcp__jira__create')).toBe('mcp__jira__create')
  })

  test('paths are written from the folder; a command keeps its words', () => {
    expect(callLook(call('c', 'Read', 0, { summary: '/w/shop/src/a.ts' }), '/w/shop').what).toBe('src/a.ts')
    expect(callLook(call('c', 'Edit', 0, { summary: '/w/shop/a.ts', paths: ['a.ts'] }), '/w/shop').what).toBe('a.ts')
    expect(callLook(call('c', 'Bash', 0, { summary: 'npm test', paths: ['a.ts'] }), '/w').what).toBe('npm test')
    expect(callLook(call('c', 'TodoWrite', 0, { summary: 'TodoWrite' }), '').what).toBe('')
  })

  test('a command says how many files it changed; opened, which ones and that they are side effects', () => {
    const changed = [
      { path: 'a.ts', attribution: 'inferred' as const },
      { path: 'b.ts', attribution: 'declared' as const }
    ]
    const bash = call('c', 'Bash', 0, { summary: 'npm run gen', changed, changedCount: 5, complete: false })
    expect([callFiles(bash), callPath(bash)]).toEqual(['5 files', 'a.ts'])
    expect(callDetails(bash, '').slice(2)).toEqual([
      'a.ts (side effect)',
      'b.ts',
      'and 3 more files',
      'The folder could not be compared before it ran: an original may be missing.'
    ])
    const edit = call('e', 'Edit', 0, { paths: ['b.ts'], changed: changed.slice(1), changedCount: 1 })
    expect([callFiles(edit), callPath(edit), callDetails(edit, '').length]).toEqual(['', 'b.ts', 2])
    expect(callPath(call('r', 'Read', 0))).toBeNull()
  })

  test('durations are as short as they can be read', () => {
    expect([60, 6800, 42_400, 124_000].map(duration)).toEqual(['0.1 s', '6.8 s', '42 s', '2:04'])
  })

  test('a call says how it ended; one that works says for how long', () => {
    const open = call('c', 'Bash', 0, { state: 'open', endedAt: null, summary: 'npm test' })
    expect(callEnd(open, NOON + 8000)).toBe('8.0 s')
    expect(callEnd(call('c', 'Bash', 0, { state: 'abandoned' }), NOON)).toBe('cut off')
  })
})

describe('keys', () => {
  const move = (key: string, letters = true) => talkMove(3, 10, [0, 4, 8], press(key), letters)

  test('arrows move by rows and stop at the ends, brackets go from prompt to prompt', () => {
    expect([move('ArrowDown'), move('k'), move('End'), move('PageUp')]).toEqual([
      { to: 4 },
      { to: 2 },
      { to: 9 },
      { to: 0 }
    ])
    expect([move(']'), move('[')]).toEqual([{ to: 4 }, { to: 0 }])
    expect(talkMove(8, 10, [0, 4, 8], press(']'), true)).toEqual({ to: 8 })
  })

  test('Enter opens the turn, R restores, arrows to the side show and hide details', () => {
    expect([move('Enter'), move('R'), move('ArrowRight'), move('ArrowLeft')]).toEqual([
      { do: 'open-turn' },
      { do: 'restore' },
      { details: true },
      { details: false }
    ])
  })

  test('single letters do nothing when they are switched off, and keys with Mod are left alone', () => {
    expect([move('r', false), move('j', false)]).toEqual([null, null])
    expect(talkMove(3, 10, [], press('Ctrl+r'), true)).toBeNull()
    expect(talkMove(3, 10, [], press('Ctrl+c'), true)).toEqual({ do: 'copy' })
  })
})
