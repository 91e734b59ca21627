/** Another machine for a test: a home of its own on this one, reached by a command that ends in a shell, as `ssh box` does. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isAlive } from '../../src/main/engine/ports/processes.ts'
import { dataDirOf } from '../../src/main/host/data-dir.ts'
import { readEngineFile } from '../../src/main/host/engine-file.ts'
import { killProcessesAt } from './end-recorder.ts'

export interface FarHost {
  readonly home: string
  readonly data: string
  /** What a person names after `--`. */
  readonly command: readonly string[]
  /** The builds in its data folder, sorted. */
  builds(): readonly string[]
  write(path: string, content: string): void
  read(path: string): string
  /** Runs a command line there, as a person does in a shell of that machine. */
  driftline(...args: readonly string[]): void
  /** Ends its processes and removes it. */
  remove(): void
}

export function farHost(): FarHost {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'driftline-far-')))
  const data = dataDirOf(undefined, { env: {}, platform: process.platform, home })
  const path = `${dirname(process.execPath)}:/usr/bin:/bin`
  const buildsFolder = join(data, 'builds')
  const builds = (): readonly string[] => {
    try {
      return readdirSync(buildsFolder).sort()
    } catch {
      // ENOENT: nothing is installed.
      return []
    }
  }
  return {
    home,
    data,
    command: ['env', '-u', 'XDG_DATA_HOME', `HOME=${home}`, `PATH=${path}`, 'sh'],
    builds,
    write: (name, content) => {
      mkdirSync(dirname(join(home, name)), { recursive: true })
      writeFileSync(join(home, name), content)
    },
    read: (name) => readFileSync(join(home, name), 'utf8'),
    driftline: (...args) => {
      const { DRIFTLINE_DATA: _data, DRIFTLINE_RECORDER: _recorder, XDG_DATA_HOME: _xdg, ...env } = process.env
      const program = join(buildsFolder, builds()[0] ?? '', 'driftline')
      const ended = spawnSync(program, [...args], {
        cwd: join(home, 'app'),
        env: { ...env, HOME: home, PATH: path },
        encoding: 'utf8'
      })
      if (ended.status !== 0) throw new Error(`driftline ${args.join(' ')}: ${ended.stderr}`)
    },
    remove: () => {
      const last = readEngineFile(data)
      if (last && isAlive({ pid: last.pid, start: last.start ?? '' })) process.kill(last.pid, 'SIGKILL')
      killProcessesAt(home)
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    }
  }
}

/**
 * The command of `host` through a program that is killed when `trigger` passes on its stdin, after it was passed on, and
 * only while the file `armed` exists: a connection that is cut at that moment. The files `armed.pid` and `armed.shell` name
 * the program and the shell of the host, which ends by itself some time after the cut.
 */
export function cutAt(host: FarHost, trigger: string, armed: string): readonly string[] {
  return [process.execPath, '-e', CUT, trigger, armed, ...host.command]
}

const CUT = `
const { spawn } = require('node:child_process')
const fs = require('node:fs')
const [trigger, armed, file, ...args] = process.argv.slice(1)
const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] })
fs.writeFileSync(armed + '.pid', String(process.pid))
fs.writeFileSync(armed + '.shell', String(child.pid))
child.stdout.pipe(process.stdout)
child.on('close', (code) => process.exit(code ?? 1))
process.stdin.on('end', () => child.stdin.end())
process.stdin.on('data', (data) => {
  const cuts = data.includes(trigger) && fs.existsSync(armed)
  child.stdin.write(data, () => {
    if (!cuts) return
    fs.rmSync(armed)
    process.kill(process.pid, 'SIGKILL')
  })
})`

/** A host that answers as a recorder of another version would: by method, a result or an error. */
export function standInHost(answers: Readonly<Record<string, object>>): readonly string[] {
  return [process.execPath, '-e', STAND_IN, JSON.stringify(answers), 'sh']
}

const STAND_IN = `
const { createInterface } = require('node:readline')
const answers = JSON.parse(process.argv[1])
let isReady = false
createInterface({ input: process.stdin }).on('line', (line) => {
  const marker = /driftline-[0-9a-f]{16}/.exec(line)
  if (!isReady && marker) {
    isReady = true
    console.log(marker[0] + ' ready')
  } else if (isReady && line.startsWith('{"id"')) {
    const { id, method } = JSON.parse(line)
    if (method === undefined) console.log(line)
    else console.log(JSON.stringify({ id, ...answers[method] }))
  }
})`

/**
 * A host that does what `script` says: JavaScript that sees `answer(method, params)`, which it may replace, `send(text)` for
 * a line of its own, and `ready`, a promise. It runs for each connection anew; `count` is how many there were before.
 */
export function scriptedHost(folder: string, script: string): readonly string[] {
  return [process.execPath, '-e', SCRIPTED, join(folder, 'connections'), script, 'sh']
}

const SCRIPTED = `
const { createInterface } = require('node:readline')
const fs = require('node:fs')
const [file, script] = process.argv.slice(1)
const count = fs.existsSync(file) ? fs.readFileSync(file).length : 0
fs.appendFileSync(file, '.')
const send = (text) => process.stdout.write(text + '\\n')
let begin
const ready = new Promise((resolve) => { begin = resolve })
let answer = () => ({})
let isReady = false
eval(script)
createInterface({ input: process.stdin }).on('line', async (line) => {
  const marker = /driftline-[0-9a-f]{16}/.exec(line)
  if (!isReady && marker) {
    isReady = true
    send(marker[0] + ' ready')
    begin()
  } else if (isReady && line.startsWith('{"id"')) {
    const { id, method, params } = JSON.parse(line)
    if (method === undefined) return send(line)
    const result = await answer(method, params)
    if (result !== undefined) send(JSON.stringify({ id, ...(result.error ? result : { result }) }))
  }
})`
