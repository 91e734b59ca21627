/** What the status bar says while somebody works in the folder. */
import { expect, test } from 'vitest'
import { since, waitsFor } from '../../../src/renderer/features/status/waits.ts'

const run = (agent: string, mayWrite = true) => ({
  run: agent,
  title: 'Add tax',
  agent,
  startedAt: 0,
  mayWrite,
  quietSince: null
})

test('[RS-8] restores wait for runs that may write, and for no others', () => {
  expect(waitsFor([])).toBe(null)
  expect(waitsFor([run('some client', false)])).toBe(null)
  expect(waitsFor([run('codex')])?.text).toBe('Restore and undo wait until this turn ends')
  expect(waitsFor([run('command')])?.text).toBe('Restore and undo wait until this command ends')
  expect(waitsFor([run('codex'), run('some client', false), run('command')])).toMatchObject({
    text: 'Restore and undo wait until 2 runs end',
    runs: [{ agent: 'codex' }, { agent: 'command' }]
  })
})

test('how long ago: seconds, minutes, then the time of day', () => {
  const at = new Date(2026, 10, 21, 14, 2).getTime()
  expect(since(at, at - 5)).toBe('0 s ago')
  expect(since(at, at + 59_999)).toBe('59 s ago')
  expect(since(at, at + 60_000)).toBe('1 min ago')
  expect(since(at, at + 3_600_000)).toBe('at 14:02')
})
