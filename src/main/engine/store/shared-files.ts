/** Records files of a new worktree whose contents the history of the main folder has. */
import type { Signature } from '../files/signature.ts'
import { EVICTED_CODEC, SHARED } from './codec.ts'
import type { PathId } from './paths.ts'
import { all, count, get, insertRows, type Readable, run, scalar, type Writable } from './sql.ts'
import { kindNumber } from './versions.ts'

/** What a file is now in the history of the main folder; times as lstat gives them. */
interface StoredHead extends Pick<Signature, 'ino' | 'size' | 'mtime' | 'ctime'> {
  readonly name: string
  /** SHA-256. */
  readonly hash: Buffer
  /** When that stat was taken, ms UTC. */
  readonly statAt: number
}

/** All files whose present content is stored. */
export function storedHeads(store: Readable): StoredHead[] {
  const sql = `SELECT p.name, c.hash, p.ino, p.size, p.mtime, p.ctime, p.seen AS statAt
    FROM path p JOIN version v ON v.id = p.version JOIN content c ON c.id = v.content
    WHERE v.kind = 1 AND p.ino IS NOT NULL AND c.hash IS NOT NULL AND c.damaged = 0 AND c.codec NOT IN (?, ?)`
  return all(store, sql, EVICTED_CODEC, SHARED)
}

/** A file whose content the history of the main folder has. */
export interface SharedFile {
  /** SHA-256. */
  readonly hash: Buffer
  readonly signature: Signature
  /** As of `setHead`. */
  readonly statAt: number
}

export interface NewSharedFile extends SharedFile {
  readonly path: string
  readonly parent: PathId
}

/** Rows that one statement adds. */
const ROWS_AT_ONCE = 64

/**
 * Adds the files of a worktree, each with its first version: the whole row at once, which an update would write again. As long
 * as nobody else writes in a new history, one statement adds many rows, which takes less time.
 */
export function createSharedFiles() {
  let lastIds = NEW
  let isAlone = true
  /** Of the files that were added, by their hashes. */
  const contents = new Map<string, number>()
  return {
    /** At the begin of a transaction: what is written in the folder meanwhile is recorded between two. */
    begin: (tx: Writable<Readable>): void => {
      isAlone &&= lastIdsOf(tx) === lastIds
    },
    /** At its end. Returns how many had no version. */
    add: (tx: Writable<Readable>, files: readonly NewSharedFile[]): number => {
      if (!isAlone) return files.filter((file) => addFile(tx, file)).length
      for (let at = 0; at < files.length; at += ROWS_AT_ONCE) addNew(tx, files.slice(at, at + ROWS_AT_ONCE), contents)
      lastIds = lastIdsOf(tx)
      return files.length
    }
  }
}

/** Of the newest path and content. Every new row has a higher one. */
function lastIdsOf(store: Readable): string {
  return `${scalar(store, 'SELECT max(id) FROM path')} ${scalar(store, 'SELECT max(id) FROM content')}`
}

/** Of a history that has no path but the root. */
const NEW = '1 null'

/** Files of which nothing is known. */
function addNew(tx: Writable<Readable>, files: readonly NewSharedFile[], contents: Map<string, number>): void {
  const keyed = files.map((file) => ({ file, key: file.hash.toString('latin1') }))
  const fresh = [...new Map(keyed.filter(({ key }) => !contents.has(key)).map(({ key, file }) => [key, file]))]
  const rows = fresh.map(
    ([
      ,
      {
        hash,
        signature: { size }
      }
    ]) => [hash, size, SHARED]
  )
  for (const [n, id] of insertRows(tx, 'content(hash, size, codec)', rows).entries())
    contents.set(fresh[n]?.[0] ?? '', id)
  const versions = insertRows(
    tx,
    'version(kind, size, mode, content)',
    keyed.map(({ file: { signature }, key }) => [FILE, signature.size, signature.mode, contents.get(key) ?? null])
  )
  insertRows(
    tx,
    `path(parent, name, ${HEAD_COLUMNS})`,
    files.map(({ parent, path, ...file }, n) => [parent, path, ...headOf(versions[n] ?? 0, file)])
  )
}

/** Returns false for one that has a version, which stays. */
function addFile(tx: Writable<Readable>, { path, parent, ...file }: NewSharedFile): boolean {
  const known = get<{ id: PathId; version: number | null }>(tx, 'SELECT id, version FROM path WHERE name = ?', path)
  if (known && known.version !== null) return false
  const { size, mode } = file.signature
  const content = sharedContentId(tx, file.hash, size)
  const addVersion = 'INSERT INTO version(kind, size, mode, content) VALUES (?, ?, ?, ?)'
  const head = headOf(run(tx, addVersion, FILE, size, mode, content).id, file)
  if (known) run(tx, `UPDATE path SET (${HEAD_COLUMNS}) = (?, ?, ?, ?, ?, ?, ?) WHERE id = ?`, ...head, known.id)
  else
    run(tx, `INSERT INTO path(parent, name, ${HEAD_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, parent, path, ...head)
  return true
}

const FILE = kindNumber('file')

const HEAD_COLUMNS = 'version, ino, size, mtime, ctime, mode, seen'

function headOf(version: number, { signature: { ino, size, mtime, ctime, mode }, statAt }: SharedFile) {
  return [version, ino, size, mtime, ctime, mode, statAt]
}

/** Content of the store that has the same bytes stays as it is. */
function sharedContentId(tx: Writable<Readable>, hash: Buffer, size: number): number {
  const sql = `INSERT INTO content(hash, size, codec) VALUES (?, ?, ${SHARED}) ON CONFLICT(hash) DO NOTHING`
  const added = run(tx, sql, hash, size)
  return added.changes > 0 ? added.id : count(tx, 'SELECT id FROM content WHERE hash = ?', hash)
}
