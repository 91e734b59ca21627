/** What is decided about a host from what its shell says, and the archive that is sent to it. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { outdatedSide } from '../../../src/contract/protocol.ts'
import type { HostFacts } from '../../../src/main/remote/connect-remote.ts'
import { shellCommand } from '../../../src/main/remote/host-command.ts'
import { installBuild, runWhatIsThere } from '../../../src/main/remote/installation.ts'
import { tarOf } from '../../../src/main/remote/tar.ts'
import { LONG } from '../../support/scale.ts'
import { tempFolder } from '../../support/tmp.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const FACTS: HostFacts = {
  system: 'Linux',
  machine: 'aarch64',
  musl: false,
  nodes: [{ version: 'v22.22.0', path: '/usr/bin/node' }],
  missing: [],
  programs: []
}
const MAC = { system: 'Darwin', machine: 'arm64' }
const install = (facts: Partial<HostFacts>) =>
  installBuild('box', { ...FACTS, ...facts }, { root: ROOT, id: 'id', onSend: () => {} })

describe('what is installed', () => {
  test('[RH-2] the build for the system of the host, with the first Node there that fits', async () => {
    const old = { version: 'v20.1.0', path: '/usr/bin/node' }
    for (const facts of LONG ? [{}, { musl: true }, MAC, { machine: 'x86_64' }] : [{ musl: true }, MAC])
      expect(await install({ nodes: [old, ...FACTS.nodes], ...facts })).toMatchObject({
        install: { id: 'id', node: '/usr/bin/node' }
      })
  })

  test('[RH-2] where it cannot be installed, a Driftline of the host is run, or the error says what to install', async () => {
    const old = [{ version: 'v20.1.0', path: '/usr/bin/node' }]
    const cases: readonly (readonly [Partial<HostFacts>, string])[] = [
      [{ nodes: [] }, 'it has no Node. Install Node 22.22 or newer there, for linux-arm64'],
      [{ nodes: old }, 'its Node is too old: v20.1.0 (/usr/bin/node). Install Node 22.22 or newer'],
      [{ nodes: [{ version: '', path: '/bin/node' }] }, 'its Node is too old'],
      [{ missing: ['head', 'tar'] }, 'it has no head and tar. Install that there.'],
      [{ system: 'FreeBSD', machine: 'riscv64' }, 'no build for FreeBSD-riscv64. Install Driftline itself there']
    ]
    for (const [facts, text] of cases) {
      await expect(install(facts)).rejects.toMatchObject({ code: 'Refused', message: expect.stringContaining(text) })
      expect(await install({ ...facts, programs: ['/opt/driftline'] })).toEqual({ run: '/opt/driftline' })
    }
  })

  test('[RH-2] a host that has another build than the last that was installed runs that', () => {
    expect(runWhatIsThere('box', { ...FACTS, programs: ['/b/new', '/b/old'] })).toEqual({ run: '/b/new' })
    expect(() => runWhatIsThere('box', FACTS)).toThrow('`driftline hosts add box` installs it again')
  })
})

test('[RH-2] a command that names no shell gets `sh`, and nothing else is added', () => {
  expect(shellCommand(['ssh', 'box'])).toEqual(['ssh', 'box', 'sh'])
  expect(shellCommand(['ssh', 'bash'])).toEqual(['ssh', 'bash'])
  expect(shellCommand(['docker', 'exec', '-i', 'web', '/bin/bash'])).toEqual([
    'docker',
    'exec',
    '-i',
    'web',
    '/bin/bash'
  ])
  expect(shellCommand(['wsl.exe', '-e'])).toEqual(['wsl.exe', '-e', 'sh'])
})

test('[RH-3] two versions understand each other while neither is older than the other still knows', () => {
  const now = { version: 3, oldest: 2 }
  expect(outdatedSide(now, { version: 2, oldest: 1 })).toBeNull()
  expect(outdatedSide(now, { version: 9, oldest: 3 })).toBeNull()
  expect(outdatedSide(now, { version: 1, oldest: 1 })).toBe('far')
  expect(outdatedSide(now, { version: 5, oldest: 4 })).toBe('near')
})

test('[RH-2] the archive is one that `tar` reads: names, bytes, and who may run them', { tags: ['posix'] }, () => {
  using temp = tempFolder()
  const to = join(temp.path, 'to')
  mkdirSync(to)
  const files = [
    { path: 'a/b/empty', content: Buffer.alloc(0) },
    { path: 'a/exact', content: Buffer.alloc(512, 7) },
    { path: 'run', content: Buffer.from('#!/bin/sh\n'), executable: true }
  ]
  const unpacked = spawnSync('tar', ['-xf', '-', '-C', to], { input: tarOf(files), encoding: 'utf8' })
  expect([unpacked.status, unpacked.stderr]).toEqual([0, ''])
  for (const { path, content } of files) expect(readFileSync(join(to, path)).equals(content), path).toBe(true)
  expect(['a/exact', 'run'].map((path) => statSync(join(to, path)).mode & 0o777)).toEqual([0o600, 0o700])
  expect(() => tarOf([{ path: 'x'.repeat(101), content: Buffer.alloc(0) }])).toThrow('too long')
})
