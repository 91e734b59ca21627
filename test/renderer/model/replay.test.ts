/** [RP-1] The steps of a replay: times, files, marks, and its address. */
import { expect, test } from 'vitest'
import type { ReplayPage } from '../../../src/contract/replay.ts'
import { stepText } from '../../../src/contract/words/replay.ts'
import {
  changedLines,
  changedSpeed,
  createPlayhead,
  filesAt,
  lastEditOf,
  markFrom,
  marksOf,
  messageAt,
  replayOfText,
  replayToText,
  type Speed,
  type Step,
  stepAtSeq,
  stepAtTime,
  stepsOf,
  stepsOfPaths,
  timeOfStep,
  timesOf,
  visibleMarks,
  withTail
} from '../../../src/renderer/model/replay.ts'

const step = (seq: number, path: string, more: Partial<Step> = {}): Step => ({
  ...{ seq, path, at: seq * 1000, change: 'modified', by: 'own', call: null, added: null, deleted: null },
  ...more
})
const call = (id: string) => ({ id, name: 'Edit', summary: id })

test('a page of edits is read with its paths and calls', () => {
  const page = {
    paths: ['a', 'b'],
    calls: [call('c')],
    edits: [
      [4, 1, 10, 'added', 'own', 0, 3, 0],
      [6, 0, 20, 'modified', 'outside', -1, null, null]
    ] as const
  }
  expect(stepsOf(page)).toEqual([
    step(4, 'b', { at: 10, change: 'added', call: call('c'), added: 3, deleted: 0 }),
    step(6, 'a', { at: 20, by: 'outside' })
  ])
})

test('time passes as recorded, without long pauses, and each edit of a burst has its moment', () => {
  const times = timesOf([0, 10, 20, 1020, 600_000].map((at, i) => step(i + 1, 'a', { at })))
  expect([...times]).toEqual([0, 100, 200, 1200, 3200])
  expect([-1, 0, 99, 100, 1199, 3200, 9999].map((ms) => stepAtTime(times, ms))).toEqual([0, 1, 1, 2, 3, 5, 5])
  for (let at = 0; at <= 5; at++) expect(stepAtTime(times, timeOfStep(times, at))).toBe(at)
  expect([changedSpeed(1, -1), changedSpeed(1, 1), changedSpeed(16, 1), changedSpeed(32, 1)]).toEqual([1, 2, 32, 32])
})

test('[RP-1] a replay that is played at its end stays there, also when its first frame has a time before the start', () => {
  const times = Float64Array.of(0, 100)
  const playTo = createPlayhead(times, 2, 1, 1000)
  expect(playTo(990, 1, times)).toEqual({ step: 2, isMoved: false, isOver: true })
})

test('[RP-1] each frame of a replay leads on from the one before, by no more than a quarter of a second', () => {
  const times = Float64Array.of(0, 100, 1000)
  const playTo = createPlayhead(times, 0, 1, 1000)
  const frame = (now: number, speed: Speed = 1) => Object.values(playTo(now, speed, times))
  expect(frame(1010)).toEqual([1, true, false])
  expect(frame(1020)).toEqual([1, false, false])
  expect(frame(5000)).toEqual([2, true, false])
  expect(frame(5100, 32)).toEqual([3, true, true])
  const back = createPlayhead(times, 2, -1, 1000)
  expect(back(1010, 1, times)).toEqual({ step: 1, isMoved: true, isOver: false })
  expect(back(1110, 1, times)).toEqual({ step: 0, isMoved: true, isOver: true })
})

test('the files at a step are those that differ from the start', () => {
  const steps = [
    step(1, 'b', { change: 'added' }),
    step(2, 'a'),
    step(3, 'b'),
    step(4, 'c', { change: 'deleted' }),
    step(5, 'b', { change: 'deleted' }),
    step(6, 'c', { change: 'added' })
  ]
  const at = (n: number) =>
    filesAt(steps, stepsOfPaths(steps), n).map(({ path, change, seq }) => `${path} ${change} ${seq}`)
  expect([0, 1, 3, 4, 5, 6].map(at)).toEqual([
    [],
    ['b added 1'],
    ['a modified 2', 'b added 3'],
    ['a modified 2', 'b added 3', 'c deleted 4'],
    ['a modified 2', 'c deleted 4'],
    ['a modified 2', 'c modified 6']
  ])
  const last = (path: string, n: number) => lastEditOf(steps, stepsOfPaths(steps), path, n)
  expect([last('b', 4), last('b', 2), last('c', 3), last('x', 3)]).toEqual([3, 1, null, null])
  expect([0, 1, 4, 9].map((seq) => stepAtSeq(steps, seq))).toEqual([0, 1, 4, 6])
})

