/** The rail of the timeline follows from the rows alone. */
import { describe, expect, test } from 'vitest'
import type { TimelineEntry } from '../../../src/contract/timeline.ts'
import { layOutRail, type RailPath } from '../../../src/renderer/model/rail.ts'
import { type OpenRun, rowHeight, timelineRows, toRailRow } from '../../../src/renderer/model/timeline-rows.ts'
import { drift, NOON, restore, run } from './make.ts'

function line(entries: readonly TimelineEntry[], open: OpenRun | null = null, more = false) {
  const rows = timelineRows(entries, open, NOON)
  const rails = layOutRail(rows.map(toRailRow), { more })
  const segment = (key: string) => rails[rows.findIndex((row) => row.key === key)]
  const of = (key: string): readonly RailPath[] => segment(key)?.paths ?? []
  return { rows, rails, of, segment, kinds: (key: string) => of(key).map(({ style }) => style) }
}

/** x of each solid path that crosses the edge between two rows. */
function crossings(paths: readonly RailPath[], edge: 'top' | 'bottom', height: number): number[] {
  const found = new Set<number>()
  for (const { style, d } of paths) {
    if (style === 'off') continue
    for (const [x, y] of endPoints(d)) if (y === (edge === 'top' ? 0 : height)) found.add(x)
  }
  return [...found].sort((a, b) => a - b)
}

/** End points of every command of a path made of M, V, C and S. */
function endPoints(d: string): [number, number][] {
  const points: [number, number][] = []
  let x = 0
  for (const [, letter, rest] of d.matchAll(/([MVCS])([^MVCS]*)/g)) {
    const numbers = (rest ?? '').trim().split(/\s+/).map(Number)
    if (letter === 'V') points.push([x, numbers[0] ?? 0])
    else {
      x = numbers.at(-2) ?? 0
      points.push([x, numbers.at(-1) ?? 0])
    }
  }
  return points
}

