/** Meeting a host that already runs: who it is, and whether it answers. */
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { DriftlineError } from '../../contract/errors.ts'
import { createClient } from '../../contract/wire.ts'
import { type EngineFile, readEngineFile } from './engine-file.ts'
import { openFolderOn } from './open-folder.ts'
import { socketChannel } from './socket-channel.ts'

/** The error for a second host on one data folder. */
export function alreadyHosted(dataDir: string): DriftlineError {
  const running = readEngineFile(dataDir)
  const who = running ? `process ${running.pid}` : 'another process'
  return new DriftlineError(
    'SecondHost',
    `Driftline already runs on ${dataDir} (${who}). Nothing was changed; use that one, or choose another data folder with --data.`,
    { dataDir, ...(running ? { pid: running.pid } : {}) }
  )
}

/** How long two starts at once, or one while the other leaves, may take to sort themselves out, in ms. */
const PATIENCE = 10_000

/**
 * Becomes the host with `open`, or finds the one that runs; a folder is registered with that one if it is new. A host
 * that is just starting is waited for until it can be shown, one that is just leaving until its place is free. Throws
 * `SecondHost` when there is one that does not answer or, for a caller that wants an address, has none.
 */
export async function becomeHostOrFind<H>(
  open: () => Promise<H>,
  dataDir: string,
  folder: string | undefined,
  patience = PATIENCE
): Promise<{ readonly host: H } | { readonly running: RunningHost & { readonly url: string } }> {
  const end = performance.now() + patience
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
  /** Id of the workspace of the folder asked for, "" without one. */
  readonly workspace: string
}

/**
 * The running host of a data folder if it answers within `patience` ms, else null. A folder is registered with it
 * if it is new.
 */
export async function findRunningHost(dataDir: string, folder?: string, patience = 5000): Promise<RunningHost | null> {
  const running = readEngineFile(dataDir)
  if (!running) return null
  const socket = connect(running.socket)
  const late = setTimeout(() => socket.destroy(), patience)
  try {
    const client = createClient(socketChannel(socket))
    await client.call('app.info', {})
    return { ...running, workspace: folder === undefined ? '' : await openFolderOn(client, folder) }
  } catch (error) {
    // Expected: nobody listens, it did not answer in time, or it is just leaving.
    if (error instanceof DriftlineError && error.code === 'Disconnected') return null
    throw error
  } finally {
    clearTimeout(late)
    socket.destroy()
  }
}
