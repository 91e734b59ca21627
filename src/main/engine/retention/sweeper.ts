/** One sweep of a store at a time, in any process; the mark of one that died counts for nothing. */
import { write } from '../db/transaction.ts'
import { isAlive, ownProcess, type ProcessId } from '../ports/processes.ts'
import type { Store } from '../store/open-store.ts'

const NOBODY = ''

/** Null when another sweep is under way. */
export async function sweptAlone<T>(store: Store, body: () => Promise<T>): Promise<T | null> {
  const taken = write(store.db, () => {
    const holder = store.meta('sweeper') ?? NOBODY
    if (holder !== NOBODY && isAlive(JSON.parse(holder) as ProcessId)) return false
    store.setMeta('sweeper', JSON.stringify(ownProcess()))
    return true
  })
  if (!taken) return null
  try {
    return await body()
  } finally {
    write(store.db, () => store.setMeta('sweeper', NOBODY))
  }
}
