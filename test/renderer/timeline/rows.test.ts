/** Rows of the timeline, their places, and where keys lead. */
import { describe, expect, test } from 'vitest'
import type { Checkpoint } from '../../../src/contract/checkpoint.ts'
import type { Turn } from '../../../src/contract/conversation.ts'
import { moveFor, typeAhead } from '../../../src/renderer/features/timeline/moves.ts'
import { diffOf, restoreOffer } from '../../../src/renderer/features/timeline/node.ts'
import { withNewest, withOlder } from '../../../src/renderer/features/timeline/pages.ts'
import { placesOf } from '../../../src/renderer/features/timeline/places.ts'
import { type NodeRow, rowsOf } from '../../../src/renderer/features/timeline/rows.ts'
import { entrySentence } from '../../../src/renderer/features/timeline/sentences.ts'
import { press } from '../commands/press.ts'
import { call as makeCall } from '../conversation/make.ts'
import { drift, makePoint, NOON, restore, run } from './make.ts'

const turn = (id: string, startSeq: number): Turn => ({
  id,
  prompt: id,
  at: NOON,
  endedAt: null,
  startSeq,
  files: 1,
  session: null,
  message: null
})

describe('rows', () => {
  test('entries are grouped by day, the open run shows its turns newest first and its start', () => {
    const entries = [run('b', 20, { turns: 2 }), run('a', 10, { at: NOON - 86_400_000 })]
    const rows = rowsOf(entries, { run: 'b', turns: [turn('t1', 20), turn('t2', 25)] }, NOON)
    expect(rows.map(({ key }) => key)).toEqual([
      'day-2026-11-20',
      'b',
      'b-turn-2',
      'b-turn-1',
      'b:start',
      'day-2026-11-19',
      'a'
    ])
    expect(rows[0]).toMatchObject({ label: 'Today' })
    expect(rows[5]).toMatchObject({ label: 'Yesterday' })
  })

  test('turns that are not loaded yet keep their place, so that nothing jumps when they arrive', () => {
    const entries = [run('b', 20, { turns: 3 })]
    const before = rowsOf(entries, { run: 'b', turns: null }, NOON)
    const after = rowsOf(entries, { run: 'b', turns: [turn('1', 1), turn('2', 2), turn('3', 3)] }, NOON)
    expect(before.map(({ key }) => key)).toEqual(after.map(({ key }) => key))
  })

  test('a run with tool calls shows its turn, closed; opened, the newest call comes first', () => {
    const call = (id: string, turnId: string) => makeCall(id, 'Edit', 0, { turn: turnId })
    const turns = [turn('t1', 20), turn('t2', 25)]
    const calls = [call('a', 't1'), call('b', 't2'), call('c', 't2')]
    const keys = (unfolded: string[]) =>
      rowsOf([run('b', 20)], { run: 'b', turns, calls, unfolded: new Set(unfolded) }, NOON).map(({ key }) => key)
    expect(keys([]).slice(2)).toEqual(['b-turn-2', 'b-turn-1', 'b:start'])
    expect(keys(['b-turn-2']).slice(2)).toEqual(['b-turn-2', 'c', 'b', 'b-turn-1', 'b:start'])
    expect(rowsOf([run('b', 20)], { run: 'b', turns: [turn('t1', 20)], calls: [calls[0]!] }, NOON)).toHaveLength(4)
  })

  test('checkpoints are one row; opened, they are grouped by reason, newest first, each with the one before it', () => {
    const point = (id: string, reason: Checkpoint['reason'], seq: number) => makePoint(id, reason, seq)
    const checkpoints = [
      point('c0', 'run_start', 1),
      point('c1', 'end_of_turn', 2),
      point('c2', 'pre_write', 3),
      point('c3', 'end_of_turn', 4)
    ]
    const rows = (unfolded: string[]) =>
      rowsOf([run('b', 20)], { run: 'b', turns: [], checkpoints, unfolded: new Set(unfolded) }, NOON).slice(2)
    expect(rows([]).map(({ key }) => key)).toEqual(['b-points', 'b:start'])
    const open = rows(['b-points'])
    expect(open.map(({ key }) => key)).toEqual(['b-points', 'c3', 'c1', 'c2', 'b:start'])
    expect(open[1]).toMatchObject({ before: 'c2' })
    expect(diffOf(open[1] as NodeRow, null)).toEqual({ target: 'c2', to: 'c3' })
    expect(restoreOffer(open[1] as NodeRow)).toEqual({
      act: { kind: 'restore', target: 'c3' },
      title: 'Restore to here…'
    })
  })

  test('a plan stands above what was done; a tool call stands for its turn', () => {
    const todos = [{ text: 'Round', status: 'in_progress' as const }]
    const calls = [makeCall('a', 'Edit', 0)]
    const open = { run: 'b', turns: [turn('t1', 20)], calls, todos, unfolded: new Set(['b-turn-1']) }
    const rows = rowsOf([run('b', 20)], open, NOON)
    expect(rows.map(({ kind }) => kind)).toEqual(['day', 'entry', 'plan', 'turn', 'call', 'start'])
    expect(diffOf(rows[4] as NodeRow, null)).toEqual({ target: 't1', scope: 'turn' })
    expect(placesOf(rows, 9).slice(1)).toEqual([
      { level: 1, size: 9, position: 1 },
      { level: 2, size: 3, position: 1 },
      { level: 2, size: 3, position: 2 },
      { level: 3, size: 1, position: 1 },
      { level: 2, size: 3, position: 3 }
    ])
  })

  test('a run of 1,000 tool calls is laid out in a moment', () => {
    const calls = Array.from({ length: 1000 }, (_, i) => makeCall(`c${i}`, 'Bash', i))
    const open = { run: 'b', turns: [turn('t1', 20)], calls, unfolded: new Set(['b-turn-1']) }
    const from = performance.now()
    const rows = rowsOf([run('b', 20)], open, NOON)
    expect(rows).toHaveLength(1004)
    expect(placesOf(rows, 1)[500]).toEqual({ level: 3, size: 1000, position: 498 })
    expect(performance.now() - from).toBeLessThan(200)
  })

  test('every row knows its level, the number of its siblings and its own number', () => {
    const rows = rowsOf([run('b', 20), run('a', 10)], { run: 'b', turns: [] }, NOON)
    expect(placesOf(rows, 500).slice(1)).toEqual([
      { level: 1, size: 500, position: 1 },
      { level: 2, size: 1, position: 1 },
      { level: 1, size: 500, position: 2 }
    ])
  })

  test('a row reads as a sentence', () => {
    expect(entrySentence(run('Add tax', 1, { at: NOON, files: 7, added: 128, deleted: 41 }), NOON)).toBe(
      'Run, Claude Code, Add tax, 12:00, 7 files, 128 added, 41 removed, ended.'
    )
    expect(entrySentence(drift('d', 1), NOON)).toBe('1 file changed outside, a.ts, 12:00, not reviewed.')
    expect(entrySentence(restore('r', 1, 0, { undone: true }), NOON)).toContain('undone since')
  })
})

