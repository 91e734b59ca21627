/** Starting while another host runs on the same data folder: find it, wait for it, or take its place. */
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { DriftlineError } from '../../contract/errors.ts'
import { createClient } from '../../contract/wire.ts'
import { type EngineFile, readEngineFile } from './engine-file.ts'
import { registerFolder } from './register-folder.ts'
import { socketChannel } from './socket-channel.ts'

/** The error for a second host on one data folder. */
export function secondHostError(dataDir: string): DriftlineError {
  const running = readEngineFile(dataDir)
  const owner = running ? `process ${running.pid}` : 'another process'
  return new DriftlineError(
    'SecondHost',
    `Driftline already runs on ${dataDir} (${owner}). Nothing was changed. Use that one, or choose another data folder with --data.`,
    { dataDir, ...(running ? { pid: running.pid } : {}) }
  )
}

/** How long to wait for a host that is just starting or exiting, ms. */
const SETTLE_TIMEOUT_MS = 10_000

/**
 * Becomes the host with `open`, or returns the running host after registering `folder` with it. Waits for a host that is just
 * starting until it has a URL, and for one that is just exiting until its lock is free. Throws `SecondHost` when the running
 * host does not answer or is a window, which has no URL.
 */
export async function openOrFindHost<H>(
  open: () => Promise<H>,
  dataDir: string,
  folder: string | undefined,
  timeout = SETTLE_TIMEOUT_MS
): Promise<{ readonly host: H } | { readonly running: RunningHost & { readonly url: string } }> {
  const end = performance.now() + timeout
  for (;;) {
    try {
      return { host: await open() }
    } catch (error) {
      if (!(error instanceof DriftlineError) || error.code !== 'SecondHost') throw error
      const running = await findRunningHost(dataDir, folder)
      if (running?.url) return { running: { ...running, url: running.url } }
      if (running?.kind === 'electron' || performance.now() > end) throw error
      await pause(100)
    }
  }
}

export interface RunningHost extends EngineFile {
  /** Id of the workspace of the requested folder, "" without one. */
  readonly workspace: string
}

/** The running host of a data folder if it answers within `timeout` ms, else null. Registers `folder` with it if it is new. */
export async function findRunningHost(dataDir: string, folder?: string, timeout = 5000): Promise<RunningHost | null> {
  const running = readEngineFile(dataDir)
  if (!running) return null
  const socket = connect(running.socket)
  const timer = setTimeout(() => socket.destroy(), timeout)
  try {
    const client = createClient(socketChannel(socket))
    await client.call('app.info', {})
    return { ...running, workspace: folder === undefined ? '' : await registerFolder(client, folder) }
  } catch (error) {
    // Expected: no listener, no answer in time, or a host that is just exiting.
    if (error instanceof DriftlineError && error.code === 'Disconnected') return null
    throw error
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}
