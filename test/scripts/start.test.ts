/** `npm start`, in a copy of the project whose programs only say how they were started. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const isRoot = process.getuid?.() === 0
const NOBODY = '127.0.0.1:1'
let root: string

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'driftline-start-')))
  cpSync(resolve('scripts'), join(root, 'scripts'), { recursive: true })
  cpSync(resolve('package.json'), join(root, 'package.json'))
  mkdirSync(join(root, 'out/main'), { recursive: true })
  mkdirSync(join(root, 'node_modules/electron'), { recursive: true })
  writeFileSync(join(root, 'node_modules/electron/install.js'), 'process.exit(1)')
  writeFileSync(join(root, 'out/main/index.js'), '')
  writeFileSync(join(root, 'out/main/serve.js'), 'console.log(["serve", ...process.argv.slice(2)].join(" "))')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Puts a program where Electron's binary would be. */
function placeElectron(script: string): void {
  mkdirSync(join(root, 'node_modules/electron/dist'), { recursive: true })
  writeFileSync(join(root, 'node_modules/electron/path.txt'), 'electron')
  writeFileSync(join(root, 'node_modules/electron/dist/electron'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(root, 'node_modules/electron/dist/electron'), 0o755)
}

function launch(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  return spawn(process.execPath, [join(root, 'scripts/start.mjs'), ...args], {
    env: { PATH: process.env.PATH ?? '', ELECTRON_MIRROR: `http://${NOBODY}`, ...env }
  })
}

async function start(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = launch(args, env)
  const [out, err, [status]] = await Promise.all([
    child.stdout?.toArray(),
    child.stderr?.toArray(),
    once(child, 'exit') as Promise<[number]>
  ])
  return { out: String(out?.join('')).trim(), err: String(err?.join('')).trim(), status }
}

const onScreen = { DISPLAY: ':99' }

describe('npm start', { tags: ['linux'] }, () => {
  test('without a display it serves the app, explains why in one line, and passes the arguments', async () => {
    const { out, err, status } = await start(['/a project', '--data', '/d'])
    expect({ out, status }).toEqual({ out: 'serve /a project --data /d', status: 0 })
    expect(err).toBe('There is no display, so Driftline runs in the browser.')
  })

  test('explains nothing when the browser was requested', async () => {
    expect(await start(['--serve', '--port', '8080'])).toMatchObject({ out: 'serve --port 8080', err: '' })
    expect(await start(['--no-open'], onScreen)).toMatchObject({ out: 'serve --no-open', err: '' })
  })

  // Root and everybody else are different cases of one rule; each machine can show one of them.
  if (isRoot) {
    test('as root, where the window has no sandbox, it serves the app unless overridden', async () => {
      placeElectron('echo "window $*"')
      expect((await start(['/project'], onScreen)).out).toBe('serve /project')
      expect((await start(['--electron', '/project'], onScreen)).out).toBe(`window --no-sandbox ${root} /project`)
    })
  } else {
    test('with a display and the binary it starts the window', async () => {
      placeElectron('echo "window $*"')
      expect(await start(['/project'], onScreen)).toMatchObject({ out: `window ${root} /project`, err: '' })
    })

    test('where the binary cannot run it serves the app', async () => {
      placeElectron('exit 127')
      const { out, err } = await start([], onScreen)
      expect(out).toBe('serve')
      expect(err).toContain('a system library is missing')
    })
  }

  test('exits with the code of the started program', async () => {
    placeElectron('exit 7')
    expect((await start(['--electron'], onScreen)).status).toBe(7)
  })

  test('a download server that never answers is given up, and asked at most once an hour', async () => {
    // The copy waits for one second instead of four.
    const file = join(root, 'scripts/electron-binary.mjs')
    const program = readFileSync(file, 'utf8')
    expect(program).toContain('TIMEOUT_MS = 4000')
    writeFileSync(file, program.replace('TIMEOUT_MS = 4000', 'TIMEOUT_MS = 1000'))
    let asked = 0
    const silent = createServer(() => asked++).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as { port: number }
    const mirror = { ...onScreen, ELECTRON_MIRROR: `http://127.0.0.1:${port}` }
    const first = await start(['--electron'], mirror)
    expect(first.status).toBe(1)
    expect(first.err).toContain('cannot be downloaded now')
    expect(asked).toBeGreaterThan(0)
    expect(existsSync(join(root, 'node_modules/.cache/driftline/electron-unreachable'))).toBe(true)
    asked = 0
    expect(await start(['--electron'], mirror)).toMatchObject({ status: 1, err: first.err })
    expect(asked).toBe(0)
    silent.close()
  })

  test('a signal reaches the started program', async () => {
    writeFileSync(
      join(root, 'out/main/serve.js'),
      'process.on("SIGTERM", () => { console.log("asked to end"); process.exit(0) }); console.log("up"); setInterval(() => {}, 1000)'
    )
    const child = launch(['--serve'])
    const said: string[] = []
    child.stdout?.on('data', (text) => {
      said.push(String(text))
      if (said.length === 1) child.kill('SIGTERM')
    })
    // Its output may end after the process.
    const [status] = await once(child, 'close')
    expect(status).toBe(0)
    expect(said.join('')).toContain('asked to end')
  })
})
