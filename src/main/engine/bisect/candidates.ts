/** Which positions a search may try, and who made the change that it found. */
import type { BlamedChange, Candidates } from '../../../contract/bisect.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import type { Seq } from '../../../contract/log.ts'
import { authorsBetween } from '../store/edit-calls.ts'
import type { EditRow } from '../store/edits.ts'
import type { Store } from '../store/open-store.ts'
import { findRun } from '../store/runs.ts'
import { resolveTarget } from '../store/targets.ts'
import { lastPass } from '../store/test-results.ts'
import { findCall } from '../store/tool-calls.ts'
import { findWritingTurn } from '../store/writers.ts'
import { type EditLayers, editLayers } from './edit-layers.ts'

/** Layers of the range asked last: every probe of a search asks for the same. The log only grows, so they stay right. */
const known = new WeakMap<Store, { readonly good: Seq; readonly bad: Seq; readonly layers: EditLayers }>()

export function layersOf(store: Store, good: Seq, bad: Seq): EditLayers {
  const last = known.get(store)
  if (last?.good === good && last.bad === bad) return last.layers
  const layers = editLayers(store, good, bad)
  known.set(store, { good, bad, layers })
  return layers
}

interface Ends {
  /** Targets; a bare run or turn is its start. */
  readonly good?: string
  readonly bad?: string
  /** The command, as recorded results of tests name it. */
  readonly command?: string
}

/** Without `good` from where the command passed last, else from the start of the history; without `bad` to the newest position. */
export function findCandidates(store: Store, named: Ends): Candidates {
  const bad = named.bad === undefined ? store.records.lastSeq() : resolveTarget(store, named.bad).seq
  const passed = named.good === undefined ? lastPassBefore(store, named.command, bad) : null
  const good = named.good === undefined ? (passed ?? 0) : resolveTarget(store, named.good).seq
  if (good > bad || (good === bad && named.good !== undefined && named.bad !== undefined))
    throw new DriftlineError(
      'Usage',
      'The position where the command passes must be before the one where it fails. Swap --good and --bad.',
      { good, bad }
    )
  const groups = groupEdits(store, layersOf(store, good, bad).edits, { good, bad })
  return {
    good,
    bad,
    named: { good: named.good !== undefined || passed !== null, bad: named.bad !== undefined },
    groups
  }
}

function lastPassBefore(store: Store, command: string | undefined, bad: Seq): Seq | null {
  const result = command === undefined ? null : lastPass(store, { command })
  return result && result.seq < bad ? result.seq : null
}

/**
 * Consecutive edits of one tool call, one restore, or one moment outside of runs. A group that holds half of a rename is joined
 * with the groups up to the other half.
 */
function groupEdits(
  store: Store,
  edits: readonly EditRow[],
  { good, bad }: { readonly good: Seq; readonly bad: Seq }
): Seq[][] {
  const authors = new Map(authorsBetween(store, good, bad).map((author) => [author.edit, author]))
  const groups: Seq[][] = []
  let last: string | null = null
  for (const edit of edits) {
    const author = authors.get(edit.seq)
    const key = author ? `${author.run} ${author.turn} ${author.call}` : `${edit.restore ?? edit.at}`
    const group = groups.at(-1)
    if (group && key === last) group.push(edit.seq)
    else groups.push([edit.seq])
    last = key
    if (edit.movedFrom !== null && edit.movedFrom > good) joinBackTo(groups, edit.movedFrom)
  }
  return groups
}

/** Joins the groups at the end from the one that holds `seq` on. */
function joinBackTo(groups: Seq[][], seq: Seq): void {
  const first = groups.findLastIndex((group) => (group[0] as Seq) <= seq)
  if (first >= 0) groups.push(groups.splice(first).flat())
}

/** Who made the edits `from` to `seq` of one group, and which paths they changed. Throws UnknownTarget. */
export function describeChange(store: Store, seqs: readonly Seq[]): BlamedChange {
  const { records } = store
  const [from, seq] = [seqs[0] ?? 0, seqs.at(-1) ?? 0]
  if (records.pathOfEdit(from) === null || records.pathOfEdit(seq) === null)
    throw new DriftlineError('UnknownTarget', `seq:${seq} is no edit of this folder.`, { target: `seq:${seq}` })
  const edits = seqs.map(records.edit)
  const last = edits.at(-1) as EditRow
  const [author] = authorsBetween(store, seq - 1, seq)
  const call = author?.call ? findCall(store, author.call) : null
  return {
    seq,
    from,
    run: author?.run ?? null,
    turn: author?.turn ?? null,
    toolCall: call && { id: call.id, name: call.name, summary: call.summary },
    prompt: findWritingTurn(store, seq)?.prompt ?? null,
    agent: author ? (findRun(store, author.run)?.agent ?? null) : null,
    origin: last.origin,
    drift: last.drift,
    restore: last.restore,
    paths: [...new Set(edits.map((edit) => records.pathOf(edit.path)))].sort(),
    at: last.at
  }
}
