/** Large files that two threads read: what is recorded is the same as with one, and none waits for the other. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, fstatSync, openSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { observe } from '../../../../src/main/engine/capture/observe.ts'
import { findReadThread } from '../../../../src/main/engine/capture/read-thread.ts'
import { type PieceSink, type PieceSource, readStable } from '../../../../src/main/engine/files/stable-read.ts'
import { createWorkspaceFs } from '../../../../src/main/engine/files/workspace-fs.ts'
import { createFingerprint } from '../../../../src/main/engine/store/fingerprint.ts'
import { sha256 } from '../../../../src/main/engine/store/hash.ts'
import type { FindHelper } from '../../../../src/main/engine/store/known-chunks.ts'
import { openStore, type Store } from '../../../../src/main/engine/store/open-store.ts'
import { attach, type ReadJob, readAhead, takePieces } from '../../../../src/main/engine/store/read-ahead.ts'
import { createSplitter } from '../../../../src/main/engine/store/split.ts'
import { transact } from '../../../../src/main/engine/store/sql.ts'
import { FILE_HELPER } from '../../../support/programs.ts'
import { SEED, scaled } from '../../../support/scale.ts'
import { type TempFolder, tempFolder } from '../../../support/tmp.ts'

const MB = 1 << 20
const SIZE = 9 * MB
const BASE = randomBytes(SIZE)

interface Edit {
  readonly at: number
  readonly removed: number
  readonly added: number
}

const edits = fc.array(
  fc.record({
    at: fc.nat(SIZE),
    removed: fc.oneof(fc.constant(1), fc.nat(MB / 2)),
    added: fc.oneof(fc.constant(1), fc.nat(MB / 2))
  }),
  { maxLength: 3 }
)
const edited = (bytes: Buffer, all: readonly Edit[]): Buffer =>
  all.reduce(
    (was, { at, removed, added }) =>
      Buffer.concat([was.subarray(0, at), randomBytes(added), was.subarray(at + removed)]),
    bytes
  )

let temp: TempFolder
let store: Store
beforeAll(() => {
  temp = tempFolder()
  store = openStore(join(temp.path, 'store.db'))
})
afterAll(() => {
  store.close()
  temp[Symbol.dispose]()
})

/** Records `bytes` as the version after `previous`; returns its content and the hashes of its chunks. */
function record(bytes: Buffer, previous: number | null, helper: FindHelper | null = null) {
  writeFileSync(join(temp.path, 'large'), bytes)
  const limit = Number.POSITIVE_INFINITY
  const { large, version } = observe(createWorkspaceFs(temp.path), store.content, 'large', {
    limit,
    previous,
    helper,
    readAt: Date.now()
  })
  expect(version.hash).toBe(sha256(bytes).toString('hex'))
  const id = transact(store, (tx) => large?.store(tx, sha256(bytes)) as number)
  expect(store.content.get(id, bytes.length).equals(bytes)).toBe(true)
  const sql = 'SELECT k.hash FROM content_chunk u JOIN chunk k ON k.id = u.chunk WHERE u.content = ? ORDER BY u.n'
  return { id, chunks: store.db.prepare(sql).pluck().all(id) as Buffer[] }
}

test('[ST-1] a version has the same name and chunks whether one thread reads it or two, whatever changed', async () => {
  const started = once(process, 'worker') as Promise<[Worker]>
  let jobs = 0
  /** Its last job. */
  let ended: Promise<unknown> = Promise.resolve()
  const find = findReadThread(FILE_HELPER, 2)
  const helper: FindHelper = (code) => {
    const found = find(code)
    if (!found) return null
    const send = (job: ReadJob): void => {
      jobs++
      found.send(job)
    }
    const closeLater = (fd: number): void => {
      ended = once(thread, 'message')
      found.closeLater(fd)
    }
    return { send, closeLater }
  }
  const first = record(BASE, null)
  // Their fingerprints are in memory from the second version on, and the thread starts with the next.
  const second = record(edited(BASE, [{ at: 5, removed: 1, added: 1 }]), first.id)
  record(edited(BASE, [{ at: 9, removed: 1, added: 1 }]), second.id, helper)
  const [thread] = await started
  await once(thread, 'online')
  await fc.assert(
    fc.asyncProperty(edits, async (changed) => {
      const bytes = edited(BASE, changed)
      const before = jobs
      await ended
      const { chunks } = record(bytes, first.id, helper)
      expect(jobs).toBe(bytes.length < 8 * MB ? before : before + 1)
      const splitter = createSplitter()
      const expected = [...splitter.push(bytes), ...splitter.end()]
      expect(chunks).toEqual(expected.map((chunk) => sha256(chunk)))
    }),
    { numRuns: scaled(4), seed: SEED }
  )
  // A single processor would run them in turns.
  const code = createFingerprint().shared?.code
  expect(code && findReadThread(FILE_HELPER, 1)(code)).toBeNull()
  await thread.terminate()
})

test('a thread that cannot start is not missed', () => {
  const none: FindHelper = () => null
  const first = record(BASE, null, none)
  const second = record(edited(BASE, [{ at: 5 * MB, removed: 0, added: 7 }]), first.id, none)
  record(edited(BASE, [{ at: 6 * MB, removed: 3, added: 0 }]), second.id, none)
})

