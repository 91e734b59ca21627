/**
 * Asks Codex itself which hooks it runs: exact, where its config.toml only tells what was trusted once. It starts Codex's own
 * server for that, so only on a person's request.
 */
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { asFields, asList, parseRecord } from '../payload.ts'
import type { CodexTrust } from './codex-trust.ts'
import { isOwnHookCommand } from './launcher.ts'
import { findOnPath } from './presence.ts'
import { type Places, REGISTRATIONS } from './registrations.ts'

/** It answers in about a second. */
const TIMEOUT_MS = 5000

const HELLO = { id: 1, method: 'initialize', params: { clientInfo: { name: 'driftline', version: '1' } } }
const listHooks = (cwd: string) => ({ id: 2, method: 'hooks/list', params: { cwds: [cwd] } })

/** Null when there is no Codex on the PATH, or none that answers this in 5 s. Never rejects. */
export function queryCodexTrust(places: Places): Promise<CodexTrust | null> {
  const program = findOnPath('codex', places.env.PATH)
  if (program === null) return Promise.resolve(null)
  const cwd = places.project ?? places.home
  const child = spawn(program, ['app-server'], {
    cwd,
    env: { ...withoutOwnVariables(places.env), CODEX_HOME: REGISTRATIONS.codex.folder(places) },
    stdio: ['pipe', 'pipe', 'ignore'],
    // It starts the program behind it, which is ended with it.
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
    const say = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`)
    child.once('error', () => settle(null))
    child.once('exit', () => settle(null))
    // It may end without reading, which its exit says.
    child.stdin.on('error', () => {})
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { id, result } = parseRecord(line)
      if (id === 1) {
        say({ method: 'initialized' })
        say(listHooks(cwd))
      }
      if (id === 2)
        settle(
          result === undefined
            ? null
            : parseTrust(result, REGISTRATIONS.codex.files(places)[0]?.file ?? '', places.dataDir)
        )
    })
    say(HELLO)
  })
}

/** What it says of our hooks in `file`. */
function parseTrust(result: unknown, file: string, dataDir: string): CodexTrust {
  const ours = asList(asFields(result).data)
    .flatMap((one) => asList(asFields(one).hooks).map(asFields))
    .filter(({ sourcePath }) => typeof sourcePath === 'string' && isSameFile(sourcePath, file))
    .filter(({ command }) => typeof command === 'string' && isOwnHookCommand(dataDir, 'codex', command))
  return {
    trusted: ours.filter(({ trustStatus }) => trustStatus === 'trusted' || trustStatus === 'managed').length,
    off: ours.filter(({ enabled }) => enabled === false).length
  }
}

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((file) => statSync(file, { bigint: true, throwIfNoEntry: false }))
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino
}

/** Surroundings without our own, for a program that is not ours. */
export function withoutOwnVariables(env: Places['env']): NodeJS.ProcessEnv {
  const { DRIFTLINE_DATA: _data, DRIFTLINE_RUN: _run, ELECTRON_RUN_AS_NODE: _node, ...rest } = env
  return rest
}
