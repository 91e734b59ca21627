/** The system's own ssh and sshd for a test. No port is opened unless one is named: ssh starts sshd for the one connection. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { FarHost } from './far-host.ts'

/**
 * The words that reach `far` by ssh, with keys and settings of their own in `folder`. `port`: where an sshd with the settings
 * `sshd_config` there is reached; without one ssh starts it.
 */
export function equipSsh({ command }: Pick<FarHost, 'command'>, folder: string, port?: number): readonly string[] {
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
    port === undefined
      ? `  ProxyCommand /usr/sbin/sshd -i -f ${at('sshd_config')}`
      : `  HostName 127.0.0.1\n  Port ${port}`
  ]
  writeFileSync(at('config'), `${client.join('\n')}\n`)
  return ['ssh', '-F', at('config'), 'box', ...command]
}
