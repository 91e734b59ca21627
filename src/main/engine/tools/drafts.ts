/**
 * Drafts: the temporary file that a tool writes before it renames it into place. Its possible paths are recorded before
 * the first write, so that the draft of a process that was killed is found and removed. A store has at most one draft,
 * because uses of the tools take turns.
 */
import { unlinkSync } from 'node:fs'
import { ifExists } from '../files/fs-errors.ts'
import { whenFreeSync } from '../files/in-use.ts'
import { childOf, nameOf, OWN_PREFIX, parentOf } from '../files/paths.ts'
import { openRealFolder } from '../files/pinned-folder.ts'
import { newId } from '../store/ids.ts'
import { readMeta, writeMeta } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { transact, type Writable } from '../store/sql.ts'

const KEY = 'tool_draft'

interface Draft {
  readonly run: string
  /** Root-relative paths where the draft may be. */
  readonly places: readonly string[]
}

export function newDraftName(): string {
  return `${OWN_PREFIX}${newId('call')}.new`
}

/** Records a draft beside each of `paths`. Before the first write. */
export function recordDraft(tx: Writable<Store>, run: string, name: string, paths: readonly string[]): void {
  const places = [...new Set(paths.map(parentOf))].map((folder) => childOf(folder, name))
  writeMeta(tx, KEY, JSON.stringify({ run, places } satisfies Draft))
}

/** After the last write. */
export function clearDraft(tx: Writable<Store>): void {
  writeMeta(tx, KEY, '')
}

/**
 * Removes the recorded draft, if it belongs to `run` or no run is given. Only while no use of a tool can be under way.
 */
export function removeStaleDraft(
  { store, root }: { readonly store: Store; readonly root: string },
  run?: string
): void {
  const recorded = readMeta(store, KEY)
  if (!recorded) return
  const draft = JSON.parse(recorded) as Draft
  if (run !== undefined && draft.run !== run) return
  for (const path of draft.places)
    ifExists(() => {
      using folder = openRealFolder(root, parentOf(path))
      const name = nameOf(path)
      if (folder?.stat(name)?.kind === 'file') whenFreeSync(() => unlinkSync(folder.absolute(name)))
    })
  transact(store, (tx) => clearDraft(tx))
}
