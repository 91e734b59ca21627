/**
 * The only access of repositories to their database: typed rows, statements prepared once, and writing only inside a
 * transaction, which takes SQLite's write lock at once and may not await. A function that takes a `Store` reads; one
 * that takes a `Writable<Store>` may write, and because only `transact` makes one, "call inside a transaction" is
 * checked by the compiler.
 */
import { type Db, type Statement, toDriftlineError } from './database.ts'

/** Any type but a promise: while a transaction awaits, other code of this process would write inside it. */
export type Sync<T> = T extends PromiseLike<unknown> ? never : T

/** Raw and pluck mode are properties of a prepared statement, so one that is read in two ways is prepared twice. */
type ReadAs = 'rows' | 'tuples' | 'values'
interface Connection {
  readonly prepared: Readonly<Record<ReadAs, Map<string, Statement>>>
  /** What has to be written before the next statement on these tables. */
  deferred: Deferred | null
}

export interface Deferred {
  /** Matches statements that name one of its tables. */
  readonly tables: RegExp
  write(): void
}

const CONNECTIONS = new WeakMap<Db, Connection>()

function connectionOf(db: Db): Connection {
  const known = CONNECTIONS.get(db)
  if (known) return known
  const added: Connection = {
    prepared: { rows: new Map(), tuples: new Map(), values: new Map() },
    deferred: null
  }
  CONNECTIONS.set(db, added)
  return added
}

/**
 * Postpones writing rows until a statement needs them: `write` is called before the first one that names one of their
 * tables. Replaces what was postponed before; null: nothing is.
 */
export function deferRows({ db }: Readable, deferred: Deferred | null): void {
  connectionOf(db).deferred = deferred
}

/** Whether that is what is postponed now. */
export function isDeferred({ db }: Readable, deferred: Deferred): boolean {
  return connectionOf(db).deferred === deferred
}

/** Runs `body`, whose statements need no postponed rows. */
export function withoutDeferred<T>({ db }: Readable, body: () => Sync<T>): T {
  const connection = connectionOf(db)
  const { deferred } = connection
  connection.deferred = null
  try {
    return body()
  } finally {
    connection.deferred = deferred
  }
}

/** They stay postponed if that fails, and if the transaction does in which it happens. */
function writeDeferred(connection: Connection): void {
  const { deferred } = connection
  connection.deferred = null
  try {
    deferred?.write()
  } catch (error) {
    connection.deferred = deferred
    throw error
  }
}

