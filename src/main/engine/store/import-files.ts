/** Stores files of one history in another, without an edit: a restore that writes them follows. */

import type { Store } from './open-store.ts'
import type { OwnFile } from './own-files.ts'
import { scalar, transact } from './sql.ts'
import type { StoredVersion } from './versions.ts'

/** A file to be written, as a version of the history that it is written by. */
export interface WorktreeFile {
  readonly path: string
  readonly version: StoredVersion
}

/** Larger content is stored in chunks, bytes. */
const MOST_WHOLE = 1 << 20

/** Throws StoreDamaged if a content cannot be read; what was stored until then is evicted by the next sweep. */
export function importFiles(from: Store, to: Store, files: readonly OwnFile[]): WorktreeFile[] {
  return files.map(({ path, version, content, size, hash }) => {
    const bytes = from.content.get(content, size)
    const stored = size > MOST_WHOLE ? storeLarge(to, bytes) : null
    const { mode } = from.records.version(version)
    return {
      path,
      version: transact(to, (tx) => {
        const own = stored ?? tx.content.put(bytes, Buffer.from(hash, 'hex'), null)
        const same = 'SELECT id FROM version WHERE content = ? AND kind = 1 AND mode = ? AND size = ?'
        const known = scalar<number>(tx, same, own, mode, size)
        const added = (): number =>
          tx.records.addVersion({ kind: 'file', size, mode, hash, target: null, notStored: null }, own)
        return tx.records.version(known ?? added())
      })
    }
  })
}

function storeLarge(to: Store, bytes: Buffer): number {
  const writer = to.content.createLargeWriter()
  writer.add(bytes)
  return writer.finish().id
}
