/** A run's totals for the timeline. */
import type { Store } from '../store/open-store.ts'
import { changesOfRun } from './changes.ts'
import { describeChanges } from './counted.ts'
import { withoutImpliedFolders } from './implied-folders.ts'
import { withRenames } from './moved.ts'

export interface RunTotals {
  readonly files: number
  readonly added: number
  readonly deleted: number
}

/** Totals of a run, or of one of its turns: of what its diff lists, so also of a folder that came, went or changed its mode by itself. */
export function runTotals(store: Store, run: string, turn: string | null = null): RunTotals {
  const files = describeChanges(store, withoutImpliedFolders(withRenames(store, changesOfRun(store, run, turn))))
  return {
    files: files.length,
    added: files.reduce((sum, file) => sum + file.added, 0),
    deleted: files.reduce((sum, file) => sum + file.deleted, 0)
  }
}
