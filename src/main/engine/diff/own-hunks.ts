/** The hunks of the diff of a run, and which changes of its edits each line of them is. */
import type { LineBlock } from '../../../contract/diff.ts'
import type { LineSelection } from '../../../contract/params.ts'
import { type HunkRef, type LineRef, partsOf } from '../log/changed-lines.ts'
import type { NetChange } from '../log/weave.ts'
import type { EditRow } from '../store/edits.ts'
import type { Store } from '../store/open-store.ts'
import type { PathId } from '../store/paths.ts'
import { diffBlocks, groupHunks } from './line-diff.ts'
import { splitLines } from './lines.ts'
import { contentBefore, readText, textWithoutRun, type WovenText, weaveAt } from './provenance.ts'
import { areBytes, type Text } from './woven-text.ts'

export interface OwnHunk {
  /** The lines that differ, in order. */
  readonly blocks: readonly LineBlock[]
  /** The hunks of edits it consists of. */
  readonly refs: readonly HunkRef[]
  /** The parts of them that changed the lines of blocks; null when it is ambiguous which lines they are. */
  partsOf(blocks: readonly LineBlock[]): HunkRef[] | null
  /** Its changed lines of which `isOut` is true; none when it is ambiguous which lines they are. */
  linesThat(isOut: (ref: LineRef) => boolean): LineSelection[]
}

/**
 * [LG-7] The edits in `own` of the file at a path, newest first: also those of the name from which they moved it there, if
 * nothing of them was at the path before.
 */
export function ownEditsOfFile(store: Store, own: ReadonlySet<number>, path: PathId): EditRow[] {
  const { records } = store
  const edits = records.editsOf(path).filter(({ seq }) => own.has(seq))
  const departure = edits.at(-1)?.movedFrom ?? null
  if (departure === null || !own.has(departure)) return edits
  const earlier = ownEditsOfFile(store, own, records.edit(departure).path)
  return [...edits, ...earlier.filter(({ seq }) => seq < departure)]
}

/**
 * The hunks as `diff RUN PATH` shows them. Null when the path has no weave. `own`: all edits of the run on this file,
 * newest first. Edits out of force must be included, or the numbers of the hunks would change with each undo.
 */
export function ownHunks(store: Store, own: readonly EditRow[]): OwnHunk[] | null {
  const [last, first] = [own[0], own.at(-1)]
  if (!last || !first) return null
  // The same old side as in the run's diff, so that the hunks have the same numbers.
  const before = textWithoutRun(store, own) ?? readText(store, contentBefore(store, first))
  const after = readText(store, last.after)
  const seqs = new Set(own.map((edit) => edit.seq))
  const woven = weaveAt(store, last.seq, last.after, { asked: seqs })
  if (!before || !after || !woven) return null
  const [old, now] = [splitLines(before), splitLines(after)]
  const change = woven.netChange(seqs)
  // Whether the old side of the diff is the text without the edits, so that both number the same lines.
  const isOld = areBytes(change.before, old.bytes)
  return groupHunks(diffBlocks(old, now), old.count).map(({ blocks }) => ({
    blocks,
    refs: refsAt(woven, blocks, seqs),
    partsOf: (some) => (isOld ? partsOfBlocks(change, some) : null),
    linesThat: (isOut) => (isOld && partsOfBlocks(change, blocks) ? linesThat(change, blocks, isOut) : [])
  }))
}

function refsAt(woven: WovenText, blocks: readonly LineBlock[], seqs: ReadonlySet<number>): HunkRef[] {
  const refs = new Map<string, HunkRef>()
  for (const { newFrom, newTo } of blocks)
    for (const ref of woven.hunksAt(newFrom, newTo)) if (seqs.has(ref.seq)) refs.set(`${ref.seq}:${ref.hunk}`, ref)
  return [...refs.values()]
}

/** Null when a line of the blocks was not changed by the edits: of equal lines the diff chose another than they did. */
function partsOfBlocks(change: NetChange<Text>, blocks: readonly LineBlock[]): HunkRef[] | null {
  const lines: LineRef[] = []
  for (const { oldFrom, oldTo, newFrom, newTo } of blocks) {
    for (const deleted of change.deletedAt(oldFrom, oldTo)) {
      if (deleted.length === 0) return null
      lines.push(...deleted)
    }
    for (const ref of change.insertedAt(newFrom, newTo)) {
      if (!ref) return null
      lines.push(ref)
    }
  }
  return partsOf(lines)
}

function linesThat(
  change: NetChange<Text>,
  blocks: readonly LineBlock[],
  isOut: (ref: LineRef) => boolean
): LineSelection[] {
  const found: LineSelection[] = []
  const add = (side: LineSelection['side'], line: number): void => {
    const last = found.at(-1)
    if (last?.side === side && last.to === line) found[found.length - 1] = { ...last, to: line + 1 }
    else found.push({ side, from: line, to: line + 1 })
  }
  for (const { oldFrom, oldTo, newFrom, newTo } of blocks) {
    for (const [n, deleted] of change.deletedAt(oldFrom, oldTo).entries())
      if (deleted.every(isOut)) add('before', oldFrom + n)
    for (const [n, ref] of change.insertedAt(newFrom, newTo).entries()) if (ref && isOut(ref)) add('after', newFrom + n)
  }
  return found
}
