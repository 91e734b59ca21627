/** Leaving Driftline: what it added goes, what was recorded goes only when asked for, projects stay as they are. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readTree } from '../../support/tree.ts'
import { makePlace, type Place } from './place.ts'

let place: Place
let home: string

beforeEach(async () => {
  place = makePlace()
  home = dirname(place.root)
  place.write('a.txt', 'one\n')
  place.write('.env', 'KEY=1\n')
  await place.call(['add'])
})
afterEach(() => place.remove())

const edit = (text: string): Promise<unknown> =>
  place.call([
    'run',
    '--',
    process.execPath,
    '-e',
    `for (const f of ['a.txt', '.env']) fs.writeFileSync(f, ${JSON.stringify(text)})`
  ])

test('disconnect --all leaves the settings of every agent as they were, byte for byte', async () => {
  const claude = join(home, '.claude/settings.json')
  const before = '{\n\t"model": "x", // mine\n\t"hooks": {}\n}\n'
  mkdirSync(dirname(claude))
  writeFileSync(claude, before)
  for (const agent of ['claude-code', 'gemini-cli', 'opencode']) await place.call(['connect', agent, '--yes'])
  await place.call(['connect', 'codex', '--project', '--yes'])
  expect(readFileSync(claude, 'utf8')).not.toBe(before)
  const projectFile = join(place.root, '.codex/hooks.json')
  expect(existsSync(projectFile)).toBe(true)

  const dry = await place.json<{ changes: { agent: string }[] }>(['disconnect', '--all', '--dry-run'])
  expect(dry.doc.changes.map((change) => change.agent).sort()).toEqual([
    'claude-code',
    'codex',
    'gemini-cli',
    'opencode'
  ])
  expect(readFileSync(claude, 'utf8'), 'a dry run writes nothing').not.toBe(before)

  const { code, doc } = await place.json<{ problems: string[] }>(['disconnect', '--all'])
  expect([code, doc.problems]).toEqual([0, []])
  expect(readFileSync(claude, 'utf8')).toBe(before)
  for (const folder of ['.gemini', '.config']) expect([folder, existsSync(join(home, folder))]).toEqual([folder, false])
  expect(existsSync(dirname(projectFile))).toBe(false)
})

test('disconnect says what it deletes before it does, and in words after', async () => {
  await place.call(['connect', 'qwen-code', '--yes'])
  const [file, folder] = [join(home, '.qwen/settings.json'), join(home, '.qwen')]
  const sentence = `This deletes ${file}, ${folder}: nothing is in it but what Driftline wrote.`
  expect((await place.call(['disconnect', 'qwen-code', '--dry-run'])).out.toString()).toContain(sentence)
  expect((await place.call(['disconnect', '--all', '--dry-run'])).out.toString()).toContain(`${file} would be deleted`)
  expect(existsSync(file)).toBe(true)
  const done = await place.json<{ removed: string[] }>(['disconnect', 'qwen-code'])
  expect(done.doc.removed).toEqual([file, folder])
  expect(existsSync(folder)).toBe(false)
})

test('settings that cannot be read are named, and do not keep the other agents connected', async () => {
  await place.call(['connect', 'gemini-cli', '--yes'])
  mkdirSync(join(home, '.claude'))
  writeFileSync(join(home, '.claude/settings.json'), '{ not json')
  const { code, doc } = await place.json<{ problems: string[] }>(['disconnect', '--all'])
  expect([code, doc.problems]).toEqual([1, [expect.stringMatching(/^claude-code: /)]])
  expect(existsSync(join(home, '.gemini/settings.json'))).toBe(false)
})

test('removing a folder keeps what was recorded unless it is asked to go, and never touches the project', async () => {
  await edit('two')
  const tree = readTree(place.root)
  expect((await place.call(['remove'])).code).toBe(0)
  expect((await place.call(['status'])).code).toBe(5)
  expect(readdirSync(join(place.data, 'w'))).toHaveLength(1)

  await place.call(['add'])
  expect((await place.json<{ entries: unknown[] }>(['log', '--kind', 'run'])).doc.entries).toHaveLength(1)
  const refused = await place.json<{ error: { code: string } }>(['remove', '--delete-history'])
  expect([refused.code, refused.doc.error.code]).toEqual([3, 'NeedsConfirmation'])
  expect((await place.call(['status'])).code).toBe(0)

  const done = await place.json<{ deletedHistory: boolean }>(['remove', '--all', '--delete-history', '--yes'])
  expect([done.code, done.doc.deletedHistory]).toEqual([0, true])
  expect(readTree(place.root)).toEqual(tree)
  expect(readdirSync(join(place.data, 'w'))).toEqual([])
})

test('remove --all --delete-history deletes what folders that were removed before left, too', async () => {
  await edit('two')
  await place.call(['remove'])
  const done = await place.json<{ removed: unknown[] }>(['remove', '--all', '--delete-history', '--yes'])
  expect([done.code, done.doc.removed.length]).toEqual([0, 1])
  expect(readdirSync(join(place.data, 'w'))).toEqual([])
})

test('export --all writes every run, conversation and earlier content as plain files; secrets only when asked', async () => {
  await edit('two\n')
  await edit('three\n')
  const out = join(home, 'out')
  const { code, doc } = await place.json<{ runs: number; versions: number }>(['export', '--all', '-o', out])
  expect([code, doc.runs, doc.versions]).toEqual([0, 2, 3])
  const contents = Object.fromEntries(
    readdirSync(join(out, 'versions')).map((name) => [name, readFileSync(join(out, 'versions', name), 'utf8')])
  )
  expect(Object.keys(contents).every((name) => name.startsWith('a.txt@'))).toBe(true)
  expect(Object.values(contents).sort()).toEqual(['one\n', 'three\n', 'two\n'])
  expect(readdirSync(join(out, 'runs'))).toHaveLength(4)
  expect(readFileSync(join(out, 'README.md'), 'utf8')).toContain('2 runs')

  expect((await place.call(['export', '--all', '-o', out])).code, 'what is there stays').toBe(3)
  expect((await place.call(['export', '--all', '-o', join(place.root, 'out')])).code).toBe(2)
  await place.call(['export', '--all', '--secrets', '-o', `${out}2`])
  expect(readdirSync(join(`${out}2`, 'versions')).some((name) => name.startsWith('.env@'))).toBe(true)
})
