/** Runs a program and measures its wall time, and the processor time of it and its descendants. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { openShell } from '../src/main/engine/files/shell.ts'

export interface Timed {
  /** Seconds. */
  readonly wall: number
  readonly user: number
  readonly system: number
}

/** `times` of a POSIX shell is the only portable source for the processor time of grandchildren. The shell costs about 1 ms. */
const SCRIPT = '"$@"; code=$?; times >&3; exit $code'

/** Runs a program. Fails when it exits with an error. */
export async function timed(program: string, args: readonly string[], cwd?: string): Promise<Timed> {
  const started = performance.now()
  const child = spawn('sh', ['-c', SCRIPT, 'sh', program, ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd })
  })
  const times = text(child.stdio[3] as NodeJS.ReadableStream)
  const errors = text(child.stderr as NodeJS.ReadableStream)
  const [code] = (await once(child, 'exit')) as [number | null]
  const wall = (performance.now() - started) / 1000
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${await errors}`)
  const [user, system] = ((await times).trim().split('\n').at(-1) ?? '').split(/\s+/).map(fromMinutes)
  return { wall, user: user ?? Number.NaN, system: system ?? Number.NaN }
}

/** `0m1.230s` in seconds. */
function fromMinutes(written: string): number {
  const [minutes, seconds] = written.replace('s', '').split('m')
  return Number(minutes) * 60 + Number(seconds)
}

/** The longest that a disk may take, ms. */
const SYNC_MS = 600_000

/**
 * Writes dirty pages to disk, so that no measurement pays for the one before. By a shell that is kept: after a process was started,
 * each page of this one costs more where it is written for the first time.
 */
export async function settleDisk(): Promise<void> {
  using shell = openShell()
  await shell.run(['sync'], SYNC_MS)
}
