/** Connects to the running host of a data folder. */
import type { StopReason } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import { findHost } from './engine-file.ts'
import { dialHost } from './pipe-proof.ts'
import { createSocketClient } from './socket-client.ts'

/**
 * A client of the running host; null without one. A host that does not accept the connection within `acceptMs` is
 * treated as absent, and one that does not answer the first call within `answerMs` hangs or is about to exit.
 */
export async function connectHost(dataDir: string, acceptMs: number, answerMs: number) {
  const file = findHost(dataDir)
  if (!file) return null
  const { socket, ready } = dialHost(file)
  const disconnect = (): void => void socket.destroy()
  let timer = setTimeout(disconnect, acceptMs)
  socket.once('connect', () => {
    clearTimeout(timer)
    timer = setTimeout(disconnect, answerMs)
  })
  try {
    await ready
  } catch {
    // Expected: no listener, or another program that has the name of the pipe now.
    clearTimeout(timer)
    return null
  }
  const host = { file, ...createSocketClient(socket) }
  try {
    await host.client.call('app.info', {})
    return host
  } catch {
    // Expected: Disconnected, without a listener or after a timeout.
    disconnect()
    return null
  } finally {
    clearTimeout(timer)
  }
}

export type HostConnection = NonNullable<Awaited<ReturnType<typeof connectHost>>>

/** Asks the recorder to end, and disconnects. It has ended soon after. Fails with Refused for the desktop app. */
export async function requestEnd(host: HostConnection, why: StopReason): Promise<void> {
  try {
    await host.client.call('recorder.stop', { why })
  } catch (error) {
    // Expected: Disconnected, when it ends before its answer is sent.
    if (!(error instanceof DriftlineError) || error.code !== 'Disconnected') throw error
  } finally {
    host.disconnect()
  }
}