/** Prepares a statement once per connection: most SQL runs with every capture, hook event or row of a list. */
function prepareOnce(db: Db, readAs: ReadAs, sql: string): Statement {
  const connection = connectionOf(db)
  if (connection.deferred?.tables.test(sql)) writeDeferred(connection)
  const statements = connection.prepared[readAs]
  let statement = statements.get(sql)
  if (!statement) {
    statement = db.prepare(sql)
    if (readAs === 'tuples') statement.raw()
    if (readAs === 'values') statement.pluck()
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
 * Runs `body` in BEGIN IMMEDIATE and rolls back on any error, which is rethrown as a typed one. Inside another
 * transaction it joins that one. IMMEDIATE, because a transaction that reads first and then has to wait for the write
 * lock fails at once with SQLITE_BUSY when another process wrote in between; the busy timeout does not apply to it
 * (sqlite.org/lang_transaction.html).
 */
export function transact<S extends Readable, T>(store: S, body: (tx: Writable<S>) => Sync<T>): T {
  const { db } = store
  if (READING.has(db)) throw new Error('a write began inside readTogether')
  if (db.inTransaction) return body(store as Writable<S>)
  const connection = connectionOf(db)
  const { deferred } = connection
  try {
    prepareOnce(db, 'rows', 'BEGIN IMMEDIATE').run()
    const result = body(store as Writable<S>)
    prepareOnce(db, 'rows', 'COMMIT').run()
    return result
  } catch (error) {
    if (db.inTransaction) prepareOnce(db, 'rows', 'ROLLBACK').run()
    connection.deferred = deferred
    throw toDriftlineError(error, db.name)
  }
}

const READING = new WeakSet<Db>()

/**
 * Runs `body`, which reads many rows and writes none, in one transaction. Outside of one every statement takes and
 * releases SQLite's locks, which takes twice as long as reading a row.
 */
export function readTogether<T>(store: Readable, body: () => Sync<T>): T {
  const { db } = store
  if (db.inTransaction) return body()
  // Before: nothing can be written inside.
  writeDeferred(connectionOf(db))
  prepareOnce(db, 'rows', 'BEGIN').run()
  READING.add(db)
  try {
    return body()
  } finally {
    READING.delete(db)
    if (db.inTransaction) prepareOnce(db, 'rows', 'COMMIT').run()
  }
}

/** The first row, or null. `Row` names the selected columns; SQLite does not check it. */
export function get<Row>(store: Readable, sql: string, ...values: Bindable[]): Row | null {
  return (prepareOnce(store.db, 'rows', sql).get(...values) as Row | undefined) ?? null
}

export function exists(store: Readable, sql: string, ...values: Bindable[]): boolean {
  return prepareOnce(store.db, 'values', sql).get(...values) !== undefined
}

/** All rows. */
export function all<Row>(store: Readable, sql: string, ...values: Bindable[]): Row[] {
  return prepareOnce(store.db, 'rows', sql).all(...values) as Row[]
}

/** Row by row, for rows that are large. Until the last one is read, the statement cannot be used otherwise. */
export function iterate<Row>(store: Readable, sql: string, ...values: Bindable[]): IterableIterator<Row> {
  return prepareOnce(store.db, 'rows', sql).iterate(...values) as IterableIterator<Row>
}

/** All rows, each an array of its columns: for bulk reads, where one object per row would cost more than reading it. */
export function tuples<Row extends readonly unknown[]>(store: Readable, sql: string, ...values: Bindable[]): Row[] {
  return prepareOnce(store.db, 'tuples', sql).all(...values) as Row[]
}

/** The first column of all rows. */
export function column<Value>(store: Readable, sql: string, ...values: Bindable[]): Value[] {
  return prepareOnce(store.db, 'values', sql).all(...values) as Value[]
}

/** The first column of the first row, or null. */
export function scalar<Value>(store: Readable, sql: string, ...values: Values): Value | null {
  return (prepareOnce(store.db, 'values', sql).get(...values) as Value | null | undefined) ?? null
}

/** The first column of the first row: a count or a sum; 0 when it is NULL. */
export function count(store: Readable, sql: string, ...values: Bindable[]): number {
  return scalar<number>(store, sql, ...values) ?? 0
}

/** Runs a statement that writes. Returns how many rows it changed, and the id of the last inserted row. */
export function run(tx: Writable<Readable>, sql: string, ...values: Values): { changes: number; id: number } {
  const { changes, lastInsertRowid } = prepareOnce(tx.db, 'rows', sql).run(...values)
  return { changes, id: Number(lastInsertRowid) }
}

/**
 * Inserts many rows by one statement. `into`: the table and its columns. Returns their ids, which follow one another, as those of
 * an INTEGER PRIMARY KEY do inside a transaction.
 */
export function insertRows(tx: Writable<Readable>, into: string, rows: readonly (readonly Bindable[])[]): number[] {
  if (rows.length === 0) return []
  const values = rows.map((row) => `(${row.map(() => '?')})`)
  const { lastInsertRowid } = prepareOnce(tx.db, 'rows', `INSERT INTO ${into} VALUES ${values}`).run(rows.flat())
  const first = Number(lastInsertRowid) - rows.length + 1
  return rows.map((_, n) => first + n)
}

/** Returns a function that inserts a row with these columns. Call it once per table, where the module is loaded. */
export function inserter<Column extends string>(table: string, columns: readonly Column[]) {
  const sql = `INSERT INTO ${table}(${columns}) VALUES (${columns.map(() => '?')})`
  return (tx: Writable<Readable>, row: Readonly<Record<Column, Bindable>>): void => {
    prepareOnce(tx.db, 'rows', sql).run(columns.map((column) => row[column]))
  }
}
