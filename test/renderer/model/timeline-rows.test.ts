/** Timeline rows, their positions in the tree, keyboard navigation, and merging of pages. */
import { describe, expect, test } from 'vitest'
import type { Checkpoint } from '../../../src/contract/checkpoint.ts'
import type { ToolCall, Turn } from '../../../src/contract/conversation.ts'
import { entrySentence } from '../../../src/contract/words/timeline.ts'
import { restoreAction } from '../../../src/renderer/model/row-actions.ts'
import { diffQueryOf, entryAbove } from '../../../src/renderer/model/row-targets.ts'
import {
  listShape,
  rowHeight,
  type SelectableRow,
  timelineRows,
  toRailRow,
  treePositions
} from '../../../src/renderer/model/timeline-rows.ts'
import { addOldest, appendOlder, gapOf, replaceNewest } from '../../../src/renderer/state/timeline-pages.ts'
import type { KeyPress } from '../../../src/renderer/ui/keys.ts'
import { listMove, typeAhead } from '../../../src/renderer/ui/list-keys.ts'
import { press } from '../commands/press.ts'
import { call as makeCall } from '../conversation/make.ts'
import { drift, makeCheckpoint, NOON, restore, run } from './make.ts'

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
  test('entries are grouped by day; the open run shows its turns, newest first, and its start', () => {
    const entries = [run('b', 20, { turns: 2 }), run('a', 10, { at: NOON - 86_400_000 })]
    const rows = timelineRows(entries, { run: 'b', turns: [turn('t1', 20), turn('t2', 25)] }, NOON)
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

  test('[UI-55] a row whose title needs two lines is higher, and only that', () => {
    const rows = timelineRows([run('b', 20), run('a', 10)], null, NOON, { wraps: ({ id }) => id === 'a' })
    expect(rows.map(rowHeight)).toEqual([28, 48, 68])
    expect(toRailRow(rows[2]!).height).toBe(68)
  })

  test('placeholders of turns keep their keys when the turns are loaded, so that nothing jumps', () => {
    const entries = [run('b', 20, { turns: 3 })]
    const before = timelineRows(entries, { run: 'b', turns: null }, NOON)
    const after = timelineRows(entries, { run: 'b', turns: [turn('1', 1), turn('2', 2), turn('3', 3)] }, NOON)
    expect(before.map(({ key }) => key)).toEqual(after.map(({ key }) => key))
  })

  test('a run with tool calls shows a collapsed turn; expanded, its newest call is first', () => {
    const call = (id: string, turnId: string) => makeCall(id, 'Edit', 0, { turn: turnId })
    const turns = [turn('t1', 20), turn('t2', 25)]
    const calls = [call('a', 't1'), call('b', 't2'), call('c', 't2')]
    const keys = (expanded: string[]) =>
      timelineRows([run('b', 20)], { run: 'b', turns, calls, expanded: new Set(expanded) }, NOON).map(({ key }) => key)
    expect(keys([]).slice(2)).toEqual(['b-turn-2', 'b-turn-1', 'b:start'])
    expect(keys(['b-turn-2']).slice(2)).toEqual(['b-turn-2', 'c', 'b', 'b-turn-1', 'b:start'])
    expect(timelineRows([run('b', 20)], { run: 'b', turns: [turn('t1', 20)], calls: [calls[0]!] }, NOON)).toHaveLength(
      4
    )
  })

  test('[UI-15] checkpoints are one row; expanded, they are grouped by reason, newest first, each with its predecessor', () => {
    const checkpoint = (id: string, reason: Checkpoint['reason'], seq: number) => makeCheckpoint(id, reason, seq)
    const checkpoints = [
      checkpoint('c0', 'run_start', 1),
      checkpoint('c1', 'end_of_turn', 2),
      checkpoint('c2', 'pre_write', 3),
      checkpoint('c3', 'end_of_turn', 4)
    ]
    const rows = (expanded: string[]) =>
      timelineRows([run('b', 20)], { run: 'b', turns: [], checkpoints, expanded: new Set(expanded) }, NOON).slice(2)
    expect(rows([]).map(({ key }) => key)).toEqual(['b-checkpoints', 'b:start'])
    const open = rows(['b-checkpoints'])
    expect(open.map(({ key }) => key)).toEqual(['b-checkpoints', 'c3', 'c1', 'c2', 'b:start'])
    expect(open[1]).toMatchObject({ before: 'c2' })
    expect(diffQueryOf(open[1] as SelectableRow, null)).toEqual({ target: 'c2', to: 'c3' })
    expect(restoreAction(open[1] as SelectableRow)).toEqual({
      label: 'Restore to here…',
      request: { kind: 'restore', target: 'c3' },
      disabledReason: null
    })
  })

  test('a plan is above the turns; a tool call shows the diff of its turn', () => {
    const todos = [{ text: 'Round', status: 'in_progress' as const }]
    const calls = [makeCall('a', 'Edit', 0)]
    const open = { run: 'b', turns: [turn('t1', 20)], calls, todos, expanded: new Set(['b-turn-1']) }
    const rows = timelineRows([run('b', 20)], open, NOON)
    expect(rows.map(({ kind }) => kind)).toEqual(['day', 'entry', 'plan', 'turn', 'call', 'start'])
    expect(diffQueryOf(rows[4] as SelectableRow, null)).toEqual({ target: 't1', scope: 'turn' })
    expect(treePositions(rows, 9).slice(1)).toEqual([
      { level: 1, size: 9, position: 1 },
      { level: 2, size: 3, position: 1 },
      { level: 2, size: 3, position: 2 },
      { level: 3, size: 1, position: 1 },
      { level: 2, size: 3, position: 3 }
    ])
  })

  test('[UI-43] a message of a review is below the turn that got it, also where that turn has no row', () => {
    const reviews = [{ id: 'rev', turn: 't1', route: 'prompt' as const, sentAt: NOON }]
    const kinds = (calls: readonly ToolCall[]) =>
      timelineRows([run('b', 20)], { run: 'b', turns: [turn('t1', 20)], calls, reviews }, NOON).map(({ kind }) => kind)
    expect(kinds([makeCall('a', 'Edit', 0)])).toEqual(['day', 'entry', 'turn', 'review', 'start'])
    expect(kinds([])).toEqual(['day', 'entry', 'review', 'start'])
  })

  test('each of 1,000 tool calls is a row that knows its place among them', () => {
    const calls = Array.from({ length: 1000 }, (_, i) => makeCall(`c${i}`, 'Bash', i))
    const open = { run: 'b', turns: [turn('t1', 20)], calls, expanded: new Set(['b-turn-1']) }
    const rows = timelineRows([run('b', 20)], open, NOON)
    expect(rows).toHaveLength(1004)
    expect(treePositions(rows, 1)[500]).toEqual({ level: 3, size: 1000, position: 498 })
  })

  test('every row has a level, a number of siblings and a number of its own', () => {
    const rows = timelineRows([run('b', 20), run('a', 10)], { run: 'b', turns: [] }, NOON)
    expect(treePositions(rows, 500).slice(1)).toEqual([
      { level: 1, size: 500, position: 1 },
      { level: 2, size: 1, position: 1 },
      { level: 1, size: 500, position: 2 }
    ])
  })

  test('a row reads as a sentence', () => {
    expect(entrySentence(run('Add tax', 1, { at: NOON, files: 7, added: 128, deleted: 41 }), NOON)).toBe(
      'Run, Claude Code, Add tax, 12:00, 7 files, 128 added, 41 removed, ended.'
    )
    expect(entrySentence(drift('d', 1), NOON)).toBe('1 file changed outside, a.ts, 12:00, to review.')
    expect(entrySentence(restore('r', 1, 0, { undone: true }), NOON)).toMatch(/, undone\.$/)
  })
})

