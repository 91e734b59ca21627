/**
 * The built command line on Windows: what its disks, shells and programs do differently. Each scenario ends by comparing bytes. They
 * run on Windows, and under Wine with `npm run test:windows`.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CliProject, createCliProject, waitForExit, waitForOutput } from '../main/cli/cli-project.ts'
import { CLI } from '../support/programs.ts'
import { readTree, type Tree } from '../support/tree.ts'

interface RunDoc {
  run: string
  exitCode: number
  files: { path: string; change: string }[]
}
interface ResultDoc {
  state: string
  items: { path: string; result: string; reason?: string }[]
}

let project: CliProject
const started: { child: ChildProcess; end: Promise<unknown> }[] = []

beforeEach(() => {
  project = createCliProject()
})
afterEach(async () => {
  for (const { child, end } of started.splice(0)) {
    child.kill()
    await end
  }
  project.remove()
})

const tree = (): Tree => readTree(project.root)
const json = async <T>(args: readonly string[], code = 0): Promise<T> => {
  const called = await project.json<T>(args)
  expect(called, args.join(' ')).toMatchObject({ code })
  return called.doc
}
/** Records a Node script as a run. */
const run = (script: string): Promise<RunDoc> =>
  json<RunDoc>(['run', '--', process.execPath, '-e', `const fs = require('node:fs');${script}`])
const restored = (result: ResultDoc): void => expect(result).toMatchObject({ state: 'done' })

