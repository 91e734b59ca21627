/**
 * Owns table `run_text`: the label and the note that a person gave a run. Each change is a row, so it can be undone; the
 * newest row of a kind is in force.
 */
import type { RunTexts } from '../../../contract/timeline.ts'
import type { Store } from './open-store.ts'
import { all, run as execute, scalar, type Writable } from './sql.ts'
import { readable, sumOf } from './text-sum.ts'

type RunTextKind = 'label' | 'note'

const DAMAGED = 'This text is damaged.'
const TEXT = readable('x', 'text', DAMAGED)

/** SQL: the text of a kind that is in force for the run whose id is the expression `run`; NULL if there never was one. */
export function textInForce(run: string, kind: RunTextKind): string {
  return `(SELECT ${TEXT} FROM run_text x WHERE x.run = ${run} AND x.kind = '${kind}' ORDER BY x.n DESC LIMIT 1)`
}

/** SQL: the name of the row `r` of table `run`: its label, else its title. */
export const RUN_NAME = `coalesce(nullif(${textInForce('r.id', 'label')}, ''), r.title)`

const IN_FORCE = { label: `SELECT ${textInForce('?', 'label')}`, note: `SELECT ${textInForce('?', 'note')}` }

/** "" without one. */
function runText(store: Store, run: string, kind: RunTextKind): string {
  return scalar<string>(store, IN_FORCE[kind], run) ?? ''
}

/** Both. */
export function textsOfRun(store: Store, run: string): RunTexts {
  return { label: runText(store, run, 'label'), userNote: runText(store, run, 'note') }
}

/** What was in force before the newest change; "" without one. */
export function formerRunText(store: Store, run: string, kind: RunTextKind): string {
  const sql = `SELECT ${TEXT} FROM run_text x WHERE run = ? AND kind = ? ORDER BY n DESC LIMIT 1 OFFSET 1`
  return scalar<string>(store, sql, run, kind) ?? ''
}

/** Replaces the text of a kind; nothing is written if it is in force already. */
export function setRunText(tx: Writable<Store>, run: string, kind: RunTextKind, text: string, at: number): void {
  if (runText(tx, run, kind) === text) return
  const sql = `INSERT INTO run_text(run, kind, at, text, sum) VALUES (?, ?, ?, ?, ${sumOf('?')})`
  execute(tx, sql, run, kind, at, text, text)
}

interface RunTextRow {
  readonly n: number
  readonly run: string
  readonly at: number
  readonly text: string
}

/** The texts in force with n < `before`, newest first. */
export function runTextPage(store: Store, before: number, limit: number): RunTextRow[] {
  const sql = `SELECT x.n, x.run, x.at, ${TEXT} AS text FROM run_text x WHERE x.n < ? AND x.text <> ''
    AND NOT EXISTS (SELECT 1 FROM run_text y WHERE y.run = x.run AND y.kind = x.kind AND y.n > x.n)
    ORDER BY x.n DESC LIMIT ?`
  return all(store, sql, before, limit)
}
