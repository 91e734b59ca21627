/** Opens the store of one workspace: content and the log's repositories on one SQLite connection. */
import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { migrate, type PrepareSchema } from '../db/migrate.ts'
import { type Db, openDatabase } from '../db/open.ts'
import { STORE_MIGRATIONS } from '../db/store-schema.ts'
import { write } from '../db/transaction.ts'
import { type Content, createContent } from './content.ts'
import { ABSENT, UNKNOWN } from './fixed-versions.ts'
import { createRecords, type Records } from './records.ts'
import { kindNumber } from './versions.ts'

export interface Store {
  readonly file: string
  readonly db: Db
  readonly content: Content
  readonly records: Records
  /** Value of table `meta`, null if it is not set. */
  meta(key: string): string | null
  /** Call inside a transaction. */
  setMeta(key: string, value: string): void
  close(): void
}

/**
 * Opens or creates store.db (mode 0600 in a folder of mode 0700). `prepare` migrates it, or in hooks only checks its format.
 * Throws StoreNewer and StoreDamaged; the connection is closed then.
 */
export function openStore(file: string, prepare: PrepareSchema = migrate): Store {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const fresh = !existsSync(file)
  const db = openDatabase(file)
  if (fresh) chmodSync(file, 0o600)
  try {
    prepare(db, STORE_MIGRATIONS)
  } catch (error) {
    db.close()
    throw error
  }
  // The same row ids in every store, so that no code has to query them. OR IGNORE: another process may insert them first.
  if (db.prepare('SELECT 1 FROM version WHERE id = 1').get() === undefined) {
    write(db, () => {
      const insert = db.prepare('INSERT OR IGNORE INTO version(id, kind, size, mode) VALUES (?, ?, 0, 0)')
      insert.run(1, kindNumber(ABSENT.kind))
      insert.run(2, kindNumber(UNKNOWN.kind))
      db.prepare("INSERT OR IGNORE INTO path(id, parent, name) VALUES (1, 0, '')").run()
    })
  }
  const readMeta = db.prepare('SELECT value FROM meta WHERE key = ?')
  const writeMeta = db.prepare('INSERT INTO meta VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value')
  return {
    file,
    db,
    content: createContent(db),
    records: createRecords(db),
    meta: (key) => {
      const row = readMeta.get(key) as { value: unknown } | undefined
      return row ? String(row.value) : null
    },
    setMeta: (key, value) => {
      writeMeta.run(key, value)
    },
    close: () => db.close()
  }
}

/** Row id of the root folder in table `path`. */
export const ROOT_ID = 1
