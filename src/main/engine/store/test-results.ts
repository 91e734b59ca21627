/** Owns table `test_result`: how commands that run tests, check types or lint ended, each at a position of the log. */
import type { Seq } from '../../../contract/log.ts'
import type { TestKind, TestResult } from '../../../contract/tests.ts'
import type { Store } from './open-store.ts'
import { all, run as execute, get, type Writable } from './sql.ts'

interface NewResult extends TestResult {
  readonly run: string
  /** Its tool call; null for the command of a `driftline run`. */
  readonly call: string | null
}

const RESULT = 'command, kind, result, at, seq'
const INSERT = `INSERT OR IGNORE INTO test_result(seq, at, run, call, kind, result, command)
  VALUES (@seq, @at, @run, @call, @kind, @result, @command)`

/** A call that has a result keeps it. */
export function insertTestResult(tx: Writable<Store>, result: NewResult): void {
  const { seq, at, run, call, kind, command } = result
  execute(tx, INSERT, { seq, at, run, call, kind, result: result.result, command })
}

/** The newest results of a run, at most `limit`, oldest first. */
export function testsOfRun(store: Store, run: string, limit: number): TestResult[] {
  const sql = `SELECT ${RESULT} FROM test_result WHERE run = ? ORDER BY n DESC LIMIT ?`
  return all<TestResult>(store, sql, run, limit).reverse()
}

/** The first results at the positions from `from` up to, not at, `before`; at most `limit`, oldest first. */
export function testsBetween(store: Store, from: Seq, before: Seq, limit: number): TestResult[] {
  const sql = `SELECT ${RESULT} FROM test_result WHERE seq >= ? AND seq < ? ORDER BY seq, n LIMIT ?`
  return all(store, sql, from, before, limit)
}

/**
 * The last position at which a command of this kind passed and none of this kind failed since; with `command`, only
 * results of exactly that one count.
 */
export function lastPass(
  store: Store,
  wanted: { readonly kind?: TestKind; readonly command?: string }
): TestResult | null {
  const sql = `WITH wanted(kind, command) AS (VALUES (?, ?)),
    matching AS (SELECT t.* FROM test_result t, wanted w
      WHERE t.kind = coalesce(w.kind, t.kind) AND t.command = coalesce(w.command, t.command))
    SELECT ${RESULT} FROM matching t WHERE result = 'passed'
      AND NOT EXISTS (SELECT 1 FROM matching f WHERE f.seq = t.seq AND f.n > t.n AND f.result = 'failed')
    ORDER BY seq DESC, n DESC LIMIT 1`
  return get(store, sql, wanted.kind ?? null, wanted.command ?? null)
}

/** The result at the target `green`: where tests passed last; where none ever did, types, else lint. */
export function greenResult(store: Store): TestResult | null {
  return lastPass(store, { kind: 'tests' }) ?? lastPass(store, { kind: 'types' }) ?? lastPass(store, { kind: 'lint' })
}
