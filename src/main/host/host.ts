/** What both hosts share: the place of the one host, the engine thread, the socket and engine.json, opened in that order. */
import type { DriftlineError } from '../../contract/errors.ts'
import type { Channel } from '../../contract/wire.ts'
import { type HeldLock, holdHostLock } from '../engine/db/host-lock.ts'
import { PROGRAMS } from '../programs.ts'
import { VERSION } from '../version.ts'
import { withCloseNotice } from './close-notice.ts'
import { ensureDataDir } from './data-dir.ts'
import { socketAddress } from './endpoint.ts'
import { removeEngineFile, writeEngineFile } from './engine-file.ts'
import { startEngineThread } from './engine-thread.ts'
import { noteLastEnd } from './last-end.ts'
import { alreadyHosted } from './second-host.ts'
import { listenOnSocket } from './socket-server.ts'

export interface Host {
  readonly dataDir: string
  /** Resolves when the engine is up; rejects with the reason it cannot start. */
  readonly ready: Promise<void>
  /** Connects a window or a browser. Returns how to disconnect it. */
  connect(channel: Channel): () => void
  /** Writes engine.json, with the URL a browser can use. */
  announce(url?: string): void
  close(): Promise<void>
}

export interface HostOptions {
  readonly dataDir: string
  readonly kind: 'electron' | 'server'
  readonly onRestart: (sentence: string) => void
  readonly onGiveUp: (error: DriftlineError) => void
  /** A caller came to or left the local socket. */
  readonly onSocketCallers?: (count: number) => void
  /** The worker's program; another one in tests. */
  readonly engineProgram?: string
}

/** Becomes the host of a data folder. Throws `SecondHost` when another process is. */
export async function openHost(options: HostOptions): Promise<Host> {
  const { dataDir } = options
  ensureDataDir(dataDir)
  const lock = holdHostLock(dataDir)
  if (!lock) throw alreadyHosted(dataDir)
  try {
    return await openAsHolder(options, lock)
  } catch (error) {
    lock.release()
    throw error
  }
}

async function openAsHolder(options: HostOptions, lock: HeldLock): Promise<Host> {
  const { dataDir, kind, onRestart, onGiveUp, onSocketCallers = () => {}, engineProgram } = options
  const thread = startEngineThread({
    program: engineProgram ?? PROGRAMS.engineWorker,
    start: {
      dataDir,
      host: kind,
      watch: true,
      programs: { ingest: PROGRAMS.ingest },
      ...noteLastEnd(dataDir, Date.now())
    },
    onRestart,
    onGiveUp
  })
  const address = socketAddress(dataDir)
  let callers = 0
  const count = (change: number): void => {
    callers += change
    onSocketCallers(callers)
  }
  const socket = await listenOnSocket({
    address,
    dataDir,
    onChannel: (channel) => {
      count(1)
      thread.connect(withCloseNotice(channel, () => count(-1)))
    }
  }).catch(async (error: unknown) => {
    await thread.stop()
    throw error
  })
  const startedAt = Date.now()
  const announce = (url?: string): void =>
    writeEngineFile(dataDir, {
      pid: process.pid,
      socket: address,
      version: VERSION,
      startedAt,
      ...(url ? { url } : {})
    })
  announce()

  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    removeEngineFile(dataDir)
    await socket.close()
    await thread.stop()
    lock.release()
  }
  return {
    dataDir,
    ready: thread.ready,
    connect: (channel) => thread.connect(channel),
    announce,
    close: () => {
      closing ??= close()
      return closing
    }
  }
}
