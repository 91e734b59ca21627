/** Starts a host of the built app with a page on it, the same way for Electron, its stand-in and the headless host. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { _electron, type ElectronApplication, type Page } from 'playwright-core'
import { findBrowser, TEST_SWITCHES } from './browser.ts'
import { electronProgram } from './electron-program.ts'
import { giveBackTab, takeTab } from './shared-browser.ts'

export type HostName = 'electron' | 'server'

export interface RunningHost {
  /** `shim` is the stand-in for Electron's binary. */
  readonly kind: 'electron' | 'shim' | 'server'
  readonly page: Page
  readonly dataDir: string
  /** Only of the headless host. */
  readonly url: string | undefined
  /** Only of Electron and its stand-in. */
  readonly app: ElectronApplication | undefined
  readonly process: ChildProcess
  /** Stops the host and removes its data folder, unless the test passed one. */
  close(): Promise<void>
}

export interface HostStart {
  readonly dataDir?: string
  /** Arguments for the host, such as a folder to open. */
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Called with the page before it is loaded. Only of the headless host. */
  readonly beforeLoad?: (page: Page) => Promise<unknown>
}

const ROOT = resolve(import.meta.dirname, '../..')
export const BROWSER = findBrowser()
export const VIEWPORT = { width: 1280, height: 800 }

/**
 * Environment of a host under test, without the user's own data, agents, editor and display settings. Its home folder is in its
 * data folder, and goes with it.
 */
export function hostEnv(dataDir: string, extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const {
    DRIFTLINE_DATA: _data,
    VISUAL: _visual,
    EDITOR: _editor,
    NODE_OPTIONS: _options,
    CLAUDE_CONFIG_DIR: _claude,
    CODEX_HOME: _codex,
    XDG_CONFIG_HOME: _config,
    ...rest
  } = process.env
  return {
    ...(rest as Record<string, string>),
    HOME: join(dataDir, 'home'),
    ELECTRON_SHIM_NODE: process.execPath,
    ELECTRON_SHIM_CHROMIUM: BROWSER ?? '',
    ELECTRON_SHIM_SWITCHES: TEST_SWITCHES.join(' '),
    ...extra
  }
}

export function tempDir(name: string): string {
  return realpathSync(mkdtempSync(join(tmpdir(), `driftline-${name}-`)))
}

/** Starts the built host. Requires `npm run build`. */
export function startHost(name: HostName, start: HostStart = {}): Promise<RunningHost> {
  const dataDir = start.dataDir ?? tempDir('data')
  const forget = (): void => {
    if (start.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
  }
  return name === 'electron' ? startElectron(start, dataDir, forget) : startServer(start, dataDir, forget)
}

async function startElectron(start: HostStart, dataDir: string, forget: () => void): Promise<RunningHost> {
  const { path, real } = electronProgram()
  const app = await _electron.launch({
    executablePath: path,
    args: ['.', '--data', dataDir, ...(start.args ?? [])],
    cwd: ROOT,
    env: hostEnv(dataDir, start.env)
  })
  app.process().stderr?.on('data', (text: Buffer) => {
    if (!/Debugger (listening|attached|ending)|DevTools listening|inspector|debugging/.test(String(text))) {
      process.stderr.write(text)
    }
  })
  const page = await app.firstWindow()
  await page.waitForURL((url) => url.protocol !== 'about:')
  return {
    kind: real ? 'electron' : 'shim',
    page,
    dataDir,
    url: undefined,
    app,
    process: app.process(),
    close: async () => {
      await app.close()
      forget()
    }
  }
}

/** The address that the shared tab showed last: a browser compiles the same scripts anew for each address. */
let lastPort: string | undefined

async function startServer(start: HostStart, dataDir: string, forget: () => void): Promise<RunningHost> {
  const portFile = join(dataDir, 'port')
  if (lastPort && !existsSync(portFile)) writeFileSync(portFile, lastPort)
  const served = await serveProcess(dataDir, start.args, start.env)
  lastPort = new URL(served.line).port
  const page = await takeTab(VIEWPORT)
  await start.beforeLoad?.(page)
  await page.goto(served.line)
  return {
    kind: 'server',
    page,
    dataDir,
    url: served.line,
    app: undefined,
    process: served.process,
    close: async () => {
      await giveBackTab(page)
      await served.stop()
      forget()
    }
  }
}

export interface ServeProcess {
  readonly process: ChildProcess
  /** The only line on its stdout. */
  readonly line: string
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>
  /** Sends SIGTERM. Resolves with the exit code. */
  stop(): Promise<number | null>
}

/** Starts the built headless host without a page and waits for its line. Rejects when it exits without one. */
export async function serveProcess(
  dataDir: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {}
): Promise<ServeProcess> {
  const child = spawn(process.execPath, [join(ROOT, 'out/main/serve.js'), '--data', dataDir, '--no-open', ...args], {
    env: hostEnv(dataDir, env),
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([first]) => String(first)),
    ended.then((code) => {
      throw new Error(`serve ended with ${code} before it printed its address`)
    })
  ])
  return {
    process: child,
    line,
    ended,
    stop: () => {
      child.kill('SIGTERM')
      return ended
    }
  }
}
