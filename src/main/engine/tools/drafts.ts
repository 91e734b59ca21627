/** The file a tool writes before it puts it in place: noted first, so that one left by a process that was killed is taken away. */
import { unlinkSync } from 'node:fs'
import { write } from '../db/transaction.ts'
import { childOf, createInside, OWN_PREFIX, parentOf } from '../files/inside.ts'
import { isAbsence } from '../ports/fs-errors.ts'
import { newId } from '../ports/ids.ts'
import type { Store } from '../store/open-store.ts'
import type { Recorder } from '../workspaces/recorder.ts'

const KEY = 'tool_draft'

interface Draft {
  readonly run: string
  /** Root-relative places where it may be. */
  readonly places: readonly string[]
}

export function newDraft(): string {
  return `${OWN_PREFIX}${newId('call')}.new`
}

/** Call inside the transaction before the first write. */
export function noteDraft(store: Store, run: string, name: string, paths: readonly string[]): void {
  const places = [...new Set(paths.map(parentOf))].map((folder) => childOf(folder, name))
  store.setMeta(KEY, JSON.stringify({ run, places } satisfies Draft))
}

/** Call inside the transaction after the last write. */
export function forgetDraft(store: Store): void {
  store.setMeta(KEY, '')
}

/** Takes away what was left: of this run, whose process has ended, or of any, while no other use can be under way. */
export function sweepDraft({ store, root }: Recorder, run?: string): void {
  const noted = store.meta(KEY)
  if (!noted) return
  const draft = JSON.parse(noted) as Draft
  if (run !== undefined && draft.run !== run) return
  const inside = createInside(root)
  for (const path of draft.places) {
    if (inside.look(path)?.kind !== 'file') continue
    try {
      unlinkSync(inside.absolute(path))
    } catch (error) {
      if (!isAbsence(error)) throw error
    }
  }
  write(store.db, () => forgetDraft(store))
}
