/** Opens the store of one workspace: content and the log's repositories on one SQLite connection. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Content, type ContentWrites, createContent, createContentWrites } from './content.ts'
import { createRecentContents } from './content-rows.ts'
import { type Db, openAsItIs } from './database.ts'
import { ABSENT, UNKNOWN } from './fixed-versions.ts'
import { FORGET_COUNTS } from './kept-counts.ts'
import { openMigrated } from './migrate.ts'
import { deferPackedPaths } from './packed-paths.ts'
import { createRecords, createRecordWrites, type Records, type RecordWrites } from './records.ts'
import { registerSharedContents, sharedContents } from './shared-content.ts'
import { exists, type HasWrites, type Readable, run, transact, type Writable } from './sql.ts'
import { STORE_MIGRATIONS } from './store-schema.ts'
import { kindNumber } from './versions.ts'

export interface Store extends HasWrites<StoreWrites> {
  readonly file: string
  readonly db: Db
  readonly content: Content
  readonly records: Records
  close(): void
}

/** What a transaction adds to the members of a store. */
interface StoreWrites {
  readonly content: ContentWrites
  readonly records: RecordWrites
}

/**
 * Opens or creates store.db (mode 0600 in a folder of mode 0700) in the current format. `isSmall`: a new one will have few
 * rows. Throws StoreNewer and StoreDamaged; the connection is closed then.
 */
export function openStore(file: string, isSmall = false): Store {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const db = openMigrated(file, STORE_MIGRATIONS, isSmall ? 2048 : undefined)
  db.exec(FORGET_COUNTS)
  const handle = { db } as Writable<Readable>
  // The same row ids in every store, so that no code has to query them. OR IGNORE: another process may insert them
  // first.
  if (!exists(handle, 'SELECT 1 FROM version WHERE id = 1'))
    transact(handle, (tx) => {
      const sql = 'INSERT OR IGNORE INTO version(id, kind, size, mode) VALUES (?, ?, 0, 0)'
      run(tx, sql, 1, kindNumber(ABSENT.kind))
      run(tx, sql, 2, kindNumber(UNKNOWN.kind))
      run(tx, "INSERT OR IGNORE INTO path(id, parent, name) VALUES (1, 0, '')")
    })
  deferPackedPaths(handle)
  const recent = createRecentContents(handle)
  registerSharedContents(handle, file, openContents)
  return {
    file,
    db,
    // The methods that write are members, too, but only the type of a handle inside a transaction has them.
    content: { ...createContent(handle, recent), ...createContentWrites(handle, recent) },
    records: { ...createRecords(handle), ...createRecordWrites(handle) },
    close: () => {
      sharedContents(handle)?.close()
      db.close()
    }
  }
}

/** The contents of an existing history, to read. */
function openContents(file: string) {
  const db = openAsItIs(file, 'to-read')
  return { content: createContent({ db }, createRecentContents({ db })), close: () => db.close() }
}

/** Row id of the root folder in table `path`. */
export const ROOT_ID = 1
