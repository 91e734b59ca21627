/**
 * Permissions on a disk that keeps none. The recorded ones stand until what the disk says of the path moves: else everything
 * that was restored there would look changed as soon as it is read again.
 */
import type { FileVersion } from '../../../contract/log.ts'
import type { Signature } from '../files/signature.ts'

/** What was seen, with the mode it was recorded with if the disk says the same as then. */
export function withRecordedMode(
  seen: FileVersion,
  now: Signature | null,
  before: FileVersion,
  known: Signature | null
): FileVersion {
  const isSame = seen.kind === before.kind && now !== null && known?.kind === now.kind && known.mode === now.mode
  return isSame && seen.mode !== before.mode ? { ...seen, mode: before.mode } : seen
}
