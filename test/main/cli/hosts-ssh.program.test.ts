/** A host behind the system's own ssh and sshd. No port is opened: ssh starts sshd for the one connection. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FarHost, farHost } from '../../support/far-host.ts'
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

/** The words that reach `far` by ssh, with keys and settings of their own in `folder`. */
function sshTo({ command }: FarHost, folder: string): readonly string[] {
  mkdirSync(folder, { mode: 0o700 })
  const at = (name: string): string => join(folder, name)
  for (const key of ['host', 'user'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at(key)], { stdio: 'ignore' })
  copyFileSync(at('user.pub'), at('authorized'))
  const server = [
    `HostKey ${at('host')}`,
    `AuthorizedKeysFile ${at('authorized')}`,
    'UsePAM no',
    'StrictModes no',
    'PermitRootLogin prohibit-password'
  ]
  writeFileSync(at('sshd_config'), `${server.join('\n')}\n`)
  const client = [
    'Host box',
    `  User ${userInfo().username}`,
    `  IdentityFile ${at('user')}`,
    `  UserKnownHostsFile ${at('known')}`,
    '  IdentitiesOnly yes',
    '  BatchMode yes',
    '  LogLevel ERROR',
    '  StrictHostKeyChecking accept-new',
    `  ProxyCommand /usr/sbin/sshd -i -f ${at('sshd_config')}`
  ]
  writeFileSync(at('config'), `${client.join('\n')}\n`)
  return ['ssh', '-F', at('config'), 'box', ...command]
}

test('[RH-1] [RH-2] by ssh a host is added, read and restored as any other', { tags: ['sshd'] }, async () => {
  far.write('app/a.txt', 'one\n')
  const command = sshTo(far, join(project.root, '../ssh'))
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
