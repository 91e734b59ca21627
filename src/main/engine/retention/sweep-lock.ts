/** At most one sweep per store at a time, in any process. The lock of a process that died is taken over. */
import { write } from '../db/transaction.ts'
import { isAlive, ownProcess, type ProcessId } from '../ports/processes.ts'
import type { Store } from '../store/open-store.ts'

const KEY = 'sweeper'
const UNLOCKED = ''

/** null when another sweep is under way. */
export async function withSweepLock<T>(store: Store, body: () => Promise<T>): Promise<T | null> {
  const isLocked = write(store.db, () => {
    const holder = store.meta(KEY) ?? UNLOCKED
    if (holder !== UNLOCKED && isAlive(JSON.parse(holder) as ProcessId)) return false
    store.setMeta(KEY, JSON.stringify(ownProcess()))
    return true
  })
  if (!isLocked) return null
  try {
    return await body()
  } finally {
    write(store.db, () => store.setMeta(KEY, UNLOCKED))
  }
}
