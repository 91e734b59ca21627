/** Copies shared contents into the history of a worktree, before that of the main folder is deleted. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { MAX_ROW_SIZE, pack, SHARED } from './codec.ts'
import { refill, withoutBase } from './content-rows.ts'
import { evictRow } from './evictions.ts'
import { deleteMeta } from './meta.ts'
import type { Store } from './open-store.ts'
import { all, transact } from './sql.ts'

/** Unpacked bytes of one transaction. */
const STEP_BYTES = 4 * 1024 * 1024

interface SharedRow {
  readonly id: number
  readonly size: number
}

/** Afterwards the history needs no other. What the main history does not hold any more counts as evicted. */
export async function ownContents(store: Store): Promise<void> {
  const rows = all<SharedRow>(store, 'SELECT id, size FROM content WHERE codec = ? ORDER BY id', SHARED)
  for (let next = 0; next < rows.length; await nextTurn())
    transact(store, (tx) => {
      for (let bytes = 0; next < rows.length && bytes < STEP_BYTES; next++) {
        const { id, size } = rows[next] as SharedRow
        bytes += size
        if (size <= MAX_ROW_SIZE && store.content.isReadable(id))
          refill(tx, id, withoutBase(pack(store.content.get(id, size))))
        else evictRow(tx, id)
      }
    })
  transact(store, (tx) => deleteMeta(tx, 'parent'))
}
