/**
 * The threads that read the files of an initial snapshot. Each gets many batches ahead, so that it has work while their
 * owner writes to the disk.
 */
import { readlinkSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { SnapshotReader } from './initial-snapshot.ts'
import type { SnapshotBatch, SnapshotJob } from './snapshot-batch.ts'

/** What such a thread is started with. */
export interface ThreadData {
  readonly root: string
  /** One number: the bytes of all batches that were read and not released. */
  readonly held: Int32Array<SharedArrayBuffer>
}

/** More than are read while the longest transaction is written. Of small files, they take a few MB. */
const AHEAD = 128
/** No thread begins a batch while this many bytes are held. More than what is written at once (initial-snapshot.ts), so the threads go on meanwhile. */
const MOST_HELD = 32 * 1024 * 1024
/** How much lower the priority of a thread that reads is, on the scale of `nice`; 19 is the lowest there. */
const LOWER_BY = 5
const LOWEST = constants.priority.PRIORITY_LOW

export function startSnapshotThreads(
  program: URL,
  { root, threads }: { readonly root: string; readonly threads: number }
): SnapshotReader & AsyncDisposable {
  const held = new Int32Array(new SharedArrayBuffer(4))
  const all = Array.from({ length: threads }, () => startThread(program, { root, held }))
  return {
    ahead: AHEAD,
    read: (jobs) => all.reduce((least, next) => (next.waiting < least.waiting ? next : least)).read(jobs),
    release: ({ bytes }) => {
      Atomics.sub(held, 0, bytes.length)
      Atomics.notify(held, 0)
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(all.map(({ worker }) => worker.terminate()))
    }
  }
}

function startThread(program: URL, data: ThreadData) {
  const worker = new Worker(program, { workerData: data, resourceLimits: { maxYoungGenerationSizeMb: 16 } })
  /** It answers in the order of the batches. */
  const asked: PromiseWithResolvers<SnapshotBatch>[] = []
  let failure: unknown = null
  worker.on('message', (batch: SnapshotBatch) => asked.shift()?.resolve(batch))
  worker.on('error', (error) => {
    failure = error
    for (const { reject } of asked.splice(0)) reject(error)
  })
  return {
    worker,
    get waiting() {
      return asked.length
    },
    read: async (jobs: readonly SnapshotJob[]): Promise<SnapshotBatch> => {
      if (failure) throw failure
      const answer = Promise.withResolvers<SnapshotBatch>()
      asked.push(answer)
      worker.postMessage(jobs)
      return await answer.promise
    }
  }
}

/**
 * To be called first in such a thread: lowers its priority below that of the thread that writes. With an equal one, those that read
 * get far ahead, have to wait, and leave all cores but one idle while the rest is written. Only Linux has priorities of threads.
 */
export function giveWay(): void {
  if (process.platform !== 'linux') return
  try {
    const thread = Number(basename(readlinkSync('/proc/thread-self')))
    setPriority(thread, Math.min(getPriority(thread) + LOWER_BY, LOWEST))
  } catch {
    // Where the system refuses it, reading and writing take turns.
  }
}

/** To be called in such a thread before it reads a batch. */
export function awaitRoom(held: ThreadData['held']): void {
  for (let bytes = Atomics.load(held, 0); bytes > MOST_HELD; bytes = Atomics.load(held, 0)) Atomics.wait(held, 0, bytes)
}

/** To be called after that. */
export function hold(held: ThreadData['held'], { bytes }: SnapshotBatch): void {
  Atomics.add(held, 0, bytes.length)
}
