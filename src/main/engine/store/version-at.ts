/** The state of one path at a position of the log. */
import type { FileVersion, Seq } from '../../../contract/log.ts'
import { ABSENT } from './fixed-versions.ts'
import type { Store } from './open-store.ts'

/** `seq` null = now. */
export function versionAt({ records }: Store, path: string, seq: Seq | null): FileVersion {
  const head = records.head(path)
  if (!head || head.version === null) return ABSENT
  const next = seq === null ? null : records.editAfter(head.id, seq)
  return records.version(next ? next.before : head.version)
}
