/** Which folders are small enough that the recorder's own process takes their initial snapshot. */
import { lstatSync, opendirSync } from 'node:fs'
import { ifReadable } from '../files/fs-errors.ts'
import { childOf } from '../files/paths.ts'
import { absoluteOf } from '../files/workspace-fs.ts'
import type { RecordingContext } from './reconcile.ts'

/** Copying this much takes about as long as starting a process does. */
export const MOST_NAMES = 1000
const MOST_BYTES = 4 * 1024 * 1024

/** Whether the covered names and bytes of the folder are few. Reads at most MOST_NAMES names. */
export function isSmallFolder({
  root,
  rules,
  boundaries
}: Pick<RecordingContext, 'root' | 'rules' | 'boundaries'>): boolean {
  const folders = ['']
  let names = 0
  let bytes = 0
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const listing = ifReadable(() => opendirSync(absoluteOf(root, folder)))
    if (!listing) continue
    using _ = { [Symbol.dispose]: () => listing.closeSync() }
    const next = () => ifReadable(() => listing.readSync())
    for (let entry = next(); entry; entry = next()) {
      if (++names > MOST_NAMES || bytes > MOST_BYTES) return false
      const path = childOf(folder, entry.name)
      if (!entry.isDirectory()) bytes += ifReadable(() => lstatSync(absoluteOf(root, path)).size) ?? 0
      else if (!boundaries.has(path) && !rules.ignoresDir(path)) folders.push(path)
    }
  }
  return bytes <= MOST_BYTES
}
