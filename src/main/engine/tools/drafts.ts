/** The file a tool writes before it puts it in place: noted first, so that one left by a process that was killed is taken away. */
import { unlinkSync } from 'node:fs'
import { write } from '../db/transaction.ts'
import { childOf, createWorkspaceFs, OWN_PREFIX, parentOf } from '../files/workspace-fs.ts'
import { isNotFound } from '../ports/fs-errors.ts'
import { newId } from '../ports/ids.ts'
import type { Store } from '../store/open-store.ts'
import type { Recorder } from '../workspaces/recorder.ts'

const KEY = 'tool_draft'

interface Draft {
  readonly run: string
  /** Root-relative places where it may be. */
  readonly paths: readonly string[]
}

export function newDraftName(): string {
  return `${OWN_PREFIX}${newId('call')}.new`
}

/** Call inside the transaction before the first write. */
export function recordDraft(store: Store, run: string, name: string, paths: readonly string[]): void {
  const paths = [...new Set(paths.map(parentOf))].map((folder) => childOf(folder, name))
  store.setMeta(KEY, JSON.stringify({ run, paths } satisfies Draft))
}

/** Call inside the transaction after the last write. */
export function clearDraft(store: Store): void {
  store.setMeta(KEY, '')
}

/** Takes away what was left: of this run, whose process has ended, or of any, while no other use can be under way. */
export function removeStaleDraft({ store, root }: Recorder, run?: string): void {
  const noted = store.meta(KEY)
  if (!noted) return
  const draft = JSON.parse(noted) as Draft
  if (run !== undefined && draft.run !== run) return
  const fs = createWorkspaceFs(root)
  for (const path of draft.paths) {
    if (fs.stat(path)?.kind !== 'file') continue
    try {
      unlinkSync(fs.absolute(path))
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
  write(store.db, () => clearDraft(store))
}
