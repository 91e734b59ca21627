/** SQLite's upkeep of the store's file: its size, free pages, the write-ahead log, and integrity checks. */
import { openAsItIs } from './database.ts'
import { get, type Readable, scalar } from './sql.ts'

/** Bytes of the database file as they will be when the write-ahead log is part of it. */
export function databaseBytes(store: Readable): number {
  return (scalar<number>(store, 'PRAGMA page_count') ?? 0) * (scalar<number>(store, 'PRAGMA page_size') ?? 0)
}

export function countFreePages({ db }: Readable): number {
  return db.pragma('freelist_count', { simple: true }) as number
}

/** Returns up to `pages` free pages at the end of the file to the disk. */
export function freePages({ db }: Readable, pages: number): void {
  db.pragma(`incremental_vacuum(${pages})`)
}

/**
 * Rewrites the file from its rows. Throws SQLITE_BUSY while another connection writes. By a connection of its own: those of the
 * engine would hold the whole copy in memory (keepTemporaryInMemory).
 */
export function rewriteFile({ db }: Readable): void {
  const own = openAsItIs(db.name, 'to-write')
  try {
    own.exec('VACUUM')
  } finally {
    own.close()
  }
}

/**
 * Pages in the log, and how many of them are in the database now. `busy` = 1: a reader or writer prevented completion.
 */
export function checkpointLog(
  { db }: Readable,
  mode: 'PASSIVE' | 'TRUNCATE'
): { readonly busy: number; readonly log: number; readonly checkpointed: number } {
  const [row] = db.pragma(`wal_checkpoint(${mode})`) as { busy: number; log: number; checkpointed: number }[]
  return row ?? { busy: 1, log: 0, checkpointed: 0 }
}

/** Locks held by others fail at once in `body`, instead of after the connection's timeout. */
export function withoutBusyTimeout<T>(store: Readable, body: () => T): T {
  const { timeout } = get<{ timeout: number }>(store, 'PRAGMA busy_timeout') ?? { timeout: 0 }
  store.db.pragma('busy_timeout = 0')
  try {
    return body()
  } finally {
    store.db.pragma(`busy_timeout = ${timeout}`)
  }
}

/**
 * SQLite's own checks, as messages. `quick_check` leaves out that indexes match their tables, which takes most of the
 * time of `integrity_check` and finds changed rows (checked-rows-format.ts).
 */
export function checkIntegrity({ db }: Readable, deep: boolean): string[] {
  const checked = db
    .prepare(`PRAGMA ${deep ? 'integrity_check' : 'quick_check'}`)
    .pluck()
    .all() as string[]
  const dangling = db.pragma('foreign_key_check') as { table: string }[]
  return [
    ...checked.filter((message) => message !== 'ok'),
    ...dangling.map(({ table }) => `a row in table ${table} refers to a missing row`)
  ]
}
