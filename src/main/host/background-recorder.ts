/**
 * The recorder in the background: the host that a command or hook starts when none runs. It has no page, writes nothing
 * to a terminal, and ends by itself when nobody has used it for a while.
 */
import { parseArgs } from 'node:util'
import type { Worker } from 'node:worker_threads'
import { DriftlineError } from '../../contract/errors.ts'
import type { EndReason } from '../../contract/recorder.ts'
import { SETTINGS } from '../../contract/settings.ts'
import { log } from '../engine/ports/log.ts'
import { dataDirOf } from './data-dir.ts'
import { readEngineFile } from './engine-file.ts'
import { type Host, openHost } from './host.ts'
import { createIdleTimer } from './idle-timer.ts'
import { internalClient } from './internal-client.ts'
import { RECORDER_EXIT } from './start-recorder.ts'

const MINUTE_MS = 60_000
/** How long the recorder stays without a client, unless the setting says it, ms. On a build machine nobody comes back. */
const IDLE_MS = process.env.CI ? MINUTE_MS : Number(SETTINGS['recorder.idle'].initial) * MINUTE_MS
/** How long it waits for one that is starting or ending, ms: a recorder may close for as long (engine-thread.ts). */
const WAIT_MS = 10_000
/** How often it checks that its data folder still exists, ms. */
const DATA_DIR_CHECK_MS = 2000

/** Runs until the recorder has ended; resolves with its exit code. `engine`: its thread. */
export async function runRecorder(argv: readonly string[], engine: Worker): Promise<number> {
  const { values } = parseArgs({ args: [...argv], options: { data: { type: 'string' } } })
  const dataDir = dataDirOf(values.data)
  const end = Promise.withResolvers<EndReason>()
  const endIfUnused = async (): Promise<void> => {
    if (host && (await isRecording(host))) await updateIdle(0)
    else end.resolve('idle')
  }
  const idle = createIdleTimer(IDLE_MS, () => void endIfUnused())
  let clients = 0
  /** A client may leave before the host is open. */
  const updateIdle = async (count: number): Promise<void> => {
    clients = count
    idle.update(count)
    const ms = count === 0 && host ? await idleTime(host) : null
    if (ms !== null && clients === 0) idle.update(0, ms)
  }
  let host: Host | undefined
  try {
    host = await openHost({
      dataDir,
      kind: 'background',
      engine,
      waitMs: WAIT_MS,
      onGiveUp: () => end.resolve('failed'),
      onStopRequested: end.resolve,
      onSocketClients: (count) => void updateIdle(count)
    })
  } catch (error) {
    // Two callers may start one at the same moment; the second one uses that of the first.
    if (error instanceof DriftlineError && error.code === 'SecondHost') return RECORDER_EXIT.anotherRuns
    return RECORDER_EXIT.failed
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => end.resolve('stopped'))
  void updateIdle(0)
  const check = setInterval(() => {
    if (readEngineFile(dataDir)?.pid !== process.pid) end.resolve('gone')
  }, DATA_DIR_CHECK_MS)
  const why = await end.promise
  clearInterval(check)
  idle.stop()
  await host.close(why)
  return why === 'failed' ? RECORDER_EXIT.failed : RECORDER_EXIT.ended
}

/** The time that a person has set, ms; null without one. */
async function idleTime(host: Host): Promise<number | null> {
  const { client, disconnect } = internalClient(host)
  try {
    const { values } = await client.call('settings.get', {})
    return values['recorder.idle'] ? Number(values['recorder.idle']) * MINUTE_MS : null
  } catch (error) {
    log.warn(`the setting recorder.idle could not be read: ${(error as Error).message}`)
    return null
  } finally {
    disconnect()
  }
}

/** An agent's run is live, or an initial snapshot is being taken: neither needs a client. */
async function isRecording(host: Host): Promise<boolean> {
  const { client, disconnect } = internalClient(host)
  try {
    const { workspaces } = await client.call('workspaces.list', {})
    return workspaces.some(({ live, copy }) => live || copy !== null)
  } catch (error) {
    log.error('the recorder could not list its folders', error)
    return false
  } finally {
    disconnect()
  }
}
