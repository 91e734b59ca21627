/** Promises of the contract's schemas: every call is checked, and what is wrong is named. */
import { expect, test } from 'vitest'
import { PARAMS } from '../../src/contract/params.ts'
import { parseParams } from '../../src/contract/parse-params.ts'

const ws = { workspace: 'ws_1' }

test('[WR-2] a key that a method does not take is refused with its name, at every depth', () => {
  expect(parseParams('diff.files', { ...ws, target: 'latest', pahts: [] })).toEqual({
    wrong: 'unknown parameter "pahts"'
  })
  const request = { kind: 'restore', target: 'latest', ouside: 'keep' }
  expect(parseParams('restore.plan', { ...ws, request })).toEqual({ wrong: 'unknown parameter "ouside" in request' })
  const client = { session: 's', name: 'n', process: { pid: 1, start: '', host: 'x' } }
  const use = { tool: 'read_file', path: 'a' }
  expect(parseParams('tools.use', { ...ws, client, use })).toEqual({
    wrong: 'unknown parameter "host" in client.process'
  })
})

test('[WR-2] a missing, wrong or oversized value is refused with the place it is at', () => {
  expect(parseParams('entry.show', ws)).toEqual({ wrong: expect.stringMatching(/^target: /) })
  expect(parseParams('diff.file', { ...ws, path: 'a', target: 'latest', edits: 'mine' })).toEqual({
    wrong: expect.stringMatching(/^edits: /)
  })
  expect(parseParams('search.run', { ...ws, text: 'x'.repeat(1001), limit: 1 })).toEqual({
    wrong: 'text: a search takes at most 1,000 characters'
  })
})

test('[WR-2] what fits the schema reaches the handler unchanged', () => {
  const params = {
    ...ws,
    request: { kind: 'undo-run', run: 'latest', hunks: { 'a.txt': [1, 3] }, onConflict: 'merge' }
  }
  expect(parseParams('restore.plan', params)).toEqual({ params })
})

test.each(Object.keys(PARAMS) as (keyof typeof PARAMS)[])('[WR-2] %s refuses an unknown key', (method) => {
  expect(parseParams(method, { [method]: 1 })).toEqual({ wrong: `unknown parameter "${method}"` })
})
