/** [UI-36] The facts of a run's header. */
import { expect, test } from 'vitest'
import type { ChangeKind } from '../../../src/contract/diff.ts'
import { callsText, filesText } from '../../../src/contract/words/run-summary.ts'

const ran = (summary: string) => ({ name: 'Bash', summary })

test('[UI-36] files are counted by kind, calls by how many are commands', () => {
  const files = (...kinds: ChangeKind[]) => kinds.map((change) => ({ change }))
  expect(filesText(files('added', 'added'))).toBe('2 new files')
  expect(filesText(files('modified', 'added', 'mode', 'deleted'))).toBe('4 files: 1 new, 2 changed, 1 deleted')
  expect(callsText([ran('ls'), { name: 'Read' }, { name: 'Read' }])).toBe('3 tool calls (1 command)')
  expect(callsText([ran('ls')])).toBe('1 command')
  expect(callsText([])).toBe('')
})
