import { spawn } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { quoteShell } from '../../../src/contract/words/shell.ts'
import { CLI } from '../../support/programs.ts'
import { type CallResult, type CliProject, createCliProject, waitForExit, waitForOutput } from './cli-project.ts'

describe('on a terminal', { tags: ['terminal'] }, () => {
  let project: CliProject

  /** Runs `driftline` on a pseudo terminal; answers the question with `answer`. */
  async function onTerminal(words: readonly string[], answer = ''): Promise<CallResult> {
    const line = [process.execPath, CLI, ...words].map(quoteShell).join(' ')
    const child = spawn('script', ['-qec', line, '/dev/null'], {
      cwd: project.root,
      env: { ...project.env, TERM: 'xterm-256color' },
      stdio: ['pipe', 'pipe', 'pipe']
    })
    let seen = ''
    child.stdout.on('data', (data: Buffer) => {
      if (seen.includes('[y/N]')) return
      seen += data.toString('utf8')
      if (seen.includes('[y/N]')) child.stdin.end(`${answer}\n`)
    })
    return waitForExit(child)
  }

  beforeEach(async () => {
    project = createCliProject()
    project.write('a.txt', 'a\n')
    await project.add()
    await project.run('bad \u001b[2J title', () => {
      project.write('a.txt', 'A\n')
      project.write('evil\u202e\u001b[2Jx', '\u001b[31m')
    })
  })
  afterEach(() => project.remove())

  test('a restore shows its plan and asks; any answer but yes writes nothing and exits 3', async () => {
    const { code, out } = await onTerminal(['restore', 'latest', 'a.txt'], '')
    expect([code, out.toString()]).toEqual([3, expect.stringContaining('Restore 1 file? [y/N]')])
    expect(project.read('a.txt')).toBe('A\n')
  })

  test('yes writes', async () => {
    expect((await onTerminal(['restore', 'latest', 'a.txt'], 'y')).code).toBe(0)
    expect(project.read('a.txt')).toBe('a\n')
    expect((await project.call(['undo', '--yes'])).code).toBe(0)
    expect(project.read('a.txt')).toBe('A\n')
  })

  test('--json never asks', async () => {
    const { code, out } = await onTerminal(['restore', 'latest', '--json'])
    expect([code, out.toString().includes('[y/N]')]).toEqual([3, false])
  })

  test('text that is not UTF-8 is decoded on a terminal; a pipe gets the exact patch', async () => {
    project.write('latin.txt', Buffer.from('gr\xfcn\n', 'latin1'))
    await project.call(['status'])
    const run = await project.run('edit', () => project.write('latin.txt', Buffer.from('gr\xfcner\n', 'latin1')))
    const read = (await project.callOnTerminal(['diff', run])).out.toString()
    for (const words of ['encoding Windows-1252 (guess)', '-grün', '+grüner']) expect(read).toContain(words)
    expect((await project.call(['diff', run])).out.toString()).toContain('GIT binary patch')
  })

  test('names, titles and contents cannot control the terminal or add colours', async () => {
    const shown: string[] = [(await project.callOnTerminal(['diff', 'latest'])).out.toString('utf8')]
    expect(shown[0]).toContain('\u001b[32m+')
    for (const words of [['log'], ['status'], ['restore', 'latest', '--dry-run'], ['show', 'latest', '--json']]) {
      shown.push((await project.callOnTerminal(words)).out.toString('utf8'))
    }
    for (const text of shown) {
      const ours = text.replaceAll(/\u001b\[[0-9;]*m/g, '').replaceAll('\u001b[K', '')
      expect(ours.match(/[\u0000-\u0009\u000b\u000c\u000e-\u001f\u202e]/), text).toBe(null)
    }
    expect((await project.call(['diff', 'latest'])).out.toString()).not.toContain('\u001b[32m+A')
  })

  test('[UI-4] what may be secret is not shown on a terminal unless it is asked for; a pipe gets every byte', async () => {
    const written = 'API_KEY=verysecretvalue\n'
    const run = await project.run('edit', () => {
      project.write('.env', written)
      project.write('b.txt', 'plain')
    })
    const commands = [
      ['diff', run],
      ['cat', `${run}:end`, '.env'],
      ['blame', '.env'],
      ['show', run]
    ]
    for (const words of commands) {
      const { out, err } = await project.callOnTerminal(words)
      const shown = `${out}${err}`
      expect(shown, words.join(' ')).not.toContain('verysecretvalue')
      if (words[0] === 'show') continue
      expect(shown).toContain('may contain secrets')
      const asked = (await project.callOnTerminal([...words, '--secrets'])).out.toString()
      expect(asked, words.join(' ')).toContain('verysecretvalue')
    }
    expect((await project.callOnTerminal(['diff', run])).out.toString()).toContain('+plain')
    expect((await project.call(['cat', `${run}:end`, '.env'])).out.toString()).toBe(written)
    expect((await project.call(['diff', run])).out.toString()).toContain('+API_KEY=verysecretvalue')
  })

  test('Ctrl-C reaches the command once, and its run is closed', async () => {
    const script =
      'let n = 0; process.on("SIGINT", () => { n++; setTimeout(() => process.exit(40 + n), 100) }); console.log("ready"); setInterval(() => {}, 1000)'
    const line = [process.execPath, CLI, 'run', '--', process.execPath, '-e', script]
    const child = spawn('script', ['-qec', `exec ${line.map(quoteShell).join(' ')}`, '/dev/null'], {
      cwd: project.root,
      env: project.env,
      stdio: ['pipe', 'pipe', 'pipe']
    })
    const end = waitForExit(child)
    await waitForOutput(child.stdout, 'ready')
    child.stdin.write('\u0003')
    const { code, out } = await end
    expect([code, out.toString()]).toEqual([41, expect.stringContaining('recorded run_')])
  })
})
