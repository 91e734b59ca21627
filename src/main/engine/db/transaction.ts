/** The one way to write: an immediate transaction that may not await, and the workspace's revision counter (LG-1). */
import type { Db } from './open.ts'
import { translate } from './open.ts'

/** A value that is not a promise: a transaction must not straddle an await, or another process's write could slip in between. */
type Sync<T> = T extends PromiseLike<unknown> ? never : T

/** Runs `body` in BEGIN IMMEDIATE; rolls back and rethrows (typed) on any error. Nested calls join the outer transaction. */
export function write<T>(db: Db, body: () => Sync<T>): T {
  if (db.inTransaction) return body()
  try {
    db.prepare('BEGIN IMMEDIATE').run()
    const result = body()
    db.prepare('COMMIT').run()
    return result
  } catch (error) {
    if (db.inTransaction) db.prepare('ROLLBACK').run()
    throw translate(error, db.name)
  }
}

/** Adds one to the workspace's `rev` inside the running transaction and returns it. Events carry it; other processes notice by it. */
export function bumpRev(db: Db): number {
  const row = db.prepare("UPDATE meta SET value = value + 1 WHERE key = 'rev' RETURNING value").get() as {
    value: number
  }
  return row.value
}

export function readRev(db: Db): number {
  return (db.prepare("SELECT value FROM meta WHERE key = 'rev'").get() as { value: number }).value
}
