/** [LG-3] The version of a path at a position, read without replaying the log. */
import type { FileVersion, Seq } from '../../../contract/log.ts'
import { ABSENT } from './fixed-versions.ts'
import type { Store } from './open-store.ts'

/**
 * `seq` null is the newest position. The version at `seq` is the `before` of the first later edit (LG-2); without one
 * it is the head. A path without a row, or whose initial snapshot is pending, is absent.
 */
export function versionAt({ records }: Store, path: string, seq: Seq | null): FileVersion {
  const head = records.head(path)
  if (!head || head.version === null) return ABSENT
  const next = seq === null ? null : records.editAfter(head.id, seq)
  return records.version(next ? next.before : head.version)
}
