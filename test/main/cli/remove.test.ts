/** Leaving Driftline: what it added goes, what was recorded goes only when asked for, projects stay as they are. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readTree } from '../../support/tree.ts'
import { type CliProject, createCliProject } from './cli-project.ts'

let project: CliProject
let home: string

beforeEach(async () => {
  project = createCliProject()
  home = dirname(project.root)
  project.write('a.txt', 'one\n')
  project.write('.env', 'KEY=1\n')
  await project.add()
})
afterEach(() => project.remove())

const edit = (text: string): Promise<unknown> =>
  project.run('edit', () => {
    for (const file of ['a.txt', '.env']) project.write(file, text)
  })

test('disconnect --all restores the settings of every agent, byte for byte', async () => {
  const claude = join(home, '.claude/settings.json')
  const before = '{\n\t"model": "x", // mine\n\t"hooks": {}\n}\n'
  mkdirSync(dirname(claude))
  writeFileSync(claude, before)
  for (const agent of ['claude-code', 'gemini-cli', 'opencode']) await project.call(['connect', agent, '--yes'])
  await project.call(['connect', 'codex', '--project', '--yes'])
  expect(readFileSync(claude, 'utf8')).not.toBe(before)
  const projectFile = join(project.root, '.codex/hooks.json')
  expect(existsSync(projectFile)).toBe(true)

  const dry = await project.json<{ changes: { agent: string }[] }>(['disconnect', '--all', '--dry-run'])
  expect(dry.doc.changes.map((change) => change.agent).sort()).toEqual([
    'claude-code',
    'codex',
    'gemini-cli',
    'opencode'
  ])
  expect(readFileSync(claude, 'utf8'), 'a dry run writes nothing').not.toBe(before)

  const { code, doc } = await project.json<{ problems: string[] }>(['disconnect', '--all'])
  expect([code, doc.problems]).toEqual([0, []])
  expect(readFileSync(claude, 'utf8')).toBe(before)
  for (const folder of ['.gemini', '.config']) expect([folder, existsSync(join(home, folder))]).toEqual([folder, false])
  expect(existsSync(dirname(projectFile))).toBe(false)
})

test('disconnect names the files it deletes before and after', async () => {
  await project.call(['connect', 'qwen-code', '--yes'])
  const [file, folder] = [join(home, '.qwen/settings.json'), join(home, '.qwen')]
  const sentence = `Deletes ${file}, ${folder}: it contains only what Driftline wrote.`
  expect((await project.call(['disconnect', 'qwen-code', '--dry-run'])).out.toString()).toContain(sentence)
  expect((await project.call(['disconnect', '--all', '--dry-run'])).out.toString()).toContain(
    `${file} would be deleted`
  )
  expect(existsSync(file)).toBe(true)
  const done = await project.json<{ removed: string[] }>(['disconnect', 'qwen-code'])
  expect(done.doc.removed).toEqual([file, folder])
  expect(existsSync(folder)).toBe(false)
})

test('unreadable settings are reported and do not stop the other agents from being disconnected', async () => {
  await project.call(['connect', 'gemini-cli', '--yes'])
  mkdirSync(join(home, '.claude'))
  writeFileSync(join(home, '.claude/settings.json'), '{ not json')
  const { code, doc } = await project.json<{ problems: string[] }>(['disconnect', '--all'])
  expect([code, doc.problems]).toEqual([1, [expect.stringMatching(/^claude-code: /)]])
  expect(existsSync(join(home, '.gemini/settings.json'))).toBe(false)
})

/** The mode of a file for its user only; Windows has no modes. */
const PRIVATE = process.platform === 'win32' ? 666 : 600

/** What lies where histories are, without their ids. */
const histories = (): string[] =>
  Object.entries(readTree(join(project.data, 'w'))).map(([name, entry]) => `${name.replace(/^ws_\w+/, '')}: ${entry}`)

