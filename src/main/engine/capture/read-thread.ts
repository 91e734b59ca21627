/**
 * The second thread that reads large files together with the engine's (store/read-ahead.ts). It starts when a version of a large
 * file is recorded whose fingerprints are in memory, takes 15 MB, and ends when no such file was recorded for a time.
 */
import { closeSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { Worker } from 'node:worker_threads'
import { log } from '../ports/log.ts'
import type { SharedCode } from '../store/fingerprint.ts'
import type { FindHelper } from '../store/known-chunks.ts'
import type { ReadHelper } from '../store/read-ahead.ts'

/** How long it is kept for the next version, ms. */
const KEEP_MS = 60_000

type ReadThread = (code: SharedCode) => ReadHelper | null

/** Of this process; null while there is none. */
let thread: ReadThread | null = null

/**
 * `program`: main/stat-worker.ts. Nothing waits for the thread to start, or is lost when it fails. On a busy computer there is none:
 * two threads that wait for their turn take longer than one.
 */
export function findReadThread(program: string, isBusy = isComputerBusy): FindHelper {
  return (code) => {
    if (isBusy()) return null
    thread ??= startReadThread(program, code)
    return thread(code)
  }
}

/** More threads wanted to run in the last minute than can. Windows does not tell. */
function isComputerBusy(): boolean {
  return (loadavg()[0] as number) > availableParallelism()
}

function startReadThread(program: string, code: SharedCode): ReadThread {
  const worker = new Worker(program, {
    name: 'reads',
    workerData: code,
    resourceLimits: { maxYoungGenerationSizeMb: 4 }
  })
  let isReady = false
  /** Files that it still reads although nobody needs them. */
  const late = new Set<number>()
  const close = (fd: number): void => {
    if (late.delete(fd)) closeSync(fd)
  }
  worker.once('online', () => {
    isReady = true
  })
  worker.on('message', close)
  worker.on('error', (error) => log.warn(`large files are read without a second thread: ${error.message}`))
  worker.once('exit', () => {
    isReady = false
    for (const fd of [...late]) close(fd)
    if (ended) thread = null
  })
  // Behind the listeners, because one for messages has the process wait for the thread again.
  worker.unref()
  let ended = false
  const idle = setTimeout(() => {
    ended = true
    isReady = false
    void worker.terminate()
  }, KEEP_MS)
  idle.unref()
  const helper: ReadHelper = {
    send: (job) => worker.postMessage(job),
    closeLater: (fd) => void late.add(fd)
  }
  return (asked) => {
    if (!isReady || asked !== code || late.size > 0) return null
    idle.refresh()
    return helper
  }
}
