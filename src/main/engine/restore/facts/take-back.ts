/** Facts of taking some Edits back: each of their paths goes to before them, with or without what others wrote since. */
import { findTakeBack } from '../../log/chain.ts'
import { writerOf } from '../../log/writer.ts'
import type { EditRow } from '../../store/edits.ts'
import type { Store } from '../../store/open-store.ts'
import { mergeWithout } from '../provenance.ts'
import type { MergeFacts } from './act-facts.ts'
import { isWanted, type Selection } from './selection.ts'
import { wantedHunks } from './wanted-hunks.ts'

export interface TakeBackOptions {
  readonly selection: Selection
  readonly reason: string
  /** What the diff shows whose hunks are counted, where it is more than may be taken back. */
  readonly shown?: readonly EditRow[]
}

/** Each path of `edits` goes back to before the deepest of them that is in force (RS-10, RS-13). */
export function takeBack(store: Store, edits: readonly EditRow[], options: TakeBackOptions): MergeFacts[] {
  const { records } = store
  const who = writerOf(store)
  const own = new Set(edits.map((edit) => edit.seq))
  const facts: MergeFacts[] = []
  for (const path of new Set(edits.map((edit) => edit.path))) {
    const head = records.headById(path)
    if (!isWanted(options.selection, head.path) || head.version === null) continue
    const found = findTakeBack(head.edit, records, (edit) => own.has(edit.seq))
    if (found.state === 'not-in-force') continue
    const { foreign, merged } = found
    const ofRestore = found.first.origin === 'restore'
    const mine = ofRestore ? allOf(store, own, found.first) : found.mine
    const first = mine.at(-1) ?? found.first
    const hunks = options.selection.hunks?.[head.path]
    const only = hunks ? wantedHunks(store, head, options.shown ?? edits, mine, hunks) : undefined
    const mergeable = foreign.length > 0 || merged || only !== undefined
    facts.push({
      path: head.path,
      now: records.version(head.version),
      target: records.version(first.before),
      base: ofRestore ? (records.editBefore(path, first.seq)?.seq ?? 0) : first.base,
      foreign: foreign.map(who),
      foreignReason: options.reason,
      merge: mergeable ? mergeWithout(store, head, mine, foreign, only) : null,
      own: mine[0] ? records.version(mine[0].after) : null,
      // What a restore replaced is a state that was, merges and all; before an Edit that lies below a merge is none.
      onlyByMerge: (merged && !ofRestore) || only !== undefined
    })
  }
  return facts
}

/** Newest first. A restore that was cut off and finished may have several Edits of a path, one on the other. */
function allOf(store: Store, own: ReadonlySet<number>, edit: EditRow): EditRow[] {
  const before = store.records.editBefore(edit.path, edit.seq)
  return [edit, ...(before && own.has(before.seq) ? allOf(store, own, before) : [])]
}