test('remove keeps the history unless --delete-history is given, and never touches the project', async () => {
  await edit('two')
  const tree = readTree(project.root)
  expect((await project.call(['remove'])).code).toBe(0)
  expect((await project.call(['status'])).code).toBe(5)
  expect(readdirSync(join(project.data, 'w'))).toHaveLength(1)

  await project.call(['add'])
  expect((await project.json<{ entries: unknown[] }>(['log', '--kind', 'run'])).doc.entries).toHaveLength(1)
  const refused = await project.json<{ error: { code: string } }>(['remove', '--delete-history'])
  expect([refused.code, refused.doc.error.code]).toEqual([3, 'NeedsConfirmation'])
  expect((await project.call(['status'])).code).toBe(0)

  const done = await project.json<{ deletedHistory: boolean }>(['remove', '--all', '--delete-history', '--yes'])
  expect([done.code, done.doc.deletedHistory]).toEqual([0, true])
  expect(readTree(project.root)).toEqual(tree)
  expect(histories()).toEqual([`.deleted: file ${PRIVATE} `])
})

test('remove and locate take a recorded folder by its path or its id, and nothing inside one', async () => {
  const id = (await project.json<{ workspace: { id: string } }>(['status'])).doc.workspace.id
  mkdirSync(join(project.root, 'inside'))
  for (const words of [
    ['remove', 'inside'],
    ['locate', 'inside', '.'],
    ['open', 'missing.driftline']
  ])
    expect([words, (await project.call(words)).code]).toEqual([words, 5])
  expect((await project.call(['remove', '--all', '.'])).code).toBe(2)
  expect((await project.call(['locate', id, '.'], project.root)).code).toBe(0)
  expect((await project.json(['remove', id], home)).doc).toMatchObject({ removed: [{ id, root: project.root }] })
  expect((await project.call(['add', project.root], home)).code).toBe(0)
  expect((await project.json(['remove', project.root], home)).doc).toMatchObject({ removed: [{ id }] })
})

test('remove --all --delete-history also deletes the history of removed folders', async () => {
  await edit('two')
  await project.call(['remove'])
  const done = await project.json<{ removed: unknown[] }>(['remove', '--all', '--delete-history', '--yes'])
  expect([done.code, done.doc.removed.length]).toEqual([0, 1])
  expect(histories()).toEqual([`.deleted: file ${PRIVATE} `])
})

test('export --all writes every run, conversation and version as plain files; secrets only with --secrets', async () => {
  await edit('two\n')
  await edit('three\n')
  const out = join(home, 'out')
  const { code, doc } = await project.json<{ runs: number; versions: number }>(['export', '--all', '-o', out])
  expect([code, doc.runs, doc.versions]).toEqual([0, 2, 3])
  const contents = Object.fromEntries(
    readdirSync(join(out, 'versions')).map((name) => [name, readFileSync(join(out, 'versions', name), 'utf8')])
  )
  expect(Object.keys(contents).every((name) => name.startsWith('a.txt@'))).toBe(true)
  expect(Object.values(contents).sort()).toEqual(['one\n', 'three\n', 'two\n'])
  expect(readdirSync(join(out, 'runs'))).toHaveLength(4)
  expect(readFileSync(join(out, 'README.md'), 'utf8')).toContain('2 runs')

  expect((await project.call(['export', '--all', '-o', out])).code, 'what is there stays').toBe(3)
  expect((await project.call(['export', '--all', '-o', join(project.root, 'out')])).code).toBe(2)
  expect(existsSync(join(project.root, 'out'))).toBe(false)
  await project.call(['export', '--all', '--secrets', '-o', `${out}2`])
  expect(readdirSync(join(`${out}2`, 'versions')).some((name) => name.startsWith('.env@'))).toBe(true)
})

test('export --all writes nothing into the folder, whatever it is called', { tags: ['links'] }, async () => {
  const link = join(home, 'link')
  symlinkSync(project.root, link)
  expect((await project.call(['export', '--all', '-o', join(link, 'out')])).code).toBe(2)
  expect((await project.call(['export', '--all', '-o', `${project.root}-out`])).code).toBe(0)
  expect(readdirSync(project.root).sort()).toEqual(['.env', 'a.txt'])
})
