/** `driftline folders`: every recorded folder from anywhere, with how it stands, with a host and without one. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { finished, makePlace, type Place, said } from './place.ts'

let place: Place
let elsewhere: string

beforeEach(() => {
  place = makePlace()
  elsewhere = dirname(place.root)
})
afterEach(() => place.remove())

interface Listed {
  readonly folders: readonly {
    readonly id: string
    readonly root: string
    readonly name: string
    readonly folder: string
    readonly recording: boolean
    readonly watcher: { readonly state: string; readonly why: string }
    readonly coverage: string
    readonly store: { readonly bytes: number; readonly historyBytes: number; readonly budget: number } | null
    readonly lastEditAt: number | null
  }[]
  readonly left: readonly { readonly id: string; readonly root: string; readonly name: string }[]
}

const list = async (): Promise<Listed> => {
  const { code, doc } = await place.json<Listed>(['folders'], elsewhere)
  expect(code).toBe(0)
  return doc
}

async function add(name: string): Promise<string> {
  const root = join(elsewhere, name)
  mkdirSync(root)
  writeFileSync(join(root, 'a.txt'), 'one\n')
  await place.call(['add', root])
  return root
}

test('each folder with its place, whether it is there, what its history takes and its last change', async () => {
  expect((await place.call(['--help'])).out.toString()).toMatch(/^ {2}folders {2}/m)
  expect(await list()).toEqual({ folders: [], left: [] })
  expect((await place.call(['folders'], elsewhere)).out.toString()).toContain('driftline add')

  const [here, gone, left] = [await add('here'), await add('gone'), await add('left')]
  writeFileSync(join(here, 'a.txt'), 'two\n')
  await place.call(['status'], here)
  renameSync(gone, `${gone}-moved`)
  await place.call(['--folder', left, 'remove'])

  const doc = await list()
  expect(doc.left.map((one) => one.root)).toEqual([left])
  expect(doc.folders.map((folder) => [folder.root, folder.folder, folder.recording, folder.coverage]).sort()).toEqual([
    [gone, 'missing', false, 'complete'],
    [here, 'present', false, 'complete']
  ])
  const [listed, missing] = [here, gone].map((root) => doc.folders.find((folder) => folder.root === root))
  expect(listed?.store?.bytes).toBeGreaterThan(4096)
  expect(listed?.lastEditAt).toBeGreaterThan(0)
  expect([missing?.lastEditAt, missing?.watcher.why]).toEqual([null, 'The folder is not there any more.'])

  const text = (await place.call(['folders'], elsewhere)).out.toString()
  for (const words of [here, 'missing', `driftline locate ${gone} NEW`, 'No app is open', left])
    expect(text).toContain(words)
})

test('with a host, a folder that it watches says so', async () => {
  const root = await add('here')
  const host = place.start(['serve', '--no-open', '--stay'], elsewhere)
  const end = finished(host)
  try {
    await said(host.stdout!, '#token=')
    await expect
      .poll(async () => (await list()).folders.map((folder) => [folder.root, folder.watcher.state]))
      .toEqual([[root, 'live']])
    expect((await list()).folders[0]).toMatchObject({ folder: 'present', recording: true, lastEditAt: null })
    expect((await place.call(['folders'], elsewhere)).out.toString()).toMatch(/watching/)
  } finally {
    host.kill('SIGKILL')
    await end
  }
})

test('a history that cannot be read is listed with the reason, and the others with theirs', async () => {
  const [good, bad] = [await add('good'), await add('bad')]
  const id = (await list()).folders.find((folder) => folder.root === bad)?.id as string
  writeFileSync(join(place.data, 'w', id, 'store.db'), 'no database '.repeat(2000))
  const doc = await list()
  const [listed, broken] = [good, bad].map((root) => doc.folders.find((folder) => folder.root === root))
  expect(listed?.store?.bytes).toBeGreaterThan(4096)
  expect([broken?.store, broken?.recording, broken?.watcher.state]).toEqual([null, false, 'off'])
  expect(broken?.watcher.why).not.toBe('')
  const called = await place.call(['folders'], elsewhere)
  expect([called.code, called.out.toString()]).toEqual([0, expect.stringContaining(broken?.watcher.why as string)])
})
