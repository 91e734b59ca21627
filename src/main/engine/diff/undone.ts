/** Which restore put an Edit, or a hunk of one, out of force: the "undone" marks of a review. */
import { walkChain } from '../log/chain.ts'
import type { HunkRef } from '../log/weave.ts'
import type { EditRow } from '../store/edits.ts'
import type { Store } from '../store/open-store.ts'
import type { Head } from '../store/paths.ts'
import { hunkRefsOfDiff, omittedHunks } from './provenance.ts'

/** The restores that undid some Edits of one path. Each value is a restore's id, or null while a part is in force. */
export interface UndoneState {
  /** The restore that undid the last part; null unless all is undone. */
  readonly whole: string | null
  /** The same for each hunk of the Edits' diff, as `hunkRefsOfDiff` counts them; empty when none is undone. */
  hunks(): (string | null)[]
}

/** `own`: all Edits of a run, a turn or an outside change on this path, newest first. */
export function findUndone(store: Store, head: Head, own: readonly EditRow[]): UndoneState {
  const { records } = store
  // Undone Edits and hunks -> seq of the restore's Edit that did it.
  const edits = new Map<number, number>()
  const hunks = new Map<string, number>()
  for (const { edit, omitted } of walkChain(head.edit, records)) {
    if (omitted || edit.origin !== 'restore') continue
    const { seq } = edit
    // The walk is newest first; the newest merge that omits an Edit counts.
    for (const omit of edit.omits) if (!edits.has(omit)) edits.set(omit, seq)
    if (edit.merge) for (const ref of omittedHunks(store, head.path, edit)) hunks.set(hunkKey(ref), seq)
    else {
      // A pointer skips everything between itself and the Edit it returns to.
      for (const skipped of own) if (skipped.seq > edit.base && skipped.seq < seq) edits.set(skipped.seq, seq)
    }
  }
  const lastRestore = (seqs: readonly (number | undefined)[]): string | null => {
    const known = seqs.filter((seq) => seq !== undefined)
    if (known.length === 0 || known.length < seqs.length) return null
    return records.edit(Math.max(...known)).restore
  }
  return {
    whole: lastRestore(own.map((edit) => edits.get(edit.seq))),
    hunks: () => {
      if (edits.size === 0 && hunks.size === 0) return []
      const refs = hunkRefsOfDiff(store, head, own) ?? []
      return refs.map((hunk) => lastRestore(hunk.map((ref) => edits.get(ref.seq) ?? hunks.get(hunkKey(ref)))))
    }
  }
}

function hunkKey({ seq, hunk }: HunkRef): string {
  return `${seq}:${hunk}`
}
