/**
 * Drafts: the temporary file that a tool writes before it renames it into place. Its possible paths are recorded before the
 * first write, so that the draft of a process that was killed is found and removed. A store has at most one draft, because
 * uses of the tools take turns.
 */
import { unlinkSync } from 'node:fs'
import { write } from '../db/transaction.ts'
import { childOf, OWN_PREFIX, parentOf } from '../files/paths.ts'
import { createWorkspaceFs } from '../files/workspace-fs.ts'
import { isNotFound } from '../ports/fs-errors.ts'
import { newId } from '../ports/ids.ts'
import type { Store } from '../store/open-store.ts'
import type { RecordingContext } from '../capture/reconcile.ts'

const KEY = 'tool_draft'

interface Draft {
  readonly run: string
  /** Root-relative paths where the draft may be. */
  readonly places: readonly string[]
}

export function newDraftName(): string {
  return `${OWN_PREFIX}${newId('call')}.new`
}

/** Records a draft beside each of `paths`. Call inside the transaction before the first write. */
export function recordDraft(store: Store, run: string, name: string, paths: readonly string[]): void {
  const places = [...new Set(paths.map(parentOf))].map((folder) => childOf(folder, name))
  store.setMeta(KEY, JSON.stringify({ run, places } satisfies Draft))
}

/** Call inside the transaction after the last write. */
export function clearDraft(store: Store): void {
  store.setMeta(KEY, '')
}

/** Removes the recorded draft, if it belongs to `run` or no run is given. Only while no use of a tool can be under way. */
export function removeStaleDraft({ store, root }: Pick<RecordingContext, 'root' | 'store'>, run?: string): void {
  const recorded = store.meta(KEY)
  if (!recorded) return
  const draft = JSON.parse(recorded) as Draft
  if (run !== undefined && draft.run !== run) return
  const fs = createWorkspaceFs(root)
  for (const path of draft.places) {
    if (fs.stat(path)?.kind !== 'file') continue
    try {
      unlinkSync(fs.absolute(path))
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
  write(store.db, () => clearDraft(store))
}
