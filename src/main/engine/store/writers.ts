/**
 * Answers who made an edit, from tables `edit_call`, `run` and `turn`. A shared edit has several runs: the first is
 * named.
 */
import type { Writer } from '../../../contract/diff.ts'
import type { Seq } from '../../../contract/log.ts'
import type { EditRow } from './edits.ts'
import type { Store } from './open-store.ts'
import type { PathId } from './paths.ts'
import { RUN_NAME } from './run-texts.ts'
import { column, get, scalar, tuples } from './sql.ts'
import { PROMPT } from './turns.ts'

const RUNS_OF_EDITS = `SELECT c.edit, c.run FROM edit_call c WHERE c.edit IN (SELECT value FROM json_each(?))
  ORDER BY c.edit, c.run DESC`

/** For conflicts, and for the list of other writers in a diff: one for each edit, in their order. */
export function writersOf(store: Store, edits: readonly EditRow[]): Writer[] {
  return createWriterReader(store)(edits)
}

/** The same for a task that asks for those of many files, which mostly have the same runs: each title is read once. */
export function createWriterReader(store: Store): (edits: readonly EditRow[]) => Writer[] {
  const titles = new Map<string, string>()
  const titleOf = (run: string): string => {
    const title = titles.get(run) ?? scalar<string>(store, `SELECT ${RUN_NAME} FROM run r WHERE r.id = ?`, run) ?? ''
    titles.set(run, title)
    return title
  }
  return (edits) => {
    const ofRuns = edits.flatMap(({ seq, origin }) => (origin === 'outside' ? [] : [seq]))
    // Of several runs the first is named, so it comes last.
    const runs = new Map(ofRuns.length === 0 ? [] : tuples<[Seq, string]>(store, RUNS_OF_EDITS, JSON.stringify(ofRuns)))
    return edits.map(({ seq, origin, at }) => {
      if (origin === 'outside') return { who: 'outside', title: '', at }
      const who = runs.get(seq)
      return who === undefined ? { who: 'a restore', title: '', at } : { who, title: titleOf(who), at }
    })
  }
}

interface WritingTurn {
  readonly run: string
  readonly prompt: string
  readonly agent: string
  /** 1-based number of the turn; null when it is the only one of its run. */
  readonly turn: number | null
}

/** The turn that made an edit; null for an edit of no run. */
export function findWritingTurn(store: Store, seq: Seq): WritingTurn | null {
  const sql = `SELECT c.run, ${PROMPT} AS prompt, r.agent,
       (SELECT iif(count(*) = 1, NULL, sum(o.n <= t.n)) FROM turn o WHERE o.run = t.run) AS turn
     FROM edit_call c JOIN turn t ON t.id = c.turn JOIN run r ON r.id = c.run WHERE c.edit = ? LIMIT 1`
  return get(store, sql, seq)
}

/** Names of the runs that are not undone, with an edit of one of these paths (null: all) after a position; oldest run first. */
export function titlesOfRunsAfter(store: Store, seq: Seq, paths: readonly PathId[] | null): string[] {
  const ofPaths = 'AND (SELECT path FROM edit WHERE seq = c.edit) IN (SELECT value FROM json_each(?))'
  const sql = `SELECT name FROM (SELECT DISTINCT r.n, ${RUN_NAME} AS name FROM edit_call c JOIN run r ON r.id = c.run
    WHERE c.edit > ? AND r.taken_back = 0 ${paths ? ofPaths : ''}) GROUP BY name ORDER BY min(n)`
  return column(store, sql, seq, ...(paths ? [JSON.stringify(paths)] : []))
}
