/**
 * Which content each file of a written position has. The next probe of a search differs in few files from the one before:
 * the others are names of the same files.
 */
import type { Store } from '../store/open-store.ts'

export interface WrittenFiles {
  /** Absolute. */
  readonly tree: string
  /** By path: the number of the content, and the permissions. */
  readonly files: Map<string, string>
}

/** Positions of one history that are remembered: probes that run at the same time. */
const MOST = 4

const known = new WeakMap<Store, Map<string, WrittenFiles>>()

/** `folder`: of the position. */
export function rememberFiles(store: Store, folder: string, written: WrittenFiles): void {
  const all = known.get(store) ?? new Map<string, WrittenFiles>()
  known.set(store, all.set(folder, written))
  for (const oldest of [...all.keys()].slice(0, -MOST)) all.delete(oldest)
}

export function writtenFiles(store: Store, folder: string): WrittenFiles | null {
  return known.get(store)?.get(folder) ?? null
}
