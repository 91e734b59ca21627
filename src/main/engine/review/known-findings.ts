/**
 * The findings of changes that were looked at before. Versions never change, so a run that is looked at again while it
 * works costs what it wrote since.
 */
import type { Finding } from '../../../contract/findings.ts'
import type { FileVersion } from '../../../contract/log.ts'
import type { PathChange } from '../diff/aggregate.ts'
import type { Db } from '../store/database.ts'
import type { Store } from '../store/open-store.ts'

/** The oldest are dropped. */
const MOST_KNOWN = 20_000

const KNOWN = new WeakMap<Db, Map<string, readonly Finding[]>>()

/** The findings of a change, by `find` when they are not known. */
export function findingsOnce(store: Store, change: PathChange, find: () => readonly Finding[]): readonly Finding[] {
  const known = KNOWN.get(store.db) ?? new Map<string, readonly Finding[]>()
  KNOWN.set(store.db, known)
  const key = JSON.stringify([change.path, keyOf(change.before), keyOf(change.after)])
  const found = known.get(key) ?? find()
  // The newest is last.
  known.delete(key)
  known.set(key, found)
  const [oldest] = known.keys()
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest)
  return found
}

function keyOf({ kind, mode, hash }: FileVersion): string {
  return `${kind} ${mode} ${hash}`
}
