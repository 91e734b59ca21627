/**
 * A forked session holds exactly the messages before the cut, on the current branch, and whole tool calls with their
 * results.
 */
import { describe, expect, test } from 'vitest'
import { cutClaudeCode, cutCodex } from '../../../../src/main/engine/agents/fork.ts'

type Record_ = Readonly<Record<string, unknown>>
const lines = (records: readonly Record_[]): string[] => records.map((record) => JSON.stringify(record))
const parsed = (cut: readonly string[]): Record_[] => cut.map((line) => JSON.parse(line) as Record_)

describe('Claude Code', () => {
  const record = (
    uuid: string,
    parentUuid: string | null,
    type: string,
    content: unknown,
    more: Record_ = {}
  ): Record_ => ({
    ...{ uuid, parentUuid, type, sessionId: 'old', message: { role: type, content } },
    ...more
  })
  const result = (uuid: string, parent: string): Record_ =>
    record(uuid, parent, 'user', [{ type: 'tool_result', tool_use_id: uuid }])
  const upTo = (line: number) => ({ line, isNextMessage: true })
  const ids = (cut: readonly string[]): unknown[] => parsed(cut).flatMap((entry) => entry.uuid ?? [])

  test('keeps the records before the cut under the new id, and records without an id', () => {
    const all = lines([
      { type: 'mode', mode: 'x', sessionId: 'old' },
      record('p1', null, 'user', 'one'),
      record('a1', 'p1', 'assistant', [{ type: 'text', text: 'did one' }]),
      { type: 'last-prompt', leafUuid: 'a1', sessionId: 'old' },
      record('p2', 'a1', 'user', 'two'),
      record('a2', 'p2', 'assistant', [{ type: 'text', text: 'did two' }])
    ])
    const cut = [...cutClaudeCode(all, upTo(4), 'new')]
    expect(ids(cut)).toEqual(['p1', 'a1'])
    expect(cut).toHaveLength(4)
    expect(parsed(cut).every((entry) => entry.sessionId === 'new')).toBe(true)
    expect([...cutClaudeCode(all, { line: all.length, isNextMessage: false }, 'new')]).toHaveLength(6)
  })

  test('drops abandoned branches: the agent would resume the newest one', () => {
    const all = lines([
      record('p1', null, 'user', 'one'),
      record('a1', 'p1', 'assistant', [{ type: 'text', text: 'did one' }]),
      record('left', 'a1', 'user', 'a wrong turn'),
      record('left2', 'left', 'assistant', [{ type: 'tool_use', id: 't' }]),
      result('left3', 'left2'),
      { type: 'last-prompt', leafUuid: 'left3', sessionId: 'old' },
      record('p2', 'a1', 'user', 'two'),
      record('a2', 'p2', 'assistant', [{ type: 'text', text: 'did two' }]),
      record('p3', 'a2', 'user', 'three')
    ])
    expect(ids([...cutClaudeCode(all, upTo(8), 'new')])).toEqual(['p1', 'a1', 'p2', 'a2'])
    expect(ids([...cutClaudeCode(all, upTo(6), 'new')])).toEqual(['p1', 'a1'])
    expect([...cutClaudeCode(all, upTo(8), 'new')].join()).not.toContain('left')
  })

  test('keeps every result of parallel calls: models refuse a call without a result', () => {
    const all = lines([
      record('p1', null, 'user', 'one'),
      record('c1', 'p1', 'assistant', [{ type: 'tool_use', id: 'r1' }]),
      record('c2', 'c1', 'assistant', [{ type: 'tool_use', id: 'r2' }]),
      result('r1', 'c1'),
      result('r2', 'c2'),
      record('a1', 'r2', 'assistant', [{ type: 'text', text: 'both' }]),
      record('p2', 'a1', 'user', 'two')
    ])
    expect(ids([...cutClaudeCode(all, upTo(6), 'new')])).toEqual(['p1', 'c1', 'c2', 'r1', 'r2', 'a1'])
  })

  test('keeps the part that the agent kept when it compacted', () => {
    const all = lines([
      record('p1', null, 'user', 'one'),
      record('a1', 'p1', 'assistant', [{ type: 'text', text: 'did one' }]),
      {
        type: 'system',
        subtype: 'compact_boundary',
        uuid: 'b',
        parentUuid: null,
        logicalParentUuid: 'a1',
        sessionId: 'old'
      },
      record('s', 'b', 'user', 'summary', { isCompactSummary: true }),
      record('p2', 's', 'user', 'two'),
      record('a2', 'p2', 'assistant', [{ type: 'text', text: 'did two' }]),
      record('p3', 'a2', 'user', 'three')
    ])
    expect(ids([...cutClaudeCode(all, upTo(6), 'new')])).toEqual(['p1', 'a1', 'b', 's', 'p2', 'a2'])
    expect(ids([...cutClaudeCode(all, upTo(4), 'new')])).toEqual(['p1', 'a1', 'b', 's'])
  })

  test('a line that is not JSON does not end the file', () => {
    const all = [
      ...lines([record('p1', null, 'user', 'one')]),
      'not json',
      ...lines([record('p2', 'p1', 'user', 'two')])
    ]
    expect([...cutClaudeCode(all, upTo(2), 'new')][1]).toBe('not json')
  })
})

describe('Codex', () => {
  const event = (type: string, more: Record_ = {}): Record_ => ({ type: 'event_msg', payload: { type, ...more } })
  const all = lines([
    { type: 'session_meta', payload: { id: 'old', session_id: 'old', cwd: '/p', base_instructions: { text: 'x' } } },
    event('task_started', { turn_id: '1' }),
    { type: 'turn_context', payload: {} },
    event('item_completed', { item: { type: 'UserMessage', id: 'm1' } }),
    event('task_complete', { turn_id: '1' }),
    event('task_started', { turn_id: '2' }),
    { type: 'response_item', payload: { type: 'message', role: 'user' } },
    event('item_completed', { item: { type: 'UserMessage', id: 'm2' } })
  ])
  const at = new Date('2026-11-20T12:00:00Z')

  test('ends before the turn of the prompt, and names its origin', () => {
    const cut = [...cutCodex(all, 7, 'new', at)]
    expect(cut).toHaveLength(5)
    expect(parsed(cut)[0]).toEqual({
      type: 'session_meta',
      payload: {
        ...{ id: 'new', session_id: 'new', forked_from_id: 'old', timestamp: at.toISOString() },
        ...{ cwd: '/p', base_instructions: { text: 'x' } }
      }
    })
    expect(cut.slice(1)).toEqual(all.slice(1, 5))
    expect([...cutCodex(all, all.length, 'new', at)]).toHaveLength(all.length)
  })

  test('a cut between turns drops nothing else', () => {
    expect([...cutCodex(all, 5, 'new', at)]).toHaveLength(5)
    const rest = lines([{ type: 'response_item', payload: { type: 'message' } }])
    expect([...cutCodex([...all.slice(0, 5), ...rest], 5, 'new', at)]).toHaveLength(5)
  })
})