describe('the rail', () => {
  test('runs straight through runs, begins at the newest and ends at the oldest', () => {
    const { of } = line([run('c', 30), run('b', 20), run('a', 10)])
    expect(of('c')).toEqual([{ style: 'axis', d: 'M18 24V48' }])
    expect(of('b')).toEqual([{ style: 'axis', d: 'M18 0V48' }])
    expect(of('a')).toEqual([{ style: 'axis', d: 'M18 0V24' }])
  })

  test('continues below the last row while older entries are not loaded', () => {
    const { of } = line([run('b', 20), run('a', 10)], null, true)
    expect(of('a')).toEqual([{ style: 'axis', d: 'M18 0V48' }])
  })

  test('is not drawn above the newest entry, but passes later days', () => {
    const { rows, rails } = line([run('b', 20), run('a', 10, { at: NOON - 86_400_000 })])
    const days = rows.flatMap((row, index) => (row.kind === 'day' ? [rails[index]?.paths] : []))
    expect(days).toEqual([[], [{ style: 'axis', d: 'M18 0V28' }]])
  })

  test('bends to the right at an outside change, amber until it is reviewed', () => {
    const { kinds, of } = line([run('b', 20), drift('d', 15), drift('e', 12, 'accepted'), run('a', 10)])
    expect(kinds('d')).toEqual(['off', 'warn'])
    expect(kinds('e')).toEqual(['off', 'axis'])
    expect(of('d')[1]?.d).toContain('28 24')
  })

  test('hangs off the axis at its top while the disk differs from the recorded head', () => {
    const { of } = line([drift('d', 15), run('a', 10)])
    expect(of('d').map(({ d }) => d)[1]).toMatch(/^M28 24C.* 18 48$/)
  })

  test('leads left around the rows a restore undid; their axis is dotted', () => {
    const { kinds, segment } = line([run('new', 60), restore('r', 50, 20), run('c', 40), run('b', 30), run('a', 20)])
    expect(kinds('new')).toEqual(['axis'])
    expect(kinds('r')).toEqual(['axis', 'off', 'back'])
    expect(kinds('c')).toEqual(['off', 'back'])
    expect(kinds('b')).toEqual(['off', 'back'])
    expect(kinds('a')).toEqual(['off', 'back'])
    expect(['new', 'r', 'c', 'b', 'a'].filter((key) => segment(key)?.bypassed)).toEqual(['c', 'b'])
  })

  test('a run that began exactly at the restored position is bypassed when it was undone', () => {
    const { of } = line([restore('r', 50, 40), run('c', 40, { undone: true }), run('b', 30)])
    expect(of('c')).toEqual([
      { style: 'off', d: 'M18 0V48' },
      { style: 'back', d: 'M4 0V48' }
    ])
    expect(of('b')[1]?.d).toMatch(/^M4 0C/)
  })

  test.each([
    ['undone', { undone: true }],
    ['refused', { state: 'refused' }],
    ['failed', { state: 'failed' }]
  ] as const)('a restore that is %s leaves the line straight', (_name, more) => {
    const { kinds } = line([restore('r', 50, 20, more), run('b', 30), run('a', 20)])
    expect(kinds('b')).toEqual(['axis'])
  })

  test('a run undone on its own is bypassed alone, expanded or not', () => {
    const entries = [
      restore('r', 50, null, { act: 'undo-run' }),
      run('c', 40),
      run('b', 30, { undone: true }),
      run('a', 20)
    ]
    const closed = line(entries)
    expect(closed.kinds('c')).toEqual(['axis'])
    expect(closed.kinds('b')).toEqual(['off', 'back'])
    expect(closed.kinds('a')).toEqual(['axis'])
    const open = line(entries, { run: 'b', turns: [] })
    expect(open.kinds('b')).toEqual(['off', 'back'])
    expect(open.kinds('b:start')).toEqual(['off', 'back'])
  })

  test('a restore inside the detour of another restore starts no detour of its own', () => {
    const { kinds } = line([restore('s', 60, 10), restore('r', 50, 20), run('b', 30), run('a', 10)])
    expect(kinds('r')).toEqual(['off', 'back'])
    expect(kinds('b')).toEqual(['off', 'back'])
  })

  test('never breaks between two rows, whatever the history', () => {
    const histories: TimelineEntry[][] = [
      [run('c', 30), drift('d', 25), restore('r', 24, 10), run('b', 20), drift('e', 15, 'accepted'), run('a', 10)],
      [restore('s', 60, 30), restore('r', 50, 20), run('b', 30, { undone: true }), run('a', 20), run('z', 5)],
      [restore('r', 50, null), run('b', 30, { undone: true }), drift('d', 20), run('a', 10, { undone: true })],
      [drift('d', 90), restore('s', 80, 40), run('c', 70), restore('r', 40, 10), run('b', 30), run('a', 10)]
    ]
    for (const entries of histories) {
      for (const open of [null, ...entries.map(({ id }) => ({ run: id, turns: [] }))]) {
        const { rows, rails } = line(entries, open, true)
        for (let i = 1; i < rows.length; i++) {
          const above = rows[i - 1]
          const below = rows[i]
          if (!above || !below || (i === 1 && above.kind === 'day')) continue
          const bottom = crossings(rails[i - 1]?.paths ?? [], 'bottom', rowHeight(above))
          const top = crossings(rails[i]?.paths ?? [], 'top', rowHeight(below))
          expect(bottom, `${above.key} → ${below.key}`).toEqual(top)
          expect(bottom.length).toBeGreaterThan(0)
        }
      }
    }
  })

  test('10,000 entries have a segment each, none of them empty', () => {
    const entries = Array.from({ length: 10_000 }, (_, i): TimelineEntry => {
      const seq = (10_000 - i) * 10
      return i % 50 === 7
        ? restore(`r${i}`, seq, seq - 35)
        : i % 40 === 3
          ? drift(`d${i}`, seq, 'accepted')
          : run(`x${i}`, seq)
    })
    const { rows, rails } = line(entries)
    expect(rows.filter(({ kind }) => kind === 'entry')).toHaveLength(10_000)
    expect(rails).toHaveLength(rows.length)
    expect(rails.slice(1).every(({ paths }) => paths.length > 0)).toBe(true)
  })
})
