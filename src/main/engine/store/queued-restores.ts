/** Owns the value `queued-restores` of `meta`: the restores that wait for the end of a turn, oldest first. */
import type { QueuedRestore } from '../../../contract/restore.ts'
import { bumpRev, readMeta, writeMeta } from './meta.ts'
import type { Store } from './open-store.ts'
import type { Writable } from './sql.ts'

const KEY = 'queued-restores'

export function queuedRestores(store: Store): readonly QueuedRestore[] {
  return JSON.parse(readMeta(store, KEY) ?? '[]') as QueuedRestore[]
}

export function addQueuedRestore(tx: Writable<Store>, added: QueuedRestore): void {
  write(tx, [...queuedRestores(tx), added])
}

/** False if there is none with this id. */
export function removeQueuedRestore(tx: Writable<Store>, id: string): boolean {
  const all = queuedRestores(tx)
  const rest = all.filter((queued) => queued.id !== id)
  if (rest.length < all.length) write(tx, rest)
  return rest.length < all.length
}

/** It waits for the person from now on. False if there is none with this id. */
export function holdQueuedRestore(tx: Writable<Store>, id: string, held: QueuedRestore['held']): boolean {
  const all = queuedRestores(tx)
  if (!all.some((queued) => queued.id === id)) return false
  write(
    tx,
    all.map((queued) => (queued.id === id ? { ...queued, held } : queued))
  )
  return true
}

function write(tx: Writable<Store>, all: readonly QueuedRestore[]): void {
  writeMeta(tx, KEY, JSON.stringify(all))
  bumpRev(tx)
}