describe('on Windows', { tags: ['windows'] }, () => {
  test('[CP-6] [RS-6] record, diff, restore, undo, redo, undo-run, drift and doctor, with every byte', async () => {
    project.write('crlf.txt', 'one\r\ntwo\r\n')
    project.write('src/deep/ü.bin', Buffer.from([0, 255, 13, 10, 26, 0]))
    project.write('gone.txt', 'will be deleted')
    await json(['add'])
    const before = tree()
    const { run: id, files } = await run(
      `fs.writeFileSync('crlf.txt','one\\r\\n2\\r\\n');fs.rmSync('gone.txt');fs.writeFileSync('src/deep/ü.bin',Buffer.from([26]));fs.mkdirSync('new');fs.writeFileSync('new/x','x')`
    )
    expect(files.map(({ path, change }) => `${change} ${path}`)).toEqual([
      ...['modified crlf.txt', 'deleted gone.txt', 'added new/x', 'modified src/deep/ü.bin']
    ])
    const after = tree()
    expect(after).not.toEqual(before)
    expect((await json<{ patch: string }>(['diff', id])).patch).toContain('GIT binary patch')
    restored(await json(['restore', id, '--yes']))
    expect(tree()).toEqual(before)
    restored(await json(['undo', '--yes']))
    expect(tree()).toEqual(after)
    restored(await json(['redo', '--yes']))
    restored(await json(['undo', '--yes']))
    restored(await json(['undo-run', id, '--yes']))
    expect(tree()).toEqual(before)
    project.write('crlf.txt', 'by hand\r\n')
    const { drift } = await json<{ drift: { id: string; paths: string[] }[] }>(['drift'])
    expect(drift.map(({ paths }) => paths)).toEqual([['crlf.txt']])
    restored(await json(['drift', 'restore', drift[0]?.id ?? '', '--yes']))
    expect(tree()).toEqual(before)
    expect(await json(['doctor'])).toMatchObject({ ok: true })
  })

  test('[RN-1] run starts a .cmd by its name, with its arguments, and passes its exit code on', async () => {
    project.write(
      'tools/show.mjs',
      `import { writeFileSync } from 'node:fs'
writeFileSync('args.json', JSON.stringify(process.argv.slice(2)))
process.exit(7)`
    )
    project.write('tools/tool.cmd', `@echo off\r\n"${process.execPath}" "%~dp0show.mjs" %*\r\n`)
    await json(['add'])
    const before = tree()
    project.env.PATH = `${join(project.root, 'tools')};${process.env.PATH}`
    const words = ['a b', 'say "x & y"', '%PATH%', '100%', '^', '', 'C:\\']
    const { run: id, files } = await json<RunDoc>(['run', '--', 'tool', ...words], 7)
    expect(files.map(({ path }) => path)).toEqual(['args.json'])
    expect(JSON.parse(project.read('args.json'))).toEqual(words)
    expect((await project.call(['run', '--', 'no-such-tool'])).code).toBe(127)
    expect((await project.call(['run', '--', 'tool', 'a\nb'])).code).toBe(126)
    restored(await json(['undo-run', id, '--yes']))
    expect(tree()).toEqual(before)
  })

  test('[BI-1] bisect finds the edit after which a line of cmd fails, and at runs one, in copies of the folder', async () => {
    project.write('rate.txt', 'rate 1\r\n')
    await json(['add'])
    await run(`fs.writeFileSync('one.txt','1')`)
    const { run: culprit } = await run(`fs.appendFileSync('rate.txt','BUG')`)
    await run(`fs.writeFileSync('two.txt','2')`)
    const before = tree()
    // As the window starts it; with quotes, which cmd reads itself.
    const check = `"${process.execPath}" -e "process.exit(fs.readFileSync('rate.txt','utf8').includes('BUG') ? 1 : 0)"`
    const found = await json(['bisect', '--', 'cmd', '/d', '/s', '/c', check])
    expect(found).toMatchObject({ state: 'found', culprit: { run: culprit, paths: ['rate.txt'] } })
    const then = `"${process.execPath}" -e "process.exit(fs.existsSync('one.txt') ? 1 : 3)"`
    expect((await project.call(['at', 'seq:0', '--', 'cmd', '/d', '/s', '/c', then])).code).toBe(3)
    expect(tree()).toEqual(before)
    expect(readdirSync(join(project.data, 'positions'))).toEqual([])
  })

  test('[CP-6] a read-only file that a run changed is restored, and stays read-only', async () => {
    project.write('locked.txt', 'before')
    chmodSync(join(project.root, 'locked.txt'), 0o444)
    await json(['add'])
    const { run: id } = await run(
      `fs.chmodSync('locked.txt',0o666);fs.writeFileSync('locked.txt','after');fs.chmodSync('locked.txt',0o444)`
    )
    restored(await json(['undo-run', id, '--yes']))
    expect(project.read('locked.txt')).toBe('before')
    expect(statSync(join(project.root, 'locked.txt')).mode & 0o222).toBe(0)
    chmodSync(join(project.root, 'locked.txt'), 0o666)
  })

  test('[RS-5] a file that a program holds open is named, and restored once it is closed', async () => {
    project.write('a.txt', 'a')
    await json(['add'])
    const sqlite = JSON.stringify(join(import.meta.dirname, '../../node_modules/better-sqlite3'))
    const make = `const db = require(${sqlite})('held.db');db.exec('create table t(x)');`
    const { run: id } = await run(`${make}db.close();fs.writeFileSync('a.txt','changed')`)
    const holder = spawn(
      process.execPath,
      [
        '-e',
        `require(${sqlite})('held.db').prepare('select * from t').all();console.log('open');setInterval(()=>{},1000)`
      ],
      {
        cwd: project.root
      }
    )
    started.push({ child: holder, end: waitForExit(holder) })
    await waitForOutput(holder.stdout, 'open')
    const partial = await json<ResultDoc>(['undo-run', id, '--yes'], 4)
    expect(partial.state).toBe('partial')
    expect(partial.items.filter(({ result }) => result === 'failed').map(({ path }) => path)).toEqual(['held.db'])
    holder.kill()
    await started.pop()?.end
    restored(await json(['undo-run', id, '--yes']))
    expect(readdirSync(project.root)).toEqual(['a.txt'])
    expect(project.read('a.txt')).toBe('a')
  })

  test('[CP-6] [CP-7] a rename of case only is undone, and paths are found in every case', async () => {
    project.write('Src/B.js', 'b')
    await json(['add'])
    const before = tree()
    const { run: id } = await run(`fs.renameSync('Src/B.js','Src/x');fs.renameSync('Src/x','Src/b.JS')`)
    expect(Object.keys(tree())).toContain('Src/b.JS')
    const history = await json<{ versions: unknown[] }>(['history', 'SRC\\B.js'])
    expect(history).toEqual(await json(['history', 'Src/b.JS']))
    restored(await json(['undo-run', id, '--yes']))
    expect(tree()).toEqual(before)
  })

  test('[CP-6] paths longer than 260 characters', async () => {
    const path = `${'folder-of-some-length/'.repeat(14)}file.txt`
    project.write(path, 'before')
    await json(['add'])
    const { run: id } = await run(`fs.writeFileSync(${JSON.stringify(path)},'after')`)
    restored(await json(['undo-run', id, '--yes']))
    expect(project.read(path)).toBe('before')
  })

  test('[GW-2] a command reaches the host through its named pipe', async () => {
    project.write('a.txt', 'a')
    await json(['add'])
    const host = project.start(['serve', '--no-open', '--stay'])
    started.push({ child: host, end: waitForExit(host) })
    await waitForOutput(host.stdout!, '#token=')
    expect(await json(['status'])).toMatchObject({ recording: true })
    const { run: id } = await run(`fs.writeFileSync('a.txt','b')`)
    restored(await json(['undo-run', id, '--yes']))
    expect(project.read('a.txt')).toBe('a')
  })

  test('[GW-6] --data names the data folder, also of a hook', async () => {
    project.write('a.txt', 'a')
    const data = join(project.data, 'in a folder & more')
    delete project.env.DRIFTLINE_DATA
    await json(['add', '--data', data])
    const input = { session_id: 's', cwd: project.root, hook_event_name: 'UserPromptSubmit', prompt: 'a prompt' }
    const args = [CLI, 'hook', 'claude-code', 'UserPromptSubmit', '--data', data]
    const called = spawnSync(process.execPath, args, {
      cwd: project.root,
      env: project.env,
      input: JSON.stringify(input)
    })
    expect([called.status, `${called.stdout}${called.stderr}`]).toEqual([0, ''])
    const { entries } = await json<{ entries: { title: string }[] }>(['log', '--data', data, '--kind', 'run'])
    expect(entries.map(({ title }) => title)).toEqual(['a prompt'])
  })

  test('[GW-7] connected Claude Code: its hooks, run by cmd, record a run; disconnecting leaves nothing', async () => {
    project.write('a.txt', 'a')
    await json(['add'])
    const home = join(project.data, '..', 'home of Zoë')
    mkdirSync(join(home, '.claude'), { recursive: true })
    Object.assign(project.env, { USERPROFILE: home, HOME: home, CLAUDE_CONFIG_DIR: join(home, '.claude') })
    const { file } = await json<{ file: string }>(['connect', 'claude-code'])
    const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as {
      hooks: Record<string, { hooks: { command: string }[] }[]>
    }
    const send = (event: string, more: object = {}): void => {
      const input = JSON.stringify({ session_id: 's', cwd: project.root, hook_event_name: event, ...more })
      const { DRIFTLINE_DATA: _, ...env } = project.env
      const command = hooks[event]?.[0]?.hooks[0]?.command ?? ''
      const called = spawnSync(command, { shell: true, cwd: project.root, env, input })
      expect([event, called.status, `${called.stdout}${called.stderr}`]).toEqual([event, 0, ''])
    }
    const tool = {
      tool_name: 'Write',
      tool_use_id: 't',
      tool_input: { file_path: join(project.root, 'A.TXT'), content: 'b' }
    }
    send('UserPromptSubmit', { prompt: 'change it' })
    expect(
      (await json<{ activeRuns: unknown[] }>(['status'])).activeRuns,
      'its shell has ended, the run has not'
    ).toHaveLength(1)
    send('PreToolUse', tool)
    project.write('a.txt', 'b')
    send('PostToolUse', tool)
    send('Stop')
    const { entries } = await json<{ entries: { id: string; title: string; state: string }[] }>([
      'log',
      '--kind',
      'run'
    ])
    expect(entries).toMatchObject([{ title: 'change it', state: 'ended' }])
    const { files } = await json<{ files: object[] }>(['diff', entries[0]?.id ?? ''])
    expect(files).toMatchObject([{ path: 'a.txt', attribution: 'declared' }])
    restored(await json(['undo-run', entries[0]?.id ?? '', '--yes']))
    expect(project.read('a.txt')).toBe('a')
    await json(['disconnect', 'claude-code'])
    expect(existsSync(file)).toBe(false)
    rmSync(home, { recursive: true, force: true })
  })
})
