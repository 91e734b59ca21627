/** The built headless host as a separate process, called over its socket as the command line does. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import type { Client } from '../src/contract/api.ts'
import { createClient } from '../src/contract/wire.ts'
import { readEngineFile } from '../src/main/host/engine-file.ts'
import { socketChannel } from '../src/main/host/socket-channel.ts'
import { SERVE } from './recorded.ts'

export interface HostProcess {
  readonly process: ChildProcess
  readonly url: string
  readonly client: Client
  stop(): Promise<void>
}

/** Starts the host without a browser. `preload` is a module to load first. */
export async function startHost(
  dataDir: string,
  options: {
    readonly preload?: string
    readonly env?: Readonly<Record<string, string>>
    readonly args?: readonly string[]
  } = {}
): Promise<HostProcess> {
  const child = spawn(
    process.execPath,
    [
      ...(options.preload === undefined ? [] : ['--import', options.preload]),
      SERVE,
      '--no-open',
      '--stay',
      '--data',
      dataDir,
      ...(options.args ?? [])
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...options.env } }
  )
  const ended = once(child, 'exit')
  const [url] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended.then(([code]) => Promise.reject(new Error(`the host ended with ${code}`)))
  ])) as [string]
  const socket = connect(readEngineFile(dataDir)?.socket ?? '')
  await once(socket, 'connect')
  return {
    process: child,
    url,
    client: createClient(socketChannel(socket)),
    stop: async () => {
      socket.destroy()
      child.kill('SIGTERM')
      await ended
    }
  }
}

/** Resident memory in bytes; Linux only. */
export function residentMemory(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line?.[1]) * 1024
}

/** Seconds of processor time so far; Linux only. */
export function processorTime(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Waits until the process has used almost no processor time for 3 s. Fails after two minutes. */
export async function untilIdle(pid: number): Promise<void> {
  let quiet = 0
  let last = processorTime(pid)
  for (let second = 0; second < 120; second++) {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const now = processorTime(pid)
    quiet = now - last < 0.05 ? quiet + 1 : 0
    last = now
    if (quiet === 3) return
  }
  throw new Error('the host was not idle within two minutes')
}
