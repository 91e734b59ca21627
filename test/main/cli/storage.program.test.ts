/** `gc` and `sessions --delete` as a person types them. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePlace, type Place } from './place.ts'

let place: Place

beforeAll(async () => {
  place = makePlace()
  place.write('a.txt', 'one')
  expect((await place.call(['add', '.'])).code).toBe(0)
  place.write('big.bin', randomBytes(2_000_000))
  expect((await place.call(['status'])).code).toBe(0)
  place.write('big.bin', randomBytes(2_000_000))
  expect((await place.call(['status'])).code).toBe(0)
})
afterAll(() => place.remove())

test('gc lists before it lets go, and keeps what is young and within the budget', async () => {
  const { doc } = await place.json(['gc', '--dry-run'])
  expect(doc).toMatchObject({ pruned: [], versions: 0, checkpoints: [], budget: 2_000_000_000, note: '' })
  expect(doc.historyBytes).toBeGreaterThan(1_900_000)
  const said = (await place.call(['gc'])).out.toString()
  expect(said).toContain('nothing went')
  expect(said).toMatch(/History takes 2(\.0)? MB of 2(\.0)? GB/)
})

test('gc --never asks first, as what it lets go of cannot come back; a look needs no yes', async () => {
  const asked = await place.json(['gc', '--never'])
  expect([asked.code, asked.doc]).toMatchObject([3, { error: { code: 'NeedsConfirmation' } }])
  expect((await place.json(['gc', '--never', '--dry-run'])).doc).toMatchObject({ pruned: [], versions: 0 })
  const done = await place.json(['gc', '--never', '--yes'])
  expect([done.code, done.doc]).toMatchObject([0, { versions: 0 }])
})

test('status tells history, budget and the whole size', async () => {
  const { doc } = await place.json<{ store: Record<string, number>; disk: object }>(['status'])
  expect(doc.store).toMatchObject({ budget: 2_000_000_000, bytes: expect.any(Number), uniqueBytes: expect.any(Number) })
  expect(doc.store.historyBytes).toBeGreaterThan(1_900_000)
  expect(doc.disk).toMatchObject({ low: false, why: '' })
})

test('sessions --delete asks first, and says when there is nothing of that name', async () => {
  const asked = await place.json(['sessions', '--delete', 'nobody'])
  expect([asked.code, asked.doc]).toMatchObject([3, { error: { code: 'NeedsConfirmation' } }])
  const unknown = await place.json(['sessions', '--delete', 'nobody', '--yes'])
  expect([unknown.code, unknown.doc]).toMatchObject([5, { error: { code: 'UnknownTarget' } }])
})
