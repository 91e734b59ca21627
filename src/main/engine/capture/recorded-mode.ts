/**
 * Modes on a disk that keeps none (exFAT, FAT, some FUSE). The recorded mode stays as long as the disk reports the same mode as
 * when it was recorded; otherwise every restored file would look changed at the next scan.
 */
import type { FileVersion } from '../../../contract/log.ts'
import type { Signature } from '../files/signature.ts'

/** `observed` with the mode of `before`, if the disk reports the mode it reported then (`recorded`). */
export function withRecordedMode(
  observed: FileVersion,
  now: Signature | null,
  before: FileVersion,
  recorded: Signature | null
): FileVersion {
  const isSame =
    observed.kind === before.kind && now !== null && recorded?.kind === now.kind && recorded.mode === now.mode
  return isSame && observed.mode !== before.mode ? { ...observed, mode: before.mode } : observed
}
