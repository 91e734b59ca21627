/**
 * The first copy of a folder: all names first, then contents, packed by worker threads and written in gathered
 * transactions. Runs in a process of its own (ingest-child.ts), so that its memory and its load end with it.
 */
import { readdirSync } from 'node:fs'
import type { NotStoredReason } from '../../../contract/domain.ts'
import { bumpRev, write } from '../db/transaction.ts'
import { isExactName } from '../files/exact-name.ts'
import { absoluteOf, childOf, createInside, OWN_PREFIX } from '../files/inside.ts'
import { lstatSignature, type Signature, unlisted } from '../files/signature.ts'
import { errorCode, isAbsence } from '../ports/fs-errors.ts'
import type { Packed } from '../store/codec.ts'
import type { Content, ContentId } from '../store/content.ts'
import { ROOT_ID, type Store } from '../store/open-store.ts'
import { type CopiedBatch, type CopyJob, unpackBatch } from './copy-batch.ts'
import { limitOf } from './limit.ts'
import { observe } from './observe.ts'
import type { CoverRules } from './scan.ts'

/** Runs batches of files through workers; results may come in any order. */
export interface CopyPool {
  /** Resolves with what was read. Rejects only when a worker fails. */
  run(jobs: readonly CopyJob[]): Promise<CopiedBatch>
  readonly size: number
}

export interface FirstCopyOptions {
  readonly root: string
  readonly store: Store
  readonly rules: CoverRules
  readonly boundaries: ReadonlySet<string>
  readonly pool: CopyPool
  now(): number
  onProgress(progress: { files: number; filesTotal: number; bytes: number; counted: boolean }): void
}

const NAMES_PER_TRANSACTION = 1500
const JOB_FILES = 96
const WRITE_BYTES = 16 * 1024 * 1024
const WRITE_BATCHES = 40

/** Copies every covered path that has no recorded version yet; may be run again after it was stopped. */
export async function firstCopy(options: FirstCopyOptions): Promise<void> {
  const progress = { files: 0, filesTotal: 0, bytes: 0, counted: false }
  const contents = copyContents(options, progress)
  // Workers pack what is named already while the naming goes on; names stay far ahead, being much cheaper.
  for (const _ of recordNames(options, progress)) {
    options.onProgress(progress)
    await contents.feed()
  }
  progress.counted = true
  options.onProgress(progress)
  await contents.finish()
  write(options.store.db, () => {
    options.store.setMeta('coverage', 'complete')
    bumpRev(options.store.db)
  })
  options.onProgress(progress)
}

type Progress = { files: number; bytes: number; filesTotal: number; counted: boolean }

/** Records names and folders, one transaction a step. */
function* recordNames(options: FirstCopyOptions, progress: Progress): Generator<void> {
  const { root, store, rules, boundaries } = options
  const { records, db } = store
  const insert = db.prepare('INSERT INTO path(parent, name) VALUES (?, ?) ON CONFLICT(name) DO NOTHING')
  const known = db.prepare('SELECT id, version FROM path WHERE name = ?')
  const folderIsOpen = db.prepare(
    'SELECT 1 FROM path p JOIN version v ON v.id = p.version WHERE p.id = ? AND v.kind = 3 AND v.reason IS NULL'
  )
  const nameFolder = db.prepare(
    'UPDATE path SET version = coalesce(version, ?), ino = ?, size = ?, mtime = ?, ctime = ?, mode = coalesce(mode, ?), seen = ?, covered = ? WHERE id = ?'
  )
  const unnameable: string[] = []
  const unreadable: string[] = []
  const folders: { path: string; id: number }[] = [{ path: '', id: ROOT_ID }]
  let names = 0

  const folderRow = (
    id: number,
    there: Signature,
    reason: NotStoredReason | null,
    seen: number,
    listed: boolean
  ): void => {
    const version = records.addVersion(
      { kind: 'dir', size: 0, mode: there.mode, hash: null, target: null, notStored: reason },
      null
    )
    nameFolder.run(version, there.ino, there.size, there.mtime, there.ctime, there.mode, seen, listed ? 1 : 0, id)
  }

  const recordFolder = (at: string, id: number): void => {
    const seen = options.now()
    const signature = lookable(at, lstatSignature)
    const entries =
      signature?.kind === 'dir' ? lookable(at, (path) => readdirSync(path, { withFileTypes: true })) : null
    if (!signature || !entries) return
    let whole = true
    for (const entry of entries) {
      const { name } = entry
      if (name.startsWith(OWN_PREFIX) || (name.length === 4 && name.toLowerCase() === '.git')) continue
      const path = childOf(at, name)
      if (!isExactName(absoluteOf(root, at), name)) {
        unnameable.push(path)
        continue
      }
      // Only a look tells what a folder is; one that cannot be looked at has no row, and the next scan decides.
      const there = entry.isDirectory() ? lookable(path, lstatSignature) : null
      if (entry.isDirectory() && !there) {
        whole = false
        continue
      }
      const inserted = insert.run(id, path)
      names++
      if (!there) {
        progress.filesTotal++
        continue
      }
      const child =
        inserted.changes > 0
          ? { id: Number(inserted.lastInsertRowid), version: null }
          : (known.get(path) as { id: number; version: number | null })
      if (child.version !== null && !folderIsOpen.get(child.id)) continue
      const reason = boundaries.has(path) ? 'workspace' : rules.ignoresDir(path) ? 'ignored' : null
      if (there.kind !== 'dir') continue
      // A row of its own at once, so that nobody takes it for a file that waits for its content.
      folderRow(child.id, reason === null ? unlisted(there) : there, reason, seen, false)
      if (reason === null) folders.push({ path, id: child.id })
    }
    // Every name in it is a row now, in this very transaction.
    if (whole) folderRow(id, signature, null, seen, true)
  }

  /** Null for what is gone, and for what may not be looked at, which is noted. */
  function lookable<T>(path: string, look: (absolute: string) => T): T | null {
    try {
      return look(absoluteOf(root, path))
    } catch (error) {
      if (errorCode(error) === '') throw error
      if (!isAbsence(error)) unreadable.push(path)
      return null
    }
  }

  while (folders.length > 0) {
    write(db, () => {
      const stop = names + NAMES_PER_TRANSACTION
      while (folders.length > 0 && names < stop) {
        const folder = folders.pop() as { path: string; id: number }
        recordFolder(folder.path, folder.id)
      }
    })
    yield
  }
  if (unnameable.length + unreadable.length === 0) return
  write(db, () => {
    store.setMeta('unnameable', JSON.stringify(unnameable))
    store.setMeta('unreadable', JSON.stringify(unreadable))
  })
}

