/**
 * Requests what is shown as soon as it is chosen, before a pane is drawn for it: of a row the files of its comparison,
 * the rows of its run and, when the files are known, the text of the first. The panes then find all of it: no request
 * waits for a paint, nor the text for what is computed about the whole run.
 */
import type { FileChange } from '../../contract/diff.ts'
import type { Queries } from '../client/queries.ts'
import { comparisonsFor } from '../model/comparisons.ts'
import type { Selection } from '../model/diff-selection.ts'
import { entryAbove, runIdOf } from '../model/row-targets.ts'
import type { SelectableRow } from '../model/timeline-rows.ts'
import type { ActionDeps } from './action-deps.ts'
import { fileRequest, selectionOf, shownEdits, shownFile } from './comparison.ts'

/** Returns the function that requests a row's comparison; of the rows that follow each other quickly, the last one's text. */
export function comparisonPreloader({ id, store, queries }: Pick<ActionDeps, 'id' | 'store' | 'queries'>) {
  let last = ''
  return async (row: SelectableRow): Promise<void> => {
    last = row.key
    const { rows, offline, comparison: chosen } = store.getState()
    if (offline !== null) return
    const all = comparisonsFor(row, entryAbove(row, rows))
    const query = (all.find((each) => chosen?.key === row.key && each.id === chosen.id) ?? all[0])?.query
    if (!query) return
    const files = queries.preload('diff.files', { workspace: id, ...query, quick: true })
    const run = runIdOf(row)
    if (run !== null) void queries.preload('entry.show', { workspace: id, target: run })
    const diff = await files
    const file = diff && shownFile(diff, query, store.getState().picked)
    if (!file || last !== row.key) return
    preloadFile(queries, selectionOf(id, query, { node: row, against: null, swapped: false }), file)
  }
}

/** The text of a file of a comparison. */
export function preloadFile(queries: Queries, selection: Selection, file: FileChange): void {
  void queries.preload('diff.file', fileRequest(selection.query, file, shownEdits(selection, 'own')))
}
