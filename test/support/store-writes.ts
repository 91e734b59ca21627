/** Counts the statements by which this process writes to its databases, so that a test can end it before any of them. */
import Database from 'better-sqlite3'

interface Statement {
  readonly source: string
  run(...values: unknown[]): unknown
}

/** Calls `onWrite` before each statement that writes, BEGIN and COMMIT among them. Returns what ends that. */
export function beforeEachWrite(onWrite: (sql: string) => void): () => void {
  const db = new Database(':memory:')
  const prototype = Object.getPrototypeOf(db.prepare('SELECT 1')) as Statement
  db.close()
  const { run } = prototype
  prototype.run = function (...values) {
    onWrite(this.source)
    return run.apply(this, values)
  }
  return () => {
    prototype.run = run
  }
}