describe('conversations', () => {
  const prompt = (id: string, seq: number, title: string, session = 's1') =>
    run(id, seq, { title, session, conversation: session === 's1' ? 'add tax' : 'fix login' })
  const b = prompt('b', 20, 'shorter please')
  const a = prompt('a', 10, 'add tax')

  test('[UI-33] adjacent runs of a conversation are below its first prompt, in the order of the log', () => {
    const rows = timelineRows([b, a], { run: 'b', turns: [turn('t1', 20), turn('t2', 25)] }, NOON)
    expect(rows.map(({ key }) => key)).toEqual([
      'day-2026-11-20',
      'conversation-a',
      'b',
      'b-turn-2',
      'b-turn-1',
      'b:start',
      'a'
    ])
    expect(rows[1]).toMatchObject({ title: 'add tax', runs: 2, open: true })
    expect(treePositions(rows, 2).slice(1)).toEqual([
      { level: 1, size: 1, position: 1 },
      { level: 2, size: 2, position: 1 },
      ...[1, 2, 3].map((position) => ({ level: 3, size: 3, position })),
      { level: 2, size: 2, position: 2 }
    ])
  })

  test('[UI-33] a run that another conversation separates from its first prompt has that as its head', () => {
    const rows = timelineRows([b, prompt('x', 15, 'fix login', 's2'), a], null, NOON)
    expect(rows.map(({ key }) => key)).toEqual(['day-2026-11-20', 'conversation-b', 'b', 'x', 'a'])
  })

  test('[UI-33] a collapsed conversation is its head alone; its key stays when a newer prompt is added', () => {
    const collapsed = new Set(['conversation-a'])
    const keys = (entries: ReturnType<typeof run>[]) =>
      timelineRows(entries, null, NOON, { collapsed }).map(({ key }) => key)
    expect(keys([b, a])).toEqual(['day-2026-11-20', 'conversation-a'])
    expect(keys([prompt('c', 30, 'thanks'), b, a])).toEqual(['day-2026-11-20', 'conversation-a'])
  })

  test('[UI-33] Left goes from a run to the head and collapses it, Right expands it; the head can be typed to', () => {
    const shape = listShape(timelineRows([b, a], null, NOON))
    expect(listMove(shape, 2, press('ArrowLeft'), true)).toEqual({ to: 1, extend: false })
    expect(listMove(shape, 3, press('ArrowLeft'), true)).toEqual({ to: 1, extend: false })
    expect(listMove(shape, 1, press('ArrowLeft'), true)).toEqual({ expand: false })
    expect(typeAhead(shape, 3, 'add')).toBe(3)
    const folded = listShape(timelineRows([b, a], null, NOON, { collapsed: new Set(['conversation-a']) }))
    expect(listMove(folded, 1, press('ArrowRight'), true)).toEqual({ expand: true })
  })
})

