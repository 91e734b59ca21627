/**
 * What is compared: its key, the run it belongs to, its first file, and the requests that revert a part of it. Pure.
 * Invariant: the key names the two sides and nothing else, because choices of files and reviews are kept under it while
 * the query's options change.
 */
import type { Params } from '../../contract/api.ts'
import type { DiffResult, FileChange } from '../../contract/diff.ts'
import type { RestoreRequest } from '../../contract/restore.ts'
import type { Selection } from '../model/diff-selection.ts'
import { firstInReview } from '../model/file-order.ts'
import { type DiffQuery, runIdOf } from '../model/row-targets.ts'
import type { Selected } from './selection.ts'
import type { PickedFile, WorkspaceState } from './store.ts'

/** Whose edits of an interleaved file are shown: the run's, everyone's, or those of others. */
export type EditFilter = 'own' | 'all' | 'others'

/** Identifies what is compared, whatever the options of the query. */
export function comparisonKey({ target, to }: Pick<DiffQuery, 'target' | 'to'>): string {
  return [target, to ?? ''].join(' ')
}

export function selectionOf(workspace: string, query: DiffQuery, selected: Selected): Selection {
  const { target, scope, to } = query
  const drift = driftUnderReview(selected, query)
  const ofRun = (scope === 'run' || scope === 'turn') && !selected.against && runIdOf(selected.node) !== null
  return {
    query: { workspace, target, ...(scope ? { scope } : {}), ...(to === undefined ? {} : { to }) },
    ...(ofRun ? { run: target } : drift ? { run: drift, drift: true } : {})
  }
}

/** The request for the diff of one file. `edits`: whose edits it shows; absent: all of them. */
export function fileRequest(
  query: Selection['query'],
  { path, oldPath }: Pick<FileChange, 'path' | 'oldPath'>,
  edits: Params<'diff.file'>['edits']
): Params<'diff.file'> {
  return { ...query, path, ...(oldPath === undefined ? {} : { oldPath }), ...(edits ? { edits } : {}) }
}

/** Which edits the diff of a file shows. Only the diff of a run distinguishes its edits from those of others. */
export function shownEdits({ run }: Selection, filter: EditFilter): Params<'diff.file'>['edits'] {
  return run === undefined || filter === 'all' ? undefined : filter
}

/** The unreviewed outside change that is compared with the disk, null if something else is shown. */
function driftUnderReview({ node, against }: Selected, { target, to }: DiffQuery): string | null {
  if (against || node.kind !== 'entry' || node.entry.kind !== 'drift' || node.entry.state !== 'open') return null
  return target === node.entry.id && to === 'now' ? target : null
}

/** The file shown in the diff: the picked one, else the first text file in review order. */
export function shownFile(diff: DiffResult, query: DiffQuery, picked: PickedFile | null): FileChange | null {
  const path = picked?.scope === comparisonKey(query) ? picked.path : null
  return diff.files.find((file) => file.path === path) ?? firstFile(diff)
}

/** Of each list: it is needed at every render, and the search reads all names. */
const firsts = new WeakMap<readonly FileChange[], FileChange | null>()

export function firstFile({ files }: DiffResult): FileChange | null {
  const known = firsts.get(files)
  if (known !== undefined) return known
  const isText = ({ kind, notStored }: FileChange) => kind === 'text' && !notStored
  const first = firstInReview(files, isText) ?? firstInReview(files, () => true)
  firsts.set(files, first)
  return first
}

type Compared = Pick<WorkspaceState, 'selection' | 'diff'>

/** The request that reverts some files. */
export function undoFilesRequest({ selection, diff }: Compared, chosen: readonly string[]): RestoreRequest | null {
  if (!selection) return null
  const wanted = new Set(chosen)
  const files = diff?.files.filter(({ path }) => wanted.has(path)) ?? []
  const paths = files.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath]))
  const { run, query } = selection
  if (run !== undefined)
    return selection.drift ? { kind: 'drift', drift: run, paths } : { kind: 'undo-run', run, paths }
  // A comparison without a run restores its older side.
  return { kind: 'restore', target: query.target === 'now' ? `seq:${diff?.fromSeq ?? 0}` : query.target, paths }
}

/** Hunks or lines of files. */
type FileParts = Pick<Extract<RestoreRequest, { kind: 'undo-run' }>, 'hunks' | 'lines'>

/** The request that reverts parts of a file; null in a comparison without a run. */
export function undoPartsRequest({ selection }: Compared, parts: FileParts): RestoreRequest | null {
  if (selection?.run === undefined) return null
  if (selection.drift) return { kind: 'drift', drift: selection.run, ...parts }
  // Edits of others beside the parts stay, so merge needs no decision.
  return { kind: 'undo-run', run: selection.run, ...parts, onConflict: 'merge' }
}
