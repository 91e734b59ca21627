/**
 * Writes tables anew, row by row in their order. Pages that grew and were split keep pieces of old rows in their gaps,
 * which zeroing what is deleted does not reach. For small tables: contents are written anew with the whole file (retention/give-back.ts).
 */
import type { Db } from './open.ts'
import { write } from './transaction.ts'

/**
 * Runs `body` and writes `tables` anew, in one transaction. References are not looked at meanwhile, so `body` must leave
 * them whole.
 */
export function rewriting<T>(db: Db, tables: readonly string[], body: () => T): T {
  db.pragma('foreign_keys = OFF')
  db.pragma('temp_store = MEMORY')
  // Long rows take pages of their own, and one that is used again in the same transaction keeps what the new row leaves of it.
  db.pragma('secure_delete = ON')
  try {
    return write(db, () => {
      const result = body()
      for (const table of tables) {
        db.exec(
          `CREATE TEMP TABLE rewritten AS SELECT * FROM main.${table}; DELETE FROM main.${table};
           INSERT INTO main.${table} SELECT * FROM temp.rewritten ORDER BY rowid; DROP TABLE temp.rewritten`
        )
      }
      return result as T extends PromiseLike<unknown> ? never : T
    })
  } finally {
    db.pragma('secure_delete = FAST')
    db.pragma('foreign_keys = ON')
  }
}
