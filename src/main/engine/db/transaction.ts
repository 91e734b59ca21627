/** The one way to write: an immediate transaction that may not await, and the workspace's revision counter (LG-1). */
import type { Db, Statement } from './open.ts'
import { translate } from './open.ts'

/** A value that is not a promise: a transaction must not straddle an await, or another process's write could slip in between. */
type Sync<T> = T extends PromiseLike<unknown> ? never : T

const PREPARED = new WeakMap<Db, Map<string, Statement>>()

/** A statement prepared once for a connection: for SQL that every capture, or every event of an agent, runs. */
export function prepared(db: Db, sql: string): Statement {
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

/** Runs `body` in BEGIN IMMEDIATE; rolls back and rethrows (typed) on any error. Nested calls join the outer transaction. */
export function write<T>(db: Db, body: () => Sync<T>): T {
  if (db.inTransaction) return body()
  try {
    prepared(db, 'BEGIN IMMEDIATE').run()
    const result = body()
    prepared(db, 'COMMIT').run()
    return result
  } catch (error) {
    if (db.inTransaction) prepared(db, 'ROLLBACK').run()
    throw translate(error, db.name)
  }
}

/** Adds one to the workspace's `rev` inside the running transaction and returns it. Events carry it; other processes notice by it. */
export function bumpRev(db: Db): number {
  return (
    prepared(db, "UPDATE meta SET value = value + 1 WHERE key = 'rev' RETURNING value").get() as { value: number }
  ).value
}

export function readRev(db: Db): number {
  return (prepared(db, "SELECT value FROM meta WHERE key = 'rev'").get() as { value: number }).value
}
