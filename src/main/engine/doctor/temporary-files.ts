/**
 * Finds temporary files of restores that have ended. A restore deletes its own; but one in a folder that another program
 * moved meanwhile is no longer where it was written, and is never recorded. It changes nothing.
 */
import { readdirSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DoctorFinding } from '../../../contract/doctor.ts'
import { ifReadable } from '../files/fs-errors.ts'
import { childOf, ownerOfOwnName } from '../files/paths.ts'
import { createWorkspaceFs } from '../files/workspace-fs.ts'
import type { Store } from '../store/open-store.ts'
import { recordedFolders } from '../store/paths.ts'
import { unfinishedRestores } from '../store/restores.ts'

/** Paths named in the finding. */
const MOST_PATHS = 3
/** Folders listed between two pauses, in which other work of this thread runs. */
const FOLDERS_PER_STEP = 64

/** [RS-4] In all recorded folders. Those of an interrupted restore are deleted by its recovery. */
export async function findTemporaryFiles(
  store: Store,
  root: string
): Promise<Extract<DoctorFinding, { readonly code: 'TemporaryFiles' }>[]> {
  const found: string[] = []
  for (let after = 0, more = true; more; ) {
    const folders = recordedFolders(store, after, FOLDERS_PER_STEP)
    // [CP-4] Not through a link that is in the place of a folder.
    const fs = createWorkspaceFs(root)
    const unfinished = new Set(unfinishedRestores(store).map(({ id }) => id))
    for (const { name } of folders) {
      const entries = ifReadable(() => (fs.isFolder(name) ? readdirSync(fs.absolute(name)) : []))
      for (const entry of entries ?? []) {
        const owner = ownerOfOwnName(entry)
        if (owner?.startsWith('rst_') && !unfinished.has(owner)) found.push(childOf(name, entry))
      }
    }
    after = folders.at(-1)?.id ?? after
    more = folders.length === FOLDERS_PER_STEP
    if (more) await nextTurn()
  }
  if (found.length === 0) return []
  return [{ code: 'TemporaryFiles', paths: found.sort().slice(0, MOST_PATHS), count: found.length }]
}
