/** [UI-36] The facts of a run's header. */
import { expect, test } from 'vitest'
import type { ChangeKind } from '../../../src/contract/diff.ts'
import { callsText, filesText, testsOf } from '../../../src/contract/words/run-summary.ts'

const ran = (summary: string, state: 'done' | 'failed' | 'open' = 'done') => ({ name: 'Bash', summary, state })

test('[UI-36] tests passed or failed is said of the last command that ran tests', () => {
  for (const command of ['npm test', 'npx vitest run a', 'cd app && pytest -q', 'CI=1 cargo test', './gradlew test']) {
    expect(testsOf([ran(command)]), command).toBe('passed')
    expect(testsOf([ran(command, 'failed')]), command).toBe('failed')
  }
  expect(testsOf([ran('npm test', 'failed'), ran('npm test'), ran('git status', 'failed')])).toBe('passed')
})

test('[UI-36] nothing is said of tests whose end a command hides, that still run, or that are only mentioned', () => {
  for (const command of [
    'npm test | tail -5',
    'npm test || true',
    'npm test; echo done',
    'npm test &',
    'grep -r vitest',
    'ls test'
  ])
    expect(testsOf([ran(command)]), command).toBeNull()
  expect(testsOf([ran('npm test', 'open')])).toBeNull()
  expect(testsOf([{ name: 'Write', summary: 'npm test', state: 'done' }])).toBeNull()
})

test('[UI-36] files are counted by kind, calls by how many are commands', () => {
  const files = (...kinds: ChangeKind[]) => kinds.map((change) => ({ change }))
  expect(filesText(files('added', 'added'))).toBe('2 new files')
  expect(filesText(files('modified', 'added', 'mode', 'deleted'))).toBe('4 files: 1 new, 2 changed, 1 deleted')
  expect(callsText([ran('ls'), { name: 'Read' }, { name: 'Read' }])).toBe('3 tool calls, 1 command')
  expect(callsText([ran('ls')])).toBe('1 command')
  expect(callsText([])).toBe('')
})
