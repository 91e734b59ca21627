/** Connects to the running host of a data folder. */
import type { Client, StopReason } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import { findHost } from './engine-file.ts'
import { dialHost } from './pipe-proof.ts'
import { createSocketClient } from './socket-client.ts'

/** The first call on a connection. Its answer, or its error, proves that the host does not hang. */
export type FirstCall = (client: Client) => Promise<unknown>

const APP_INFO: FirstCall = (client) => client.call('app.info', {})

/**
 * A client of the running host; null without one. A host that does not accept the connection within `acceptMs` is
 * treated as absent, and one that does not answer the first call within `answerMs` hangs or is about to exit.
 */
export async function connectHost(dataDir: string, acceptMs: number, answerMs: number, firstCall = APP_INFO) {
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
    await firstCall(host.client)
  } catch (error) {
    // Expected: Disconnected, without a listener or after a timeout. Another error is an answer.
    if (isDisconnected(error)) {
      disconnect()
      return null
    }
  } finally {
    clearTimeout(timer)
  }
  return host
}

const isDisconnected = (error: unknown): boolean => error instanceof DriftlineError && error.code === 'Disconnected'

export type HostConnection = NonNullable<Awaited<ReturnType<typeof connectHost>>>

/** Asks the recorder to end, and disconnects. It has ended soon after. Fails with Refused for the desktop app. */
export async function requestEnd(host: HostConnection, why: StopReason): Promise<void> {
  try {
    await host.client.call('recorder.stop', { why })
  } catch (error) {
    // Expected: Disconnected, when it ends before its answer is sent.
    if (!isDisconnected(error)) throw error
  } finally {
    host.disconnect()
  }
}
