/**
 * Queries Codex for the hooks it runs. This is exact, while config.toml only shows what was trusted at some time. It
 * starts `codex app-server` (JSON-RPC on stdio), so only on a user's request.
 */
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { asFields, asList, parseRecord } from '../payload.ts'
import type { CodexTrust } from './codex-trust.ts'
import { isOwnHookCommand } from './launcher.ts'
import { findOnPath } from './presence.ts'
import { type Places, REGISTRATIONS } from './registrations.ts'

/** Codex replies in about a second. */
const TIMEOUT_MS = 5000

const INITIALIZE = { id: 1, method: 'initialize', params: { clientInfo: { name: 'driftline', version: '1' } } }
const listHooks = (cwd: string) => ({ id: 2, method: 'hooks/list', params: { cwds: [cwd] } })

/** Null when Codex is not on the PATH, or does not reply in time. Never rejects. */
export function queryCodexTrust(places: Places): Promise<CodexTrust | null> {
  const program = findOnPath('codex', places.env.PATH)
  if (program === null) return Promise.resolve(null)
  const cwd = places.project ?? places.home
  const child = spawn(program, ['app-server'], {
    cwd,
    env: { ...withoutOwnVariables(places.env), CODEX_HOME: REGISTRATIONS.codex.folder(places) },
    stdio: ['pipe', 'pipe', 'ignore'],
    // It starts a child process; its own process group lets us end both.
    detached: true
  })
  return new Promise((resolve) => {
    const settle = (answer: CodexTrust | null): void => {
      clearTimeout(timer)
      resolve(answer)
      child.stdin.end()
    }
    const timer = setTimeout(() => {
      settle(null)
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
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