describe('the gap', () => {
  const entry = (n: number) => run(`r${n}`, n)
  const page = (ids: readonly number[], total: number, more: boolean) => ({ entries: ids.map(entry), more, total })

  test('[UI-34] has the height of the entries that are not loaded; keys and the tree count past it', () => {
    const rows = timelineRows([entry(9)], null, NOON, { gap: 6, oldest: [entry(2), entry(1)] })
    expect(rows.map(({ kind }) => kind)).toEqual(['day', 'entry', 'gap', 'day', 'entry'])
    expect(rowHeight(rows[2]!)).toBe(7 * 48)
    expect(treePositions(rows, 9).at(-1)).toEqual({ level: 1, size: 9, position: 9 })
    expect(listMove(listShape(rows), 1, press('ArrowDown'), true)).toEqual({ to: 4, extend: false })
    // The end of the oldest changes is known from the entry above, which is not shown.
    expect(entryAbove(rows[4] as SelectableRow, rows)?.id).toBe('r2')
  })

  test('[UI-34] pages of older entries close it, without repeating one', () => {
    const atEnd = addOldest(page([9, 8], 9, true), page([2, 1], 9, true))
    expect(gapOf(atEnd)).toBe(5)
    const nearer = appendOlder(atEnd, page([7, 6, 5], 9, true))
    expect(gapOf(nearer)).toBe(2)
    const closed = appendOlder(nearer, page([4, 3, 2], 9, true))
    expect([closed.entries.map(({ seq }) => seq), closed.more, gapOf(closed)]).toEqual([
      [9, 8, 7, 6, 5, 4, 3, 2, 1],
      false,
      0
    ])
  })

  test('new entries keep the oldest ones, unless these may have changed', () => {
    const atEnd = addOldest(page([9, 8], 9, true), page([2, 1], 9, true))
    expect(replaceNewest(atEnd, page([10, 9], 10, true)).oldest).toHaveLength(2)
    expect(replaceNewest(atEnd, page([10, 9], 10, true), true).oldest).toBeUndefined()
  })
})

