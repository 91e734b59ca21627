/** The part of a request that a person selected: some paths, some hunks or lines of some paths, or everything. */
import type { LineBlock } from '../../../../contract/diff.ts'
import { DriftlineError } from '../../../../contract/errors.ts'
import type { LineSelection } from '../../../../contract/params.ts'
import { selectedBlocks } from '../../../../contract/selected-lines.ts'
import { type OwnHunk, ownEditsOfFile, ownHunks } from '../../diff/own-hunks.ts'
import type { SelectedHunk } from '../../diff/provenance.ts'
import { isWithinAny } from '../../files/paths.ts'
import type { HunkRef } from '../../log/changed-lines.ts'
import { type EditRow, movedPaths } from '../../store/edits.ts'
import type { Store } from '../../store/open-store.ts'
import type { PathId } from '../../store/paths.ts'

export interface Selection {
  /** A folder selects everything below it. */
  readonly paths?: readonly string[]
  /** Hunk numbers by path. Without `paths` the keys of `hunks` and `lines` are the selected paths. */
  readonly hunks?: Readonly<Record<string, readonly number[]>>
  readonly lines?: Readonly<Record<string, readonly LineSelection[]>>
}

export function isSelected(selection: Selection, path: string): boolean {
  const selected = selectedSet(selection)
  return selected === undefined || isWithinAny(path, selected)
}

const SETS = new WeakMap<Selection, ReadonlySet<string>>()

/** Once for each selection: a restore of what a run deleted names thousands of files, and asks of each. */
function selectedSet(selection: Selection): ReadonlySet<string> | undefined {
  const paths = selectedPaths(selection)
  const set = SETS.get(selection) ?? (paths && new Set(paths))
  if (set) SETS.set(selection, set)
  return set
}

function selectedPaths({ paths, hunks, lines }: Selection): readonly string[] | undefined {
  return paths ?? ((hunks || lines) && Object.keys({ ...hunks, ...lines }))
}

/**
 * Of these paths, those whose file may be selected, by its name there or by one it had or has elsewhere. It reads no
 * history, so that selecting one file of very many costs little.
 */
export function maybeSelected(store: Store, selection: Selection, paths: Iterable<PathId>): Iterable<PathId> {
  if (!selectedPaths(selection)) return paths
  const moved = new Set(movedPaths(store))
  return [...paths].filter((path) => moved.has(path) || isSelected(selection, store.records.pathOf(path)))
}

interface SelectionInFile {
  readonly selection: Selection
  /** The names by which a person may select the file. */
  readonly names: readonly string[]
  /** The edits whose diff is shown. */
  readonly shown: readonly EditRow[]
}

/**
 * The selected hunks of the shown diff, with the changes of `own`, the edits to undo, that they consist of. Undefined if
 * none are selected. Throws UnknownTarget for a number or for lines that the diff does not have.
 */
export function selectedHunks(
  store: Store,
  { selection: given, names, shown }: SelectionInFile,
  own: readonly EditRow[]
): SelectedHunk[] | undefined {
  if (!given.hunks && !given.lines) return undefined
  const { hunks = {}, lines = {} } = given
  const path = names.find((name) => hunks[name] ?? lines[name])
  if (path === undefined) return undefined
  const id = store.records.head(path)?.id
  const shownSeqs = new Set(shown.map(({ seq }) => seq))
  const shownHunks = id === undefined ? [] : (ownHunks(store, ownEditsOfFile(store, shownSeqs, id)) ?? [])
  const seqs = new Set(own.map((edit) => edit.seq))
  return [
    ...(hunks[path] ?? []).map((n) => wholeHunk(path, n, shownHunks[n - 1], seqs)),
    ...(lines[path] ?? []).flatMap((selection) => linesOfHunks(path, selection, shownHunks, seqs))
  ]
}

function wholeHunk(path: string, n: number, hunk: OwnHunk | undefined, seqs: ReadonlySet<number>): SelectedHunk {
  if (!hunk)
    throw new DriftlineError(
      'UnknownTarget',
      `${path} has no change ${n} that can be undone separately. "driftline diff" lists its changes; the whole file can be undone.`,
      { path, hunk: n }
    )
  const whole = ofEdits(hunk.refs, seqs)
  const shown = ofEdits(hunk.partsOf(hunk.blocks) ?? hunk.refs, seqs)
  return { parts: shown, shown, whole }
}

/** A selection may reach over several hunks. */
function linesOfHunks(
  path: string,
  selection: LineSelection,
  hunks: readonly OwnHunk[],
  seqs: ReadonlySet<number>
): SelectedHunk[] {
  const selected = hunks
    .map((hunk) => ({ hunk, blocks: selectedBlocks(hunk.blocks, selection) }))
    .filter(({ blocks }) => blocks.length > 0)
  if (selected.length === 0) throw noSuchLines(path, selection, 'contains no change that can be undone separately')
  return selected.map(({ hunk, blocks }) => partOfHunk(path, selection, hunk, blocks, seqs))
}

function partOfHunk(
  path: string,
  selection: LineSelection,
  hunk: OwnHunk,
  blocks: readonly LineBlock[],
  seqs: ReadonlySet<number>
): SelectedHunk {
  const [parts, shown] = [hunk.partsOf(blocks), hunk.partsOf(hunk.blocks)]
  if (!parts || !shown) throw noSuchLines(path, selection, 'can only be undone with the whole change around it')
  return { parts: ofEdits(parts, seqs), shown: ofEdits(shown, seqs), whole: ofEdits(hunk.refs, seqs) }
}

function ofEdits(refs: readonly HunkRef[], seqs: ReadonlySet<number>): HunkRef[] {
  return refs.filter((ref) => seqs.has(ref.seq))
}

function noSuchLines(path: string, { side, from, to }: LineSelection, why: string): DriftlineError {
  const text = `The selection of lines ${from + 1} to ${to} in the version ${side} of ${path} ${why}. Nothing was changed.`
  return new DriftlineError('UnknownTarget', text, { path, side, from, to })
}
