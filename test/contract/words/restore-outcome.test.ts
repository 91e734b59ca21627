import { expect, test } from 'vitest'
import type { RestoreRequest, RestoreResult } from '../../../src/contract/restore.ts'
import { outcomeText, restoredText } from '../../../src/contract/words/restores.ts'

const item = (path: string): RestoreResult['items'][number] => {
  const side = { kind: 'file', size: 1, mode: 0o644, hash: 'a', target: null, notStored: null } as const
  return { path, action: 'write', note: null, before: side, after: side, result: 'done' }
}
const result: RestoreResult = {
  restore: 'rst_1',
  state: 'done',
  guard: 'cp_1',
  items: [item('src/total.ts')],
  conflicts: [],
  warnings: [],
  refusal: '',
  conversation: null,
  git: []
}

test.each<readonly [RestoreRequest, string]>([
  [{ kind: 'undo-run', run: 'run_1' }, 'Undid changes in 1 file'],
  [{ kind: 'undo-run', run: 'run_1', hunks: { 'src/total.ts': [2] } }, 'Undid 1 change in total.ts'],
  [{ kind: 'undo-run', run: 'run_1', hunks: { 'src/total.ts': [1, 2] } }, 'Undid 2 changes in total.ts'],
  [{ kind: 'drift', drift: 'dr_1', hunks: { 'src/total.ts': [1] } }, 'Undid 1 change in total.ts'],
  [
    { kind: 'undo-run', run: 'run_1', lines: { 'src/total.ts': [{ side: 'after', from: 2, to: 5 }] } },
    'Undid 3 lines in total.ts'
  ],
  [{ kind: 'restore', target: 'cp_1' }, 'Restored 1 file'],
  [{ kind: 'undo' }, 'Undid the restore of 1 file']
])('%o reports: %s', (request, text) => {
  expect(outcomeText(result, request)).toBe(text)
})

test('a result names the files, the conversation and what git had', () => {
  const conversation = {
    session: 's1',
    revision: 3,
    superseded: 12,
    broughtBack: 0,
    prompt: '',
    resume: null,
    failure: null
  }
  const git = [{ result: 'done' }] as unknown as RestoreResult['git']
  expect(restoredText({ ...result, conversation })).toBe('1 file and the conversation')
  expect(restoredText({ ...result, conversation, git })).toBe('1 file, the conversation and 1 git item')
  expect(restoredText({ ...result, items: [], conversation })).toBe('the conversation')
  expect(restoredText({ ...result, conversation: { ...conversation, superseded: 0 } })).toBe('1 file')
  expect(restoredText({ ...result, items: [], git })).toBe('1 git item')
})

test('[UI-1] a restore that kept files does not say that they match', () => {
  const kept = { ...item('src/total.ts'), action: 'keep', result: 'kept' } as const
  const nothing = { ...result, state: 'nothing-to-do' } as const
  expect(outcomeText({ ...nothing, items: [kept] }, null)).toBe('Nothing to restore: 1 file kept.')
  expect(outcomeText({ ...nothing, items: [] }, null)).toBe('Nothing to restore: all files already match.')
})
