/** The words of tool calls. */
import { expect, test } from 'vitest'
import {
  callDetails,
  callLabel,
  callPath,
  callStatus,
  changedFilesLabel,
  duration,
  pathsBeingWritten,
  visibleOutput
} from '../../../src/contract/words/tool-calls.ts'
import { call } from '../../renderer/conversation/make.ts'
import { NOON } from '../../renderer/model/make.ts'

test('[UI-1] output shows its last lines, expanded all stored lines, and a note about missing ones', () => {
  const text = ['1', '2', '3', '4', '5'].join('\n')
  expect(visibleOutput(null, true)).toEqual({ shown: [], above: '' })
  expect(visibleOutput({ text: '1\n2', cut: false }, false)).toEqual({ shown: ['1', '2'], above: '' })
  expect(visibleOutput({ text, cut: true }, false)).toEqual({ shown: ['3', '4', '5'], above: '… 2 more lines' })
  expect(visibleOutput({ text, cut: false }, true)).toEqual({ shown: ['1', '2', '3', '4', '5'], above: '' })
  expect(visibleOutput({ text, cut: true }, true).above).toBe('Earlier output is not stored.')
})

test('paths being written are those named by open calls of writing tools, Driftline’s own under any prefix', () => {
  const open = { state: 'open', endedAt: null } as const
  const now = pathsBeingWritten([
    call('c1', 'Write', 0, { ...open, paths: ['a.ts'] }),
    call('c2', 'mcp__driftline__edit_file', 0, { ...open, paths: ['b.ts'] }),
    call('c3', 'apply_patch', 0, { ...open, paths: ['c.ts', 'd.ts'] }),
    call('c4', 'Bash', 0, { ...open, paths: ['e.ts'] }),
    call('c5', 'Edit', 0, { paths: ['f.ts'] }),
    call('c6', 'SomethingElse', 0, { ...open, paths: ['g.ts'] })
  ])
  expect([...now]).toEqual(['a.ts', 'b.ts', 'c.ts', 'd.ts'])
})

test('tool names of six agents map to the same verbs; an unknown name is its own verb', () => {
  const verb = (name: string) => callLabel(call('c', name, 0), '').verb
  expect(['Bash', 'run_shell_command', 'shell'].map(verb)).toEqual(['Run', 'Run', 'Run'])
  expect(['Edit', 'replace', 'apply_patch'].map(verb)).toEqual(['Edit', 'Edit', 'Edit'])
  expect(verb('mcp__jira__create')).toBe('mcp__jira__create')
})

test('paths are relative to the workspace; a command stays as it is', () => {
  expect(callLabel(call('c', 'Read', 0, { summary: '/w/shop/src/a.ts' }), '/w/shop').subject).toBe('src/a.ts')
  expect(callLabel(call('c', 'Edit', 0, { summary: '/w/shop/a.ts', paths: ['a.ts'] }), '/w/shop').subject).toBe('a.ts')
  expect(callLabel(call('c', 'Bash', 0, { summary: 'npm test', paths: ['a.ts'] }), '/w').subject).toBe('npm test')
  expect(callLabel(call('c', 'TodoWrite', 0, { summary: 'TodoWrite' }), '').subject).toBe('')
})

test('[UI-6] a command shows how many files it changed; its details list them as side effects', () => {
  const changed = [
    { path: 'a.ts', attribution: 'inferred' as const },
    { path: 'b.ts', attribution: 'declared' as const }
  ]
  const bash = call('c', 'Bash', 0, { summary: 'npm run gen', changed, changedCount: 5, complete: false })
  expect([changedFilesLabel(bash), callPath(bash)]).toEqual(['5 files', 'a.ts'])
  expect(callDetails(bash, '').slice(2)).toEqual([
    'a.ts (side effect)',
    'b.ts',
    'and 3 more files',
    'The folder was not scanned before this call, so originals may be missing.'
  ])
  const move = call('m', 'Bash', 0, { summary: 'mv a.ts b.ts', changed, changedCount: 2, renames: 1 })
  expect(changedFilesLabel(move), '[UI-6] a rename is one file').toBe('1 file')
  const edit = call('e', 'Edit', 0, { paths: ['b.ts'], changed: changed.slice(1), changedCount: 1 })
  expect([changedFilesLabel(edit), callPath(edit), callDetails(edit, '').length]).toEqual(['', 'b.ts', 2])
  expect(callPath(call('r', 'Read', 0))).toBeNull()
})

test('durations are rounded by their size', () => {
  expect([60, 6800, 42_400, 124_000].map(duration)).toEqual(['0.1 s', '6.8 s', '42 s', '2:04'])
})

test('a call shows its result; a working call shows its duration', () => {
  const open = call('c', 'Bash', 0, { state: 'open', endedAt: null, summary: 'npm test' })
  expect(callStatus(open, NOON + 8000)).toBe('8.0 s')
  expect(callStatus(call('c', 'Bash', 0, { state: 'abandoned' }), NOON)).toBe('interrupted')
})
