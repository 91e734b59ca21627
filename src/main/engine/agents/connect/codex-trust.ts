/**
 * Which of our hooks Codex may run. Codex keeps the user's decisions in its config.toml, for each file, event and index
 * in it. That shows what was trusted at some time; Codex itself reports what it runs now.
 */
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { errorCode, isUnreadable } from '../../files/fs-errors.ts'
import { findProgram, programStart } from '../../ports/programs.ts'
import { asFields, asList, parseRecord } from '../payload.ts'
import { isOwnHookCommand } from './launcher.ts'
import { type Places, REGISTRATIONS } from './registrations.ts'
import { readTextIfExists, SettingsSyntaxError } from './settings-file.ts'
import { readToml } from './toml-table.ts'

export interface CodexTrust {
  /** Number of hooks the user trusted. */
  readonly trusted: number
  /** Number of hooks the user disabled. */
  readonly off: number
}

/**
 * Trust according to Codex's settings; null when they cannot be read. `hooks` is the file with our hooks. Whether a
 * hook's text is still the trusted one, only Codex itself can report.
 */
export function readCodexTrust(folder: string, hooks: string): CodexTrust | null {
  let found: unknown
  try {
    found = readToml(readTextIfExists(join(folder, 'config.toml')) ?? '', ['hooks', 'state'])
  } catch (error) {
    if (error instanceof SettingsSyntaxError || isUnreadable(error) || errorCode(error) === 'EISDIR') return null
    throw error
  }
  const states = Object.entries((found ?? {}) as Record<string, { trusted_hash?: unknown; enabled?: unknown }>)
    .filter(([key]) => key.startsWith(`${hooks}:`))
    .map(([, state]) => state)
  return {
    trusted: states.filter(({ trusted_hash }) => typeof trusted_hash === 'string' && trusted_hash !== '').length,
    off: states.filter(({ enabled }) => enabled === false).length
  }
}

/** Codex replies in about a second. */
const TIMEOUT_MS = 5000

const INITIALIZE = { id: 1, method: 'initialize', params: { clientInfo: { name: 'driftline', version: '1' } } }
const listHooks = (cwd: string) => ({ id: 2, method: 'hooks/list', params: { cwds: [cwd] } })

/**
 * Trust according to Codex itself; null when it is not on the PATH, or does not reply in time. Never rejects. It starts
 * `codex app-server` (JSON-RPC on stdio), so only on a user's request.
 */
export function queryCodexTrust(places: Places): Promise<CodexTrust | null> {
  const cwd = places.project ?? places.home
  const program = findProgram('codex', { cwd, env: places.env })
  if (program === null) return Promise.resolve(null)
  const env = { ...withoutOwnVariables(places.env), CODEX_HOME: REGISTRATIONS.codex.folder(places) }
  const { file, args, verbatim } = programStart(program, ['app-server'], { cwd, env })
  const child = spawn(file, [...args], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsVerbatimArguments: verbatim,
    // It starts a child process; its own process group lets us end both. Windows has no groups, but would open a
    // console.
    detached: process.platform !== 'win32'
  })
  return new Promise((resolve) => {
    const settle = (answer: CodexTrust | null): void => {
      clearTimeout(timer)
      resolve(answer)
      child.stdin.end()
    }
    const timer = setTimeout(() => {
      settle(null)
      if (child.pid === undefined || child.exitCode !== null) return
      if (process.platform === 'win32') child.kill()
      else process.kill(-child.pid, 'SIGKILL')
    }, TIMEOUT_MS)
    const send = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`)
    child.once('error', () => settle(null))
    child.once('exit', () => settle(null))
    // EPIPE when it exits without reading; the exit event reports that.
    child.stdin.on('error', () => {})
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { id, result } = parseRecord(line)
      if (id === 1) {
        send({ method: 'initialized' })
        send(listHooks(cwd))
      }
      if (id === 2)
        settle(
          result === undefined
            ? null
            : parseTrust(result, REGISTRATIONS.codex.files(places)[0]?.file ?? '', places.dataDir)
        )
    })
    send(INITIALIZE)
  })
}

/** Counts our hooks of `file` in the reply. */
function parseTrust(result: unknown, file: string, dataDir: string): CodexTrust {
  const ours = asList(asFields(result).data)
    .flatMap((entry) => asList(asFields(entry).hooks).map(asFields))
    .filter(({ sourcePath }) => typeof sourcePath === 'string' && isSameFile(sourcePath, file))
    .filter(({ command }) => typeof command === 'string' && isOwnHookCommand(dataDir, 'codex', command))
  return {
    trusted: ours.filter(({ trustStatus }) => trustStatus === 'trusted' || trustStatus === 'managed').length,
    off: ours.filter(({ enabled }) => enabled === false).length
  }
}

function isSameFile(left: string, right: string): boolean {
  const [a, b] = [left, right].map((file) => statSync(file, { bigint: true, throwIfNoEntry: false }))
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino
}

/** An environment for other programs, without our own variables. */
export function withoutOwnVariables(env: Places['env']): NodeJS.ProcessEnv {
  const { DRIFTLINE_DATA: _data, DRIFTLINE_RUN: _run, ELECTRON_RUN_AS_NODE: _node, ...rest } = env
  return rest
}
