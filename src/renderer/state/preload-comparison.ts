/**
 * Requests what is shown as soon as it is chosen, before a pane is drawn for it: of a row the files of its comparison,
 * the rows of its run and, when the files are known, the text of the first. The panes then find all of it: no request
 * waits for a paint, nor the text for what is computed about the whole run.
 */
import { hashKey, type QueryKey } from '@tanstack/react-query'
import type { Params } from '../../contract/api.ts'
import type { DiffResult, FileChange } from '../../contract/diff.ts'
import type { Queries } from '../client/queries.ts'
import { comparisonsFor } from '../model/comparisons.ts'
import type { Selection } from '../model/diff-selection.ts'
import { entryAbove, runIdOf } from '../model/row-targets.ts'
import type { SelectableRow } from '../model/timeline-rows.ts'
import type { ActionDeps } from './action-deps.ts'
import { fileRequest, selectionOf, shownEdits, shownFile } from './comparison.ts'
import type { Selected } from './selection.ts'
import type { PickedFile } from './store.ts'

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
    const files = queries.preload(...filesOf({ workspace: id, ...query }))
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
  void queries.preload(...textOf(selection, file))
}

/** Whether the files of a comparison, or the text of the first of them, were requested and are not there yet. */
export function isOnItsWay(
  { cache }: Queries,
  question: Params<'diff.files'>,
  selected: Selected,
  picked: PickedFile | null
): boolean {
  // By its hash: a search for the key would compare it with every query.
  const stateOf = (key: QueryKey) => cache.getQueryCache().get(hashKey(key))?.state
  const files = stateOf(filesOf(question))
  const diff = files?.data as DiffResult | undefined
  if (!diff) return files?.fetchStatus === 'fetching'
  const file = shownFile(diff, question, picked)
  const text = file && stateOf(textOf(selectionOf(question.workspace, question, selected), file))
  return text?.fetchStatus === 'fetching' && text.data === undefined
}

const filesOf = (question: Params<'diff.files'>) => ['diff.files', { ...question, quick: true }] as const

const textOf = (selection: Selection, file: FileChange) =>
  ['diff.file', fileRequest(selection.query, file, shownEdits(selection, 'own'))] as const
