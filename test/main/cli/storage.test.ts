/** `gc` and `sessions --delete` as a person types them. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CliProject, createCliProject } from './cli-project.ts'

let project: CliProject

beforeAll(async () => {
  project = createCliProject()
  project.write('a.txt', 'one')
  await project.add()
  project.write('big.bin', randomBytes(2_000_000))
  expect((await project.call(['status'])).code).toBe(0)
  project.write('big.bin', randomBytes(2_000_000))
  expect((await project.call(['status'])).code).toBe(0)
})
afterAll(() => project.remove())

test('gc --dry-run lists what gc deletes; recent history within the budget is kept', async () => {
  const { doc } = await project.json(['gc', '--dry-run'])
  expect(doc).toMatchObject({ pruned: [], versions: 0, checkpoints: [], budget: 2_000_000_000, note: '' })
  expect(doc.historyBytes).toBeGreaterThan(1_900_000)
  const said = (await project.call(['gc'])).out.toString()
  expect(said).toContain('nothing deleted')
  expect(said).toMatch(/History uses 2(\.0)? MB of 2(\.0)? GB/)
})

test('gc --never needs confirmation, because it is permanent; --dry-run does not', async () => {
  const asked = await project.json(['gc', '--never'])
  expect([asked.code, asked.doc]).toMatchObject([3, { error: { code: 'NeedsConfirmation' } }])
  expect((await project.json(['gc', '--never', '--dry-run'])).doc).toMatchObject({ pruned: [], versions: 0 })
  const done = await project.json(['gc', '--never', '--yes'])
  expect([done.code, done.doc]).toMatchObject([0, { versions: 0 }])
})

test('status shows history size, budget and total size', async () => {
  const { doc } = await project.json<{ store: Record<string, number>; disk: object }>(['status'])
  expect(doc.store).toMatchObject({ budget: 2_000_000_000, bytes: expect.any(Number), uniqueBytes: expect.any(Number) })
  expect(doc.store.historyBytes).toBeGreaterThan(1_900_000)
  expect(doc.disk).toMatchObject({ low: false, why: '' })
})

test('sessions --delete needs confirmation, and reports an unknown session', async () => {
  const asked = await project.json(['sessions', '--delete', 'nobody'])
  expect([asked.code, asked.doc]).toMatchObject([3, { error: { code: 'NeedsConfirmation' } }])
  const unknown = await project.json(['sessions', '--delete', 'nobody', '--yes'])
  expect([unknown.code, unknown.doc]).toMatchObject([5, { error: { code: 'UnknownTarget' } }])
})
