/** Computes the totals of a run for the timeline. */
import type { Store } from '../store/open-store.ts'
import { changesOfRun } from './changes.ts'
import { describeChanges } from './describe-changes.ts'
import { withRenames } from './detect-renames.ts'
import { withoutImpliedFolders } from './implied-folders.ts'

export interface RunTotals {
  readonly files: number
  readonly added: number
  readonly deleted: number
}

/** Counts exactly what the diff of the run or turn lists, so also folders that were created, deleted or changed their mode. */
export function runTotals(store: Store, run: string, turn: string | null = null): RunTotals {
  const files = describeChanges(store, withoutImpliedFolders(withRenames(store, changesOfRun(store, run, turn))))
  return {
    files: files.length,
    added: files.reduce((sum, file) => sum + file.added, 0),
    deleted: files.reduce((sum, file) => sum + file.deleted, 0)
  }
}
