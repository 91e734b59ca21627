/** A host behind the system's own ssh and sshd. No port is opened: ssh starts sshd for the one connection. */
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FarHost, farHost } from '../../support/far-host.ts'
import { equipSsh } from '../../support/ssh-to.ts'
import { type CliProject, createCliProject } from './cli-project.ts'

let project: CliProject
let far: FarHost

beforeEach(() => {
  project = createCliProject()
  far = farHost()
})
afterEach(() => {
  far.remove()
  project.remove()
})

test('[RH-1] [RH-2] by ssh a host is added, read and restored as any other', { tags: ['sshd', 'long'] }, async () => {
  far.write('app/a.txt', 'one\n')
  const command = equipSsh(far, join(project.root, '../ssh'))
  const added = await project.call(['hosts', 'add', 'box', '--', ...command])
  expect(added).toMatchObject({ code: 0, err: '' })
  const on = (...args: readonly string[]) => project.call(['--host', 'box', ...args])
  expect((await on('add', join(far.home, 'app'))).code).toBe(0)
  far.driftline('run', '--', 'sh', '-c', 'echo two > a.txt')
  expect((await on('diff', 'latest')).out.toString()).toContain('-one\n+two\n')
  expect((await on('undo-run', 'latest', '--yes')).code).toBe(0)
  expect(far.read('app/a.txt')).toBe('one\n')
  const wrong = await project.call(['hosts', 'add', 'other', '--', ...command.slice(0, 3), 'nobody@box', 'sh'])
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('Couldn’t reach other')])
})
