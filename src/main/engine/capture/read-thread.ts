/**
 * The second thread that reads large files together with the engine's (store/read-ahead.ts). It starts when a version of a large
 * file is recorded whose fingerprints are in memory, takes 15 MB, and ends when no such file was recorded for a time.
 */
import { closeSync } from 'node:fs'
import { availableParallelism } from 'node:os'
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
 * `program`: main/file-helper.ts. Nothing waits for the thread to start, or is lost when it fails. With one processor there is none,
 * because both threads would only take turns. On a busy computer two are still not slower than one.
 */
export function findReadThread(program: string, processors = availableParallelism()): FindHelper {
  return (code) => {
    if (processors < 2) return null
    thread ??= startReadThread(program, code)
    return thread(code)
  }
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