describe('keys', () => {
  const move = (all: ReturnType<typeof timelineRows>, at: number, key: KeyPress, letters: boolean) =>
    listMove(listShape(all), at, key, letters)
  const rows = timelineRows([run('b', 20), run('a', 10, { at: NOON - 86_400_000 })], { run: 'b', turns: [] }, NOON)

  test('arrows, J and K skip day headings; Shift extends the selection', () => {
    expect(move(rows, 2, press('ArrowDown'), true)).toEqual({ to: 4, extend: false })
    expect(move(rows, 4, press('Shift+K'), true)).toEqual({ to: 2, extend: true })
    expect(move(rows, 4, press('j'), true)).toEqual({ to: 4, extend: false })
  })

  test('single letters do nothing when they are turned off', () => {
    expect(move(rows, 2, press('j'), false)).toBeNull()
    expect(move(rows, 2, press('ArrowUp'), false)).not.toBeNull()
  })

  test('Left collapses a run or moves to the parent; Right expands it or moves to its first child', () => {
    expect(move(rows, 1, press('ArrowLeft'), true)).toEqual({ expand: false })
    expect(move(rows, 2, press('ArrowLeft'), true)).toEqual({ to: 1, extend: false })
    expect(move(rows, 4, press('ArrowRight'), true)).toEqual({ expand: true })
    expect(move(rows, 1, press('ArrowRight'), true)).toEqual({ to: 2, extend: false })
  })

  test('Right expands a turn with tool calls; Left collapses it, or moves from a call to its turn', () => {
    const calls = [makeCall('x', 'Edit', 0)]
    const at = (expanded: string[]) =>
      timelineRows([run('b', 20)], { run: 'b', turns: [turn('t1', 20)], calls, expanded: new Set(expanded) }, NOON)
    expect(move(at([]), 2, press('ArrowRight'), true)).toEqual({ expand: true })
    const open = at(['b-turn-1'])
    expect(move(open, 2, press('ArrowLeft'), true)).toEqual({ expand: false })
    expect(move(open, 3, press('ArrowLeft'), true)).toEqual({ to: 2, extend: false })
    expect(move(open, 2, press('ArrowRight'), true)).toEqual({ to: 3, extend: false })
    expect(move(open, 4, press('ArrowLeft'), true)).toEqual({ to: 1, extend: false })
  })

  test('typed letters jump to the next matching title and wrap around', () => {
    expect(typeAhead(listShape(rows), 2, 'a')).toBe(4)
    expect(typeAhead(listShape(rows), 5, 'b')).toBe(1)
    expect(typeAhead(listShape(rows), 2, 'zzz')).toBeNull()
  })
})

describe('pages', () => {
  const page = (ids: readonly string[], more: boolean) => ({
    entries: ids.map((id, i) => run(id, 100 - i)),
    more,
    total: 9
  })
  const ids = (pages: { entries: readonly { id: string }[] }) => pages.entries.map(({ id }) => id).join('')

  test('a new first page keeps the older entries', () => {
    const loaded = page([...'defgh'], true)
    expect(ids(replaceNewest(loaded, page([...'cdef'], true)))).toBe('cdefgh')
  })

  test('a first page that does not connect to the loaded entries replaces them, so that none is missing in between', () => {
    expect(ids(replaceNewest(page([...'fgh'], false), page([...'abc'], true)))).toBe('abc')
  })

  test('older entries are added once', () => {
    const pages = appendOlder(page([...'abc'], true), page([...'cde'], false))
    expect(ids(pages)).toBe('abcde')
    expect(pages.more).toBe(false)
  })
})
