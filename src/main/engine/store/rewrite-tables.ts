/**
 * Deletes rows so that no byte of them stays in the file. SQLite's secure_delete clears the space of a deleted row, but not
 * the copies that page splits leave in unused parts of other pages, so the tables are written again row by row.
 * For small tables only: contents are removed by rewriting the whole file (retention/vacuum.ts).
 */
import { type Readable, type Sync, transact, type Writable } from './sql.ts'

/**
 * Runs `body` and rewrites `tables` in one transaction. Foreign keys are not checked meanwhile, because the tables are empty
 * for a moment: `body` must leave all references valid.
 */
export function rewriteTables<S extends Readable, T>(
  store: S,
  tables: readonly string[],
  body: (tx: Writable<S>) => Sync<T>
): T {
  const { db } = store
  // These pragmas have no effect inside a transaction. In memory: a temporary file would hold the rows, too.
  db.pragma('foreign_keys = OFF')
  db.pragma('temp_store = MEMORY')
  // ON instead of FAST: overflow pages of long rows that are reused in this transaction keep the rest of their old content.
  db.pragma('secure_delete = ON')
  try {
    return transact(store, (tx) => {
      const result = body(tx)
      for (const table of tables) {
        db.exec(
          `CREATE TEMP TABLE rewritten AS SELECT * FROM main.${table}; DELETE FROM main.${table};
           INSERT INTO main.${table} SELECT * FROM temp.rewritten ORDER BY rowid; DROP TABLE temp.rewritten`
        )
      }
      return result
    })
  } finally {
    db.pragma('secure_delete = FAST')
    db.pragma('foreign_keys = ON')
  }
}
