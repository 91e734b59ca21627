/** Which restore took an Edit, or a hunk of one, out of force on a path: what a review shows as taken back. */
import { walkBack } from '../log/chain.ts'
import type { HunkRef } from '../log/weave.ts'
import type { EditRow } from '../store/edits.ts'
import type { Head } from '../store/heads.ts'
import type { Store } from '../store/open-store.ts'
import { hunkRefsOfDiff, leftOut } from './provenance.ts'

/** What became of some Edits of one path; each answer is the id of a restore, null while something is in force. */
export interface TakenBack {
  /** Of all of it. */
  readonly whole: string | null
  /** Of the changes of its diff, as `hunkRefsOfDiff` counts them; empty when none was, or they cannot be told apart. */
  changes(): (string | null)[]
}

/** `own`: all Edits of a run, a turn or an outside change on this path, newest first. */
export function takenBack(store: Store, head: Head, own: readonly EditRow[]): TakenBack {
  const { records } = store
  // What is out, to the restore's Edit that took it; the walk goes back in time, so the newest comes first.
  const edits = new Map<number, number>()
  const hunks = new Map<string, number>()
  for (const { edit, left } of walkBack(head.edit, records)) {
    if (left || edit.origin !== 'restore') continue
    const { seq } = edit
    for (const one of edit.leaves) if (!edits.has(one)) edits.set(one, seq)
    if (edit.merge) for (const ref of leftOut(store, head.path, edit)) hunks.set(key(ref), seq)
    else {
      // It points at the Edit it returned to: whatever lies between is passed over.
      for (const one of own) if (one.seq > edit.base && one.seq < seq) edits.set(one.seq, seq)
    }
  }
  const newest = (by: readonly (number | undefined)[]): string | null => {
    const known = by.filter((one) => one !== undefined)
    if (known.length === 0 || known.length < by.length) return null
    return records.edit(Math.max(...known)).restore
  }
  return {
    whole: newest(own.map((edit) => edits.get(edit.seq))),
    changes: () => {
      if (edits.size === 0 && hunks.size === 0) return []
      const refs = hunkRefsOfDiff(store, head, own) ?? []
      return refs.map((change) => newest(change.map((ref) => edits.get(ref.seq) ?? hunks.get(key(ref)))))
    }
  }
}

function key({ seq, hunk }: HunkRef): string {
  return `${seq}:${hunk}`
}
