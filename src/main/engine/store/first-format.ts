/**
 * Completes a file of format 1. Until format 2 existed, the first migration itself was extended, so files of format 1
 * differ: tables, columns and references may be missing, and an index may be left over.
 */
import { type Db, openDatabase } from './database.ts'

/** Values of columns that were added to format 1 without a default: SQL over the table as it was, `former`. */
export const ADDED_TO_FORMAT_1 = {
  'restore.target': "coalesce(run, undoes, 'seq:' || to_seq, '')",
  'restore.whole': '1',
  'restore.mode': "'files'",
  'restore_conversation.superseded': '0',
  'restore_conversation.brought_back': '0',
  'fork.file': "''",
  'message.parent':
    'coalesce((SELECT max(m.seq) FROM former m WHERE m.session = former.session AND m.seq < former.seq), 0)'
}

interface SchemaEntry {
  readonly type: 'table' | 'index'
  readonly name: string
  readonly sql: string
}

/**
 * Brings the file to the last text of format 1. A table that differs is written again in its final form, with the
 * values of all columns that are still there. `added`: SQL by `table.column`, for a column that was added without a
 * default; `former` is the table as it was. Foreign keys must be off.
 */
export function completeFirstFormat(db: Db, format: string, added: Readonly<Record<string, string>> = {}): void {
  const complete = openDatabase(':memory:')
  try {
    complete.exec(format)
    const entries = entriesOf(complete)
    for (const { type, name, sql } of entries)
      if (type === 'table' && shapeOf(db, name) !== shapeOf(complete, name))
        rebuild(db, name, sql, columnsOf(complete, name), added)
    const present = new Set(entriesOf(db).map(({ name }) => name))
    for (const { name, sql } of entries) if (!present.has(name)) db.exec(sql)
    const final = new Set(entries.map(({ name }) => name))
    for (const { type, name } of entriesOf(db)) if (type === 'index' && !final.has(name)) db.exec(`DROP INDEX ${name}`)
  } finally {
    complete.close()
  }
}

function rebuild(
  db: Db,
  table: string,
  sql: string,
  columns: readonly string[],
  added: Readonly<Record<string, string>>
): void {
  const before = new Set(columnsOf(db, table))
  if (before.size === 0) {
    db.exec(sql)
    return
  }
  // A column without a former value gets its default.
  const kept = columns.filter((column) => before.has(column) || added[`${table}.${column}`] !== undefined)
  const values = kept.map((column) => (before.has(column) ? column : added[`${table}.${column}`]))
  db.exec(
    `CREATE TEMP TABLE former AS SELECT * FROM main.${table}; DROP TABLE main.${table}; ${sql};
     INSERT INTO main.${table}(${kept}) SELECT ${values} FROM temp.former ORDER BY rowid; DROP TABLE temp.former`
  )
}

/** Tables before their indexes, without SQLite's own. */
function entriesOf(db: Db): SchemaEntry[] {
  return db
    .prepare(
      "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type DESC"
    )
    .all() as SchemaEntry[]
}

function columnsOf(db: Db, table: string): string[] {
  return (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name)
}

/** Columns and references as text; '[[],[]]' if there is no such table. */
function shapeOf(db: Db, table: string): string {
  return JSON.stringify([db.pragma(`table_info(${table})`), db.pragma(`foreign_key_list(${table})`)])
}
