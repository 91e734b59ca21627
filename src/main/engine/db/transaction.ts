/** Owns write transactions: every write of the engine goes through `write`, which takes SQLite's write lock at once and may not await. */
import type { Db, Statement } from './open.ts'
import { toDriftlineError } from './open.ts'

/** Any type but a promise: while a transaction awaits, other code of this process would write inside it. */
export type Sync<T> = T extends PromiseLike<unknown> ? never : T

const PREPARED = new WeakMap<Db, Map<string, Statement>>()

/** Prepares a statement once per connection: for SQL that runs with every capture or every hook event. */
export function prepareCached(db: Db, sql: string): Statement {
  let statements = PREPARED.get(db)
  if (!statements) {
    statements = new Map()
    PREPARED.set(db, statements)
  }
  let statement = statements.get(sql)
  if (!statement) {
    statement = db.prepare(sql)
    statements.set(sql, statement)
  }
  return statement
}

/**
 * Runs `body` in BEGIN IMMEDIATE and rolls back on any error, which is rethrown as a typed one. Nested calls join the outer
 * transaction. IMMEDIATE, because a transaction that reads first and then has to wait for the write lock fails at once with
 * SQLITE_BUSY when another process wrote in between; the busy timeout does not apply to it (sqlite.org/lang_transaction.html).
 */
export function write<T>(db: Db, body: () => Sync<T>): T {
  if (db.inTransaction) return body()
  try {
    prepareCached(db, 'BEGIN IMMEDIATE').run()
    const result = body()
    prepareCached(db, 'COMMIT').run()
    return result
  } catch (error) {
    if (db.inTransaction) prepareCached(db, 'ROLLBACK').run()
    throw toDriftlineError(error, db.name)
  }
}