/** A read of BASE whose chunks are all of 100,000 bytes, and what a second thread would be given. */
function readOf(known: Buffer = BASE) {
  const file = join(temp.path, 'read')
  writeFileSync(file, BASE)
  const { shared } = createFingerprint()
  if (!shared) throw new Error('fingerprints cannot run here')
  const chunks = Math.floor(known.length / 100_000)
  const own = Buffer.from(shared.code.memory.buffer)
  const starts = Int32Array.from({ length: chunks + 1 }, (_, n) => n * 100_000)
  const sums = Buffer.alloc(64 * chunks)
  const space = own.subarray(own.length - 100_000)
  for (let n = 0; n < chunks; n++) {
    known.copy(space, 0, n * 100_000)
    shared.sumsOf(space.byteOffset, 100_000).copy(sums, 64 * n)
  }
  const [jobs, late]: [ReadJob[], number[]] = [[], []]
  const helper = { send: (job: ReadJob) => void jobs.push(job), closeLater: (fd: number) => void late.push(fd) }
  const fd = openSync(file, 'r')
  const ahead = readAhead({ fd, size: BASE.length, expected: { starts, sums } }, { ...shared, helper })
  const job = jobs[0] as ReadJob
  const { memory, sumsOf } = attach(shared.code)
  return { ahead, job, fd, late, chunks, finishHelper: () => takePieces(job, memory, sumsOf) }
}

const STATE_OF_FIRST = 3
const [CLAIMED, READ, CLOSED] = [1, 2, 4]

test('[ST-1] the pieces are those of the file, and a chunk is found only where its bytes are', () => {
  const flipped = Buffer.from(BASE)
  for (const chunk of [3, 40]) flipped[chunk * 100_000 + 50_000]! ^= 1
  const { ahead, chunks, fd } = readOf(flipped)
  for (let at = 0; at < BASE.length; at += MB) {
    // Only what was returned counts.
    expect(ahead.isFound(Math.ceil(at / 100_000), Math.ceil(at / 100_000) * 100_000)).toBe(false)
    expect(ahead.next()?.equals(BASE.subarray(at, at + MB))).toBe(true)
  }
  expect(ahead.next()).toHaveLength(0)
  const inOnePiece = (n: number): boolean => Math.floor((n * 100_000) / MB) === Math.floor((n * 100_000 + 99_999) / MB)
  for (let n = 0; n < chunks; n++) {
    expect(ahead.isFound(n, n * 100_000)).toBe(n !== 3 && n !== 40 && inOnePiece(n))
    expect(ahead.isFound(n, n * 100_000 + 1)).toBe(false)
  }
  ahead.end()
  expect(() => fstatSync(fd)).toThrow('EBADF')
})

test('a piece that the other thread has claimed and does not read is left to the caller, and the file open for it', () => {
  const { ahead, job, fd, late, finishHelper } = readOf()
  Atomics.store(job.state, STATE_OF_FIRST + 1, CLAIMED)
  expect(ahead.next()?.equals(BASE.subarray(0, MB))).toBe(true)
  expect(ahead.next()).toBeNull()
  for (let n = 2; n < 9; n++) {
    const piece = ahead.next()
    if (n === 5) {
      // It would have the same slot. Nobody reads it there later, where the ninth piece may be by then.
      expect(piece).toBeNull()
      expect(Atomics.load(job.state, STATE_OF_FIRST + n)).toBe(CLOSED)
    } else expect(piece?.equals(BASE.subarray(n * MB, (n + 1) * MB))).toBe(true)
  }
  ahead.end()
  expect(late).toEqual([fd])
  expect(fstatSync(fd).size).toBe(SIZE)
  Atomics.store(job.state, STATE_OF_FIRST + 1, READ)
  expect(finishHelper()).toBe(true)
  closeSync(fd)
})

test('the other thread that comes late finds nothing to do', () => {
  const { ahead, fd, late, finishHelper } = readOf()
  ahead.next()
  ahead.end()
  expect(late).toEqual([])
  expect(finishHelper()).toBe(false)
  expect(() => fstatSync(fd)).toThrow('EBADF')
})

test('[CP-2] a file that changes while two threads read it is read again', () => {
  const file = join(temp.path, 'changing')
  writeFileSync(file, BASE)
  const ends: number[] = []
  let pieces: Buffer[] = []
  const sink: PieceSink = {
    restart: () => {
      pieces = []
    },
    readAhead: (fd) => {
      let n = 0
      const source: PieceSource = {
        next: () => BASE.subarray(n * MB, ++n * MB),
        end: () => {
          ends.push(fd)
          closeSync(fd)
        }
      }
      return source
    },
    piece: (bytes) => {
      if (ends.length === 0 && pieces.length === 0) truncateSync(file, SIZE - MB)
      pieces.push(bytes)
    }
  }
  expect(readStable(file, SIZE, sink)).toMatchObject({ result: 'changing' })
  expect(ends).toHaveLength(3)
})
