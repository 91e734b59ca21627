/** What the status bar says while an agent works in the folder. */
import { expect, test } from 'vitest'
import { restoreWait, timeAgo } from '../../../src/renderer/features/status/restore-wait-dialog.tsx'

const run = (agent: string, mayWrite = true) => ({
  run: agent,
  title: 'Add tax',
  agent,
  startedAt: 0,
  mayWrite,
  quietSince: null
})

test('[RS-8] restores wait only for runs that may write', () => {
  expect(restoreWait([])).toBe(null)
  expect(restoreWait([run('some client', false)])).toBe(null)
  expect(restoreWait([run('codex')])?.text).toBe('Restore and undo wait until this turn ends')
  expect(restoreWait([run('command')])?.text).toBe('Restore and undo wait until this command ends')
  expect(restoreWait([run('codex'), run('some client', false), run('command')])).toMatchObject({
    text: 'Restore and undo wait until 2 runs end',
    runs: [{ agent: 'codex' }, { agent: 'command' }]
  })
})

test('how long ago: seconds, minutes, then the time of day', () => {
  const at = new Date(2026, 10, 21, 14, 2).getTime()
  expect(timeAgo(at, at - 5)).toBe('0 s ago')
  expect(timeAgo(at, at + 59_999)).toBe('59 s ago')
  expect(timeAgo(at, at + 60_000)).toBe('1 min ago')
  expect(timeAgo(at, at + 3_600_000)).toBe('at 14:02')
})
