/** Meeting a host that already runs: who it is, and whether it answers. */
import { connect } from 'node:net'
import { DriftlineError } from '../../contract/errors.ts'
import { createClient } from '../../contract/wire.ts'
import { type EngineFile, readEngineFile } from './engine-file.ts'
import { openFolderOn } from './inner-client.ts'
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
