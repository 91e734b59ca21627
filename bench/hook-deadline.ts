/** How long an agent waits for a hook at worst: for input that does not end, much input, many spooled events, a hanging host. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import type { Figure, Row, Setting } from './figure.ts'
import { record } from './recorded.ts'
import { inSeconds } from './statistics.ts'

const HOOK = resolve(import.meta.dirname, '../out/main/hook.cjs')
/** Seconds: the deadline of the hook's work, and the start and end of its process on a busy computer. */
const TARGET = 4
const FILES = 100
const SPOOLED = 1200
const PROMPT_BYTES = 80 * 1024 * 1024

interface Case {
  readonly on: string
  /** What is written to stdin; `ends`: whether stdin is closed then. */
  readonly input: string
  readonly ends: boolean
  /** Prepares the data folder; the result ends that. */
  prepare?(data: string): Promise<() => void> | undefined
}

export const HOOK_DEADLINE: Figure = {
  name: 'hook-deadline',
  measure: async (setting) => {
    const rows: Row[] = []
    const tree = await setting.generated(FILES)
    for (const each of casesIn(tree)) rows.push(await measured(setting, tree, each))
    return rows
  }
}

function casesIn(tree: string): Case[] {
  const event = (prompt: string): string =>
    JSON.stringify({ session_id: 's', cwd: tree, hook_event_name: 'UserPromptSubmit', prompt })
  return [
    { on: 'stdin that stays open and empty', input: '', ends: false },
    { on: 'stdin that stays open after the event', input: event('x'), ends: false },
    { on: 'a prompt of 80 MB', input: event('many words\n'.repeat(PROMPT_BYTES / 11)), ends: true },
    { on: `${SPOOLED} spooled events`, input: event('x'), ends: true, prepare: (data) => spool(data, tree) },
    { on: 'a hanging host', input: event('x'), ends: true, prepare: startHangingHost }
  ]
}

async function measured(setting: Setting, tree: string, { on, input, ends, prepare }: Case): Promise<Row> {
  const data = await record(setting, tree)
  const finish = await prepare?.(data)
  const started = performance.now()
  const hook = spawn(process.execPath, [HOOK, 'hook', 'claude-code', 'UserPromptSubmit'], {
    env: { ...process.env, DRIFTLINE_DATA: data },
    stdio: ['pipe', 'ignore', 'ignore']
  })
  // Expected: a hook whose time is over does not read the rest.
  hook.stdin.on('error', () => undefined)
  hook.stdin.write(input)
  if (ends) hook.stdin.end()
  const [status] = (await once(hook, 'exit')) as [number | null]
  const seconds = (performance.now() - started) / 1000
  hook.stdin.destroy()
  finish?.()
  if (status !== 0) throw new Error(`a hook ended with ${status}: ${on}`)
  return {
    figure: 'a hook at worst',
    on,
    ours: inSeconds(seconds),
    theirs: '',
    result: inSeconds(seconds),
    target: `<= ${inSeconds(TARGET)}`,
    reached: seconds <= TARGET,
    note: '',
    numbers: { seconds }
  }
}

function spool(data: string, tree: string): undefined {
  const folder = join(data, 'spool')
  mkdirSync(folder, { recursive: true })
  const since = Date.now() - 100_000
  for (let i = 0; i < SPOOLED; i++) {
    const payload = { session_id: `s${i % 9}`, cwd: tree, hook_event_name: 'UserPromptSubmit', prompt: `${i}` }
    const head = { id: `spooled-${i}`, agent: 'claude-code', event: 'UserPromptSubmit', at: since + i }
    const spooled = { ...head, process: { pid: 0, start: '' }, payload }
    writeFileSync(join(folder, `${since + i}-1-x.json`), JSON.stringify(spooled))
  }
}

async function startHangingHost(data: string): Promise<() => void> {
  const socket = join(data, 'engine.sock')
  const server = createServer((channel) => channel.resume().on('error', () => undefined))
  server.listen(socket)
  await once(server, 'listening')
  const host = { pid: process.pid, socket, version: '0', startedAt: 0, kind: 'server' }
  writeFileSync(join(data, 'engine.json'), JSON.stringify(host), { mode: 0o600 })
  return () => {
    server.close()
    rmSync(join(data, 'engine.json'))
  }
}
