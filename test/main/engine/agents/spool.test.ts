/** [GW-1] Spooled events are ingested in order, one after the other, and no event stops the others or Driftline. */
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DriftlineError } from '../../../../src/contract/errors.ts'
import type { HookEvent } from '../../../../src/main/engine/agents/hook-event.ts'
import { replaySpool } from '../../../../src/main/engine/agents/spool.ts'
import { tempFolder } from '../../../support/tmp.ts'

const EVENT: HookEvent = {
  id: 'a',
  agent: 'claude-code',
  event: 'Stop',
  at: Date.now(),
  payload: {},
  process: { pid: 0, start: '' }
}

let temp: ReturnType<typeof tempFolder>
let spool: string
beforeEach(() => {
  temp = tempFolder()
  spool = join(temp.path, 'spool')
  mkdirSync(spool)
})
afterEach(() => {
  vi.restoreAllMocks()
  temp[Symbol.dispose]()
})
const leave = (name: string, value: unknown): void =>
  writeFileSync(join(spool, name), typeof value === 'string' ? value : JSON.stringify(value))

test('a failing event is logged and retried; later ones are ingested, and the oldest is dropped', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  leave('1.json', { ...EVENT, id: 'fault' })
  leave('2.json', { ...EVENT, id: 'newer' })
  leave('3.json', { ...EVENT, id: 'fine' })
  leave('4.json', { ...EVENT, id: 'fault', at: 1 })
  const taken: string[] = []
  const take = async ({ id }: HookEvent): Promise<void> => {
    if (id === 'fault') throw new TypeError('our own fault')
    if (id === 'newer') throw new DriftlineError('StoreNewer', 'newer', {})
    taken.push(id)
  }
  expect(await replaySpool(temp.path, take)).toBe(1)
  expect([taken, readdirSync(spool).sort()]).toEqual([['fine'], ['1.json', '2.json']])
  expect(errors.mock.calls.flat().filter((call) => String(call).includes('our own fault'))).toHaveLength(2)
})

test.each([
  ['half of one', '{"id":'],
  ['no object', 'null'],
  ['a time that is none', { ...EVENT, at: 1e300 }],
  ['a process that is none', { ...EVENT, process: { pid: {}, start: '' } }],
  ['places that are no text', { ...EVENT, project: 5 }],
  ['no payload', { ...EVENT, payload: undefined }]
])('%s is no event: it is deleted without being ingested', async (_, value) => {
  leave('1.json', value)
  expect(await replaySpool(temp.path, () => Promise.reject(new Error('asked')))).toBe(0)
  expect(readdirSync(spool)).toEqual([])
})

test('folders and files being written stay; the partial file of a killed hook is removed', async () => {
  mkdirSync(join(spool, 'folder.json'))
  leave('now.json.tmp', '{')
  leave('old.json.tmp', '{')
  utimesSync(join(spool, 'old.json.tmp'), 1, 1)
  expect(await replaySpool(temp.path, async () => {})).toBe(0)
  expect(readdirSync(spool).sort()).toEqual(['folder.json', 'now.json.tmp'])
})