describe('keys', () => {
  const rows = rowsOf([run('b', 20), run('a', 10, { at: NOON - 86_400_000 })], { run: 'b', turns: [] }, NOON)

  test('arrows and J K skip the days; Shift extends', () => {
    expect(moveFor(rows, 2, press('ArrowDown'), true)).toEqual({ to: 4, extend: false })
    expect(moveFor(rows, 4, press('Shift+K'), true)).toEqual({ to: 2, extend: true })
    expect(moveFor(rows, 4, press('j'), true)).toEqual({ to: 4, extend: false })
  })

  test('single letters do nothing when they are switched off', () => {
    expect(moveFor(rows, 2, press('j'), false)).toBeNull()
    expect(moveFor(rows, 2, press('ArrowUp'), false)).not.toBeNull()
  })

  test('left closes a run and climbs out of it, right opens it and goes in', () => {
    expect(moveFor(rows, 1, press('ArrowLeft'), true)).toEqual({ fold: true })
    expect(moveFor(rows, 2, press('ArrowLeft'), true)).toEqual({ to: 1, extend: false })
    expect(moveFor(rows, 4, press('ArrowRight'), true)).toEqual({ fold: false })
    expect(moveFor(rows, 1, press('ArrowRight'), true)).toEqual({ to: 2, extend: false })
  })

  test('right opens a turn with tool calls, left closes it, and climbs from a call to its turn', () => {
    const calls = [makeCall('x', 'Edit', 0)]
    const at = (unfolded: string[]) =>
      rowsOf([run('b', 20)], { run: 'b', turns: [turn('t1', 20)], calls, unfolded: new Set(unfolded) }, NOON)
    expect(moveFor(at([]), 2, press('ArrowRight'), true)).toEqual({ fold: false })
    const open = at(['b-turn-1'])
    expect(moveFor(open, 2, press('ArrowLeft'), true)).toEqual({ fold: true })
    expect(moveFor(open, 3, press('ArrowLeft'), true)).toEqual({ to: 2, extend: false })
    expect(moveFor(open, 2, press('ArrowRight'), true)).toEqual({ to: 3, extend: false })
    expect(moveFor(open, 4, press('ArrowLeft'), true)).toEqual({ to: 1, extend: false })
  })

  test('typed letters jump to the next title and wrap round', () => {
    expect(typeAhead(rows, 1, 'a')).toBe(4)
    expect(typeAhead(rows, 4, 'b')).toBe(1)
    expect(typeAhead(rows, 1, 'zzz')).toBeNull()
  })
})

describe('pages', () => {
  const page = (ids: readonly string[], more: boolean) => ({
    entries: ids.map((id, i) => run(id, 100 - i)),
    more,
    total: 9
  })
  const ids = (pages: { entries: readonly { id: string }[] }) => pages.entries.map(({ id }) => id).join('')

  test('a newer first page leaves older entries where they are', () => {
    const loaded = page([...'defgh'], true)
    expect(ids(withNewest(loaded, page([...'cdef'], true)))).toBe('cdefgh')
  })

  test('a first page that does not meet what is loaded replaces it: nothing is silently left out', () => {
    expect(ids(withNewest(page([...'fgh'], false), page([...'abc'], true)))).toBe('abc')
  })

  test('older entries are added once', () => {
    const pages = withOlder(page([...'abc'], true), page([...'cde'], false))
    expect(ids(pages)).toBe('abcde')
    expect(pages.more).toBe(false)
  })
})
