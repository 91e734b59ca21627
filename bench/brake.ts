/** The brake: a real `rm -rf` below the built `driftline run`, until its process is frozen, and the restore of what it deleted. */
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readFamily, readProcess } from '../src/main/engine/ports/process-table.ts'
import type { Figure, Row, Setting } from './figure.ts'
import { type HostProcess, startHost } from './host-process.ts'
import { CLI } from './recorded.ts'
import { inSeconds } from './statistics.ts'

const FILES = 5000
const FOLDERS = 50

export const BRAKE: Figure = {
  name: 'brake',
  measure: async (setting) => {
    if (process.platform !== 'linux') return []
    const times = setting.quick ? 1 : 5
    const rounds: Round[] = []
    for (let n = 0; n < times; n++) rounds.push(await round(setting))
    const worst = (of: (round: Round) => number): number => Math.max(...rounds.map(of))
    const [deleted, frozen, restored] = [worst((r) => r.deleted), worst((r) => r.frozen), worst((r) => r.restored)]
    return [
      {
        ...row(times, `${deleted} files`, `${((100 * deleted) / FILES).toFixed(0)} %`, '≤ 30 %, or 0.2 s'),
        figure: `\`rm -rf\` of ${FILES} files, deleted when it is frozen`,
        reached: deleted <= 0.3 * FILES || frozen <= 0.2,
        note: `the worst of ${times}; ${inSeconds(frozen)} after the process began`,
        numbers: { deleted: rounds.map((r) => r.deleted), frozen: rounds.map((r) => r.frozen) }
      },
      {
        ...row(times, inSeconds(restored), inSeconds(restored), '≤ 2 s'),
        figure: '— what it deleted is restored',
        reached: restored <= 2,
        note: 'durable and verified, then the process continues',
        numbers: { restored: rounds.map((r) => r.restored) }
      }
    ]
  }
}

function row(
  times: number,
  ours: string,
  result: string,
  target: string
): Omit<Row, 'figure' | 'reached' | 'note' | 'numbers'> {
  return { on: `${times} runs`, ours, theirs: '', result, target }
}

interface Round {
  /** Files gone when the process was frozen. */
  readonly deleted: number
  /** Seconds from when the process was first seen. */
  readonly frozen: number
  /** Seconds. */
  readonly restored: number
}

async function round(setting: Setting): Promise<Round> {
  const root = setting.folder('brake')
  const data = setting.folder('brake-data')
  for (let n = 0; n < FILES; n++) {
    const folder = join(root, 'src', `m${n % FOLDERS}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `f${n}.ts`), `export const value = ${n}\n`)
  }
  const host = await startHost(data)
  try {
    return await measureOne(host, root, data)
  } finally {
    await host.stop()
  }
}

async function measureOne({ client }: HostProcess, root: string, data: string): Promise<Round> {
  const { workspace } = await client.call('workspaces.add', { folder: root, wait: true })
  const isLive = async () =>
    (await client.call('workspace.status', { workspace: workspace.id, check: true })).watcher.state === 'live'
  while (!(await isLive())) await pause(50)
  const words = [CLI, 'run', '--data', data, '--', 'sh', '-c', 'rm -rf src; sleep 1000']
  const run = spawn(process.execPath, words, { cwd: root, stdio: 'ignore', detached: true })
  try {
    const rm = await processNamed('rm', run.pid ?? 0, 'sleep')
    const begun = performance.now()
    while (readProcess(rm)?.state !== 'T') {
      if (readProcess(rm) === null) throw new Error('the deletion was over before it was frozen')
      await pause(1)
    }
    const frozen = (performance.now() - begun) / 1000
    const deleted = FILES - countFiles(join(root, 'src'))
    const stopped = async () => (await client.call('brake.list', { workspace: workspace.id })).stopped[0]
    while (!(await stopped())) await pause(10)
    const asked = performance.now()
    await client.call('brake.restore', { workspace: workspace.id, run: (await stopped())?.run ?? '', dryRun: false })
    return { deleted, frozen, restored: (performance.now() - asked) / 1000 }
  } finally {
    // The whole group: the command, too.
    process.kill(-(run.pid ?? 0), 'SIGKILL')
  }
}

/** Rejects when the process named `after`, which begins when this one ends, is seen instead. */
async function processNamed(name: string, above: number, after: string): Promise<number> {
  for (;;) {
    for (const pid of readFamily(above)?.keys() ?? []) {
      const found = nameOf(pid)
      if (found === name) return pid
      if (found === after) throw new Error('the deletion was over before it was seen')
    }
    await pause(1)
  }
}

/** "" for a process that has ended. */
function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'latin1').trim()
  } catch {
    return ''
  }
}

function countFiles(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
}