test('the message of a moment is the newest one at its time', () => {
  const messages = [
    [3, 100],
    [5, 200]
  ] as const
  expect([50, 100, 199, 999].map((at) => messageAt(messages, at))).toEqual([3, 3, 3, 5])
  expect(messageAt([], 1)).toBeNull()
})

test('the lines of an edit are those that it wrote, or the one in the place of what it deleted', () => {
  const lines = (...edited: [number, number][]) => changedLines(edited.map(([from, to]) => ({ from, to })))
  expect(lines([1, 2])).toEqual([2])
  expect(lines([0, 1], [3, 5])).toEqual([1, 4, 5])
  expect(lines([2, 2])).toEqual([2])
  expect(lines([0, 0])).toEqual([1])
  expect(lines()).toEqual([])
})

test('a page that is requested again keeps what was loaded behind it', () => {
  const page = (paths: string[], edits: [number, number][], more: boolean): ReplayPage => ({
    ...{ fromSeq: 0, toSeq: 9, paths, calls: [], more, left: more ? 7 : 0, prompts: [], tests: [], messages: [] },
    edits: edits.map(([seq, path]) => [seq, path, 0, 'modified', 'own', -1, null, null])
  })
  const loaded = page(
    ['a', 'b'],
    [
      [1, 0],
      [2, 1],
      [3, 1]
    ],
    false
  )
  const both = withTail(page(['a'], [[1, 0]], true), loaded)
  expect(stepsOf(both).map(({ seq, path }) => `${seq} ${path}`)).toEqual(['1 a', '2 b', '3 b'])
  expect([both.more, both.left]).toEqual([false, 0])
  expect(withTail(page(['a'], [[1, 0]], false), loaded).edits).toHaveLength(1)
})

test('prompts, tests, outside changes and tool calls are marked; where they crowd, the most important is shown', () => {
  const steps = [
    step(1, 'a', { call: call('x') }),
    step(2, 'b', { call: call('x') }),
    step(3, 'p', { by: 'outside' }),
    step(4, 'q', { by: 'outside' }),
    step(5, 'a', { call: call('y') })
  ]
  const test = { command: 'npm test', kind: 'tests', result: 'failed', at: 1, seq: 2 } as const
  const marks = marksOf(steps, { prompts: [{ seq: 0, at: 0, text: 'go' }], tests: [test] })
  expect(marks.map(({ kind, step }) => `${kind} ${step}`)).toEqual([
    'prompt 0',
    'tool 1',
    'test 2',
    'drift 3',
    'tool 5'
  ])
  expect(visibleMarks(marks, 5, 2).map(({ kind }) => kind)).toEqual(['prompt', 'test', 'tool'])
  expect([markFrom(marks, 0, 1), markFrom(marks, 2, 1), markFrom(marks, 3, 1), markFrom(marks, 2, -1)]).toEqual([
    ...[2, 3, null, 0]
  ])
})

test('a replay has an address, and a malformed one is none', () => {
  const replays = [
    { target: 'run_a', to: null, seq: 12, path: 'src/a.ts' },
    { target: 'run_a:end', to: 'now', seq: null, path: null }
  ]
  for (const replay of replays) expect(replayOfText(replayToText(replay), replay.path ?? '')).toEqual(replay)
  expect(replayToText(null)).toBe('')
  for (const text of ['', 'run a', 'run_a@x', '..run_a', '<b>']) expect(replayOfText(text, '')).toBeNull()
})

test('a step is named for screen readers', () => {
  expect(stepText(0, 500, undefined)).toBe('start, before 500 edits')
  expect(stepText(450, 500, undefined)).toBe('edit 450 of 500, loading')
  expect(stepText(120, 500, { path: 'src/cart.ts', at: new Date(2026, 10, 25, 10, 2).getTime() })).toBe(
    'edit 120 of 500, src/cart.ts, 10:02'
  )
})
