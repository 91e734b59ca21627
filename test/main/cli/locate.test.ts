/** A recorded folder that moved is found again from the command line, with its history. */
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CliProject, createCliProject } from './cli-project.ts'

let project: CliProject
beforeEach(() => {
  project = createCliProject()
})
afterEach(() => project.remove())

test('[B24] a moved folder is reported with the command to locate it, and continues its history there', async () => {
  project.write('project/a.txt', 'one\n')
  const [old, now] = [join(project.root, 'project'), join(project.root, 'renamed')]
  await project.call(['add', old])
  await project.call(['--folder', old, 'checkpoint', '-m', 'before the move'])
  renameSync(old, now)
  const gone = await project.call(['--folder', old, 'status'])
  expect(gone.out.toString()).toContain(`driftline locate ${old} NEW`)
  const unknown = await project.call(['--folder', now, 'status'])
  expect([unknown.code, unknown.err]).toEqual([5, expect.stringContaining(old)])

  mkdirSync(join(project.root, 'other'))
  await project.call(['add', join(project.root, 'other')])
  expect((await project.json(['locate', old, join(project.root, 'other')])).code).toBe(3)
  expect((await project.json(['locate', join(old, 'sub'), now])).code).toBe(5)
  const located = await project.json<{ workspace: { root: string } }>(['locate', old, now])
  expect([located.code, located.doc.workspace.root]).toEqual([0, now])
  const { doc } = await project.json<{ entries: { title: string }[] }>(['--folder', now, 'log'])
  expect(doc.entries.map((entry) => entry.title)).toEqual(['before the move'])
})

test('[B24] a folder that moved and left a link behind is named as missing, and located by its old path', {
  tags: ['links']
}, async () => {
  project.write('project/a.txt', 'one\n')
  const [old, now] = [join(project.root, 'project'), join(project.root, 'renamed')]
  await project.call(['add', old])
  renameSync(old, now)
  symlinkSync('renamed', old, 'junction')
  const unknown = await project.call(['--folder', old, 'status'])
  expect([unknown.code, unknown.err]).toEqual([5, expect.stringContaining(`missing: ${old}`)])
  expect((await project.call(['folders'])).out.toString()).toContain(`driftline locate ${old} NEW`)
  const located = await project.json<{ workspace: { root: string } }>(['locate', old, now])
  expect([located.code, located.doc.workspace?.root]).toEqual([0, now])
  expect((await project.call(['--folder', old, 'status'])).code).toBe(0)
})

test('[RS-19] a folder that a person deleted is created again, byte for byte, by the command that its status names', async () => {
  const folder = join(project.root, 'project')
  project.write('project/src/a.txt', 'one\n')
  await project.call(['add', folder])
  await project.call(['--folder', folder, 'run', '--', process.execPath, '-e', ''])
  project.write('project/src/a.txt', 'by a person\n')
  await project.call(['--folder', folder, 'status'])
  rmSync(folder, { recursive: true })
  const missing = (await project.call(['--folder', folder, 'status'])).out.toString()
  const command = /driftline (restore .*?) {2,}creates it again/.exec(missing)?.[1]?.split(' ') ?? []
  expect((await project.call([...command, '--yes'])).code).toBe(0)
  expect(project.read('project/src/a.txt')).toBe('by a person\n')
})
