/** The totals of a live run for lists, counted again only after an edit of the run. An ended run has them in its row. */

import type { Db } from '../store/database.ts'
import { countEditedPaths, lastEditOfRun } from '../store/edit-calls.ts'
import type { Store } from '../store/open-store.ts'
import { runTotals } from './requested-changes.ts'

type Totals = ReturnType<typeof runTotals>

/** Paths up to which lines are counted without being asked for: 15 ms. A list is fetched after each edit of a live run. */
const FEW_PATHS = 1000

/** By database and run, with the edit up to which they were counted. */
const COUNTED = new WeakMap<Db, Map<string, { readonly edit: number; readonly totals: Totals }>>()

/** With many changed paths only their number, and no lines, unless `all` asks for the lines, too. */
export function liveTotals(store: Store, run: string, all: boolean): Totals {
  const edit = lastEditOfRun(store, run)
  const runs = COUNTED.get(store.db) ?? new Map<string, { readonly edit: number; readonly totals: Totals }>()
  const known = runs.get(run)
  if (known?.edit === edit) return known.totals
  const paths = countEditedPaths(store, run)
  if (paths > FEW_PATHS && !all) return { files: paths, added: 0, deleted: 0 }
  const totals = runTotals(store, run)
  COUNTED.set(store.db, runs.set(run, { edit, totals }))
  return totals
}

/** The run has ended. */
export function forgetLiveTotals(store: Store, run: string): void {
  COUNTED.get(store.db)?.delete(run)
}
