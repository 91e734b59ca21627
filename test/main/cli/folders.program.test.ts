/** `driftline folders` lists all recorded folders with their status, with and without a host. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CliProject, createCliProject, waitForExit, waitForOutput } from './cli-project.ts'

let project: CliProject
let elsewhere: string

beforeEach(() => {
  project = createCliProject()
  elsewhere = dirname(project.root)
})
afterEach(() => project.remove())

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
  const { code, doc } = await project.json<Listed>(['folders'], elsewhere)
  expect(code).toBe(0)
  return doc
}

async function add(name: string): Promise<string> {
  const root = join(elsewhere, name)
  mkdirSync(root)
  writeFileSync(join(root, 'a.txt'), 'one\n')
  await project.call(['add', root])
  return root
}

test('folders lists location, status, history size and last change of each folder', async () => {
  expect((await project.call(['--help'])).out.toString()).toMatch(/^ {2}folders {2}/m)
  expect(await list()).toEqual({ folders: [], left: [] })
  expect((await project.call(['folders'], elsewhere)).out.toString()).toContain('driftline add')

  const [here, gone, left] = [await add('here'), await add('gone'), await add('left')]
  writeFileSync(join(here, 'a.txt'), 'two\n')
  await project.call(['status'], here)
  renameSync(gone, `${gone}-moved`)
  await project.call(['--folder', left, 'remove'])

  const doc = await list()
  expect(doc.left.map(({ root }) => root)).toEqual([left])
  expect(doc.folders.map((folder) => [folder.root, folder.folder, folder.recording, folder.coverage]).sort()).toEqual([
    [gone, 'missing', false, 'complete'],
    [here, 'present', false, 'complete']
  ])
  const [listed, missing] = [here, gone].map((root) => doc.folders.find((folder) => folder.root === root))
  expect(listed?.store?.bytes).toBeGreaterThan(4096)
  expect(listed?.lastEditAt).toBeGreaterThan(0)
  expect([missing?.lastEditAt, missing?.watcher.why]).toEqual([null, 'The folder does not exist any more.'])

  const text = (await project.call(['folders'], elsewhere)).out.toString()
  for (const expected of [here, 'missing', `driftline locate ${gone} NEW`, 'No recorder is running', left])
    expect(text).toContain(expected)
})

test('with a host, a watched folder is listed as watching', async () => {
  const root = await add('here')
  const host = project.start(['serve', '--no-open', '--stay'], elsewhere)
  const end = waitForExit(host)
  try {
    await waitForOutput(host.stdout!, '#token=')
    await expect
      .poll(async () => (await list()).folders.map((folder) => [folder.root, folder.watcher.state]))
      .toEqual([[root, 'live']])
    expect((await list()).folders[0]).toMatchObject({ folder: 'present', recording: true, lastEditAt: null })
    expect((await project.call(['folders'], elsewhere)).out.toString()).toMatch(/watching/)
  } finally {
    host.kill('SIGKILL')
    await end
  }
})

test('an unreadable history is listed with its reason and does not affect the others', async () => {
  const [good, bad] = [await add('good'), await add('bad')]
  const id = (await list()).folders.find((folder) => folder.root === bad)?.id as string
  writeFileSync(join(project.data, 'w', id, 'store.db'), 'no database '.repeat(2000))
  const doc = await list()
  const [listed, broken] = [good, bad].map((root) => doc.folders.find((folder) => folder.root === root))
  expect(listed?.store?.bytes).toBeGreaterThan(4096)
  expect([broken?.store, broken?.recording, broken?.watcher.state]).toEqual([null, false, 'off'])
  expect(broken?.watcher.why).not.toBe('')
  const called = await project.call(['folders'], elsewhere)
  expect([called.code, called.out.toString()]).toEqual([0, expect.stringContaining(broken?.watcher.why as string)])
})
