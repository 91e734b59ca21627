/** At most one sweep per store at a time, in any process. The lock of a process that died is taken over. */
import { isAlive, ownProcess, type ProcessId } from '../ports/processes.ts'
import { readMeta, writeMeta } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { transact } from '../store/sql.ts'

const KEY = 'sweeper'
const UNLOCKED = ''

/** null when another sweep is under way. */
export async function withSweepLock<T>(store: Store, body: () => Promise<T>): Promise<T | null> {
  const isLocked = transact(store, (tx) => {
    const holder = readMeta(tx, KEY) ?? UNLOCKED
    if (holder !== UNLOCKED && isAlive(JSON.parse(holder) as ProcessId)) return false
    writeMeta(tx, KEY, JSON.stringify(ownProcess()))
    return true
  })
  if (!isLocked) return null
  try {
    return await body()
  } finally {
    transact(store, (tx) => writeMeta(tx, KEY, UNLOCKED))
  }
}
