/** Until when the panes show what was chosen before. */
import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { Queries } from '../../../src/renderer/client/queries.ts'
import { isOnItsWay } from '../../../src/renderer/state/preload-comparison.ts'
import { run } from '../model/make.ts'

const QUESTION = { workspace: 'ws_a', target: 'run_1', scope: 'run' } as const
const FILES: QueryKey = ['diff.files', { ...QUESTION, quick: true }]
const TEXT: QueryKey = ['diff.file', { ...QUESTION, path: 'a.ts', edits: 'own' }]

test('[UI-52] a chosen run is on its way while its files or the text of the first are requested, and not before or after', async () => {
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const selected = {
    node: { kind: 'entry', key: 'run_1', entry: run('run_1', 1) },
    against: null,
    swapped: false
  } as unknown as Parameters<typeof isOnItsWay>[2]
  const isComing = () => isOnItsWay({ cache } as unknown as Queries, QUESTION, selected, null)
  const request = (queryKey: QueryKey, answer: Promise<unknown>) =>
    cache.fetchQuery({ queryKey, queryFn: () => answer })

  expect(isComing()).toBe(false)
  const files = Promise.withResolvers()
  const listed = request(FILES, files.promise)
  expect(isComing()).toBe(true)
  files.resolve({ files: ['b.ts', 'a.ts'].map((path) => ({ path, kind: 'text' })) })
  await listed
  expect(isComing()).toBe(false)
  const text = Promise.withResolvers()
  const read = request(TEXT, text.promise)
  expect(isComing()).toBe(true)
  text.reject(new Error('gone'))
  await read.catch(() => {})
  expect(isComing()).toBe(false)
})
