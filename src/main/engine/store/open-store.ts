/** Opens the store of one workspace: database, content and records on one connection. */
import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { migrate, type Prepare } from '../db/migrate.ts'
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
  /** Value of the store's meta table, null when unset. */
  meta(key: string): string | null
  setMeta(key: string, value: string): void
  close(): void
}

/** Opens or creates store.db (0600 in a 0700 folder) and brings its format up to date. Throws StoreNewer, StoreDamaged. */
export function openStore(file: string, prepare: Prepare = migrate): Store {
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
  // Versions 1 and 2 and the root's row are the same in every store, so nothing has to look them up.
  if (db.prepare('SELECT 1 FROM version WHERE id = 1').get() === undefined) {
    write(db, () => {
      const add = db.prepare('INSERT OR IGNORE INTO version(id, kind, size, mode) VALUES (?, ?, 0, 0)')
      add.run(1, kindNumber(ABSENT.kind))
      add.run(2, kindNumber(UNKNOWN.kind))
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

/** The root folder's row id. */
export const ROOT_ID = 1
