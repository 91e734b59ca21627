/**
 * The only access of repositories to their database: typed rows, statements prepared once, and writing only inside a
 * transaction, which takes SQLite's write lock at once and may not await. A function that takes a `Store` reads; one that takes
 * a `Writable<Store>` may write, and because only `transact` makes one, "call inside a transaction" is checked by the compiler.
 */
import { type Db, type Statement, toDriftlineError } from './database.ts'

/** Any type but a promise: while a transaction awaits, other code of this process would write inside it. */
export type Sync<T> = T extends PromiseLike<unknown> ? never : T

const PREPARED = new WeakMap<Db, Map<string, Statement>>()

/** Prepares a statement once per connection: for SQL that runs with every capture or every hook event. */
function prepareCached(db: Db, sql: string): Statement {
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

/** Anything with a database handle: the store of a workspace, or app.db. */
export interface Readable {
  readonly db: Db
}

declare const WRITABLE: unique symbol
declare const WRITES: unique symbol
/** Names the methods of a handle that write, so that only `Writable` has them. */
export interface HasWrites<Writes> {
  readonly [WRITES]?: Writes
}
/** A handle inside an open transaction. It is the same object; the type is what proves it. */
export type Writable<S extends Readable> = S & { readonly [WRITABLE]: true } & (S extends HasWrites<infer Writes>
    ? Writes
    : unknown)

/** What SQLite can bind. */
type Bindable = string | number | bigint | null | Uint8Array
/** Values in their order for `?`, or one object with those for `@name`. */
type Values = readonly Bindable[] | readonly [Readonly<Record<string, Bindable>>]

/**
 * Runs `body` in BEGIN IMMEDIATE and rolls back on any error, which is rethrown as a typed one. Inside another transaction it
 * joins that one. IMMEDIATE, because a transaction that reads first and then has to wait for the write lock fails at once with
 * SQLITE_BUSY when another process wrote in between; the busy timeout does not apply to it (sqlite.org/lang_transaction.html).
 */
export function transact<S extends Readable, T>(store: S, body: (tx: Writable<S>) => Sync<T>): T {
  const { db } = store
  if (db.inTransaction) return body(store as Writable<S>)
  try {
    prepareCached(db, 'BEGIN IMMEDIATE').run()
    const result = body(store as Writable<S>)
    prepareCached(db, 'COMMIT').run()
    return result
  } catch (error) {
    if (db.inTransaction) prepareCached(db, 'ROLLBACK').run()
    throw toDriftlineError(error, db.name)
  }
}

/** The first row, or null. `Row` names the selected columns; SQLite does not check it. */
export function get<Row>(store: Readable, sql: string, ...values: Bindable[]): Row | null {
  return (prepareCached(store.db, sql).get(...values) as Row | undefined) ?? null
}

export function exists(store: Readable, sql: string, ...values: Bindable[]): boolean {
  return prepareCached(store.db, sql).get(...values) !== undefined
}

/** All rows. */
export function all<Row>(store: Readable, sql: string, ...values: Bindable[]): Row[] {
  return prepareCached(store.db, sql).all(...values) as Row[]
}

/** Row by row, for rows that are large. Until the last one is read, the statement cannot be used otherwise. */
export function iterate<Row>(store: Readable, sql: string, ...values: Bindable[]): IterableIterator<Row> {
  return prepareCached(store.db, sql).iterate(...values) as IterableIterator<Row>
}

/**
 * All rows, each an array of its columns: for bulk reads, where one object per row would cost more than reading it. The comment
 * gives the statement a cache entry of its own, because raw mode is a property of the prepared statement.
 */
export function tuples<Row extends readonly unknown[]>(store: Readable, sql: string, ...values: Bindable[]): Row[] {
  return prepareCached(store.db, `${sql} -- tuples`)
    .raw()
    .all(...values) as Row[]
}

/** The first column of all rows. */
export function column<Value>(store: Readable, sql: string, ...values: Bindable[]): Value[] {
  return tuples<readonly [Value]>(store, sql, ...values).map(([value]) => value)
}

/** The first column of the first row, or null. */
export function scalar<Value>(store: Readable, sql: string, ...values: Bindable[]): Value | null {
  const row = prepareCached(store.db, sql).get(...values) as Record<string, Value> | undefined
  return row ? (Object.values(row)[0] ?? null) : null
}

/** The first column of the first row: a count or a sum; 0 when it is NULL. */
export function count(store: Readable, sql: string, ...values: Bindable[]): number {
  return scalar<number>(store, sql, ...values) ?? 0
}

/** Runs a statement that writes. Returns how many rows it changed, and the id of the last inserted row. */
export function run(tx: Writable<Readable>, sql: string, ...values: Values): { changes: number; id: number } {
  const { changes, lastInsertRowid } = prepareCached(tx.db, sql).run(...values)
  return { changes, id: Number(lastInsertRowid) }
}

/** Inserts a row; the keys of `row` are the names of its columns. */
export function insert<Row extends { readonly [Column in keyof Row]: Bindable }>(
  tx: Writable<Readable>,
  table: string,
  row: Row
): void {
  const columns = Object.keys(row)
  const sql = `INSERT INTO ${table}(${columns}) VALUES (${columns.map(() => '?')})`
  run(tx, sql, ...Object.values<Bindable>(row))
}