interface Read {
  readonly jobs: readonly CopyJob[]
  readonly batch: CopiedBatch
}

interface ContentCopy {
  /** Hands named files to idle workers and writes what they finished; does not wait for more than a turn of the loop. */
  feed(): Promise<void>
  /** Copies all that is left. */
  finish(): Promise<void>
}

function copyContents(options: FirstCopyOptions, progress: Progress): ContentCopy {
  const { store, rules, pool } = options
  const page = store.db.prepare('SELECT id, name FROM path WHERE version IS NULL AND id > ? ORDER BY id LIMIT ?')
  const running = new Set<Promise<void>>()
  let waiting: Read[] = []
  let waitingBytes = 0
  const leftOver: (readonly CopyJob[])[] = []
  let after = 0
  let lastReport = 0
  let failure: unknown = null

  const flush = (): void => {
    const batches = waiting
    waiting = []
    waitingBytes = 0
    if (batches.length === 0) return
    const large: string[] = []
    write(store.db, () => {
      for (const read of batches) large.push(...recordBatch(store, read, progress))
      bumpRev(store.db)
    })
    for (const path of large) recordOne(options, path, progress)
    if (options.now() - lastReport > 150) {
      lastReport = options.now()
      options.onProgress(progress)
    }
  }
  const next = (): readonly CopyJob[] => {
    const left = leftOver.pop()
    if (left) return left
    const rows = page.all(after, JOB_FILES) as { id: number; name: string }[]
    after = rows.at(-1)?.id ?? after
    return rows.map(({ id, name }) => ({
      id,
      name,
      ...limitOf(rules, name)
    }))
  }
  /** Starts one batch; false when nothing named is left. */
  const start = (): boolean => {
    const jobs = next()
    if (jobs.length === 0) return false
    const done: Promise<void> = pool
      .run(jobs)
      .then((batch) => {
        waiting.push({ jobs, batch })
        waitingBytes += batch.bytes.length
        if (batch.done < jobs.length) leftOver.push(jobs.slice(batch.done))
      })
      .catch((error) => {
        failure ??= error
      })
      .finally(() => running.delete(done))
    running.add(done)
    return true
  }
  const settle = (): void => {
    if (failure) throw failure
    if (waitingBytes >= WRITE_BYTES || waiting.length >= WRITE_BATCHES) flush()
  }

  return {
    feed: async () => {
      while (running.size < pool.size * 2 && start()) settle()
      await new Promise((resolve) => setImmediate(resolve))
      settle()
    },
    finish: async () => {
      for (;;) {
        const started = running.size < pool.size * 2 && start()
        if (!started && running.size === 0) break
        // What a full batch left over shows up when it is done, so the end is reached only when nothing runs.
        if (!started) await Promise.race(running)
        settle()
      }
      flush()
      // Folders that could not be listed and names that vanished are rows without a version; the next scan decides about them.
    }
  }
}

/** Writes one batch; paths that were recorded by somebody else meanwhile stay as they are. Returns those too large for a worker. */
function recordBatch(store: Store, { jobs, batch }: Read, progress: { files: number; bytes: number }): string[] {
  const { records, content, db } = store
  const isPending = db.prepare('SELECT 1 FROM path WHERE id = ? AND version IS NULL')
  const large: string[] = []
  for (const one of unpackBatch(batch)) {
    const { id, name } = jobs[one.n] as CopyJob
    if (one.large) {
      large.push(name)
      continue
    }
    if (isPending.get(id) === undefined) continue
    progress.files++
    progress.bytes += one.version.size
    const stored = one.hash ? putCopied(content, one.hash, one.version.size, one.packed) : null
    const version = one.version.kind === 'absent' ? records.absent : records.addVersion(one.version, stored)
    records.setHead(id, version, 0, one.signature, one.seen)
  }
  return large
}

function putCopied(content: Content, hash: Buffer, size: number, packed: readonly Packed[]): ContentId {
  const [only] = packed
  return packed.length === 1 && only ? content.putPacked(hash, size, only) : content.putPieces(hash, size, packed)
}

/** A file too large for a worker, streamed by this thread. */
function recordOne(options: FirstCopyOptions, path: string, progress: { files: number; bytes: number }): void {
  const { root, store, rules } = options
  const seen = options.now()
  const inside = createInside(root)
  const one = observe(inside, store.content, path, { ...limitOf(rules, path), folderReason: null })
  write(store.db, () => {
    const head = store.records.head(path)
    if (!head || head.version !== null) return
    const stored = one.bytes
      ? store.content.put(one.bytes, Buffer.from(one.version.hash as string, 'hex'), null)
      : one.content
    const version = one.version.kind === 'absent' ? store.records.absent : store.records.addVersion(one.version, stored)
    store.records.setHead(head.id, version, 0, one.signature, seen)
  })
  progress.files++
  progress.bytes += one.version.size
}
