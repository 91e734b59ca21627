/** The two versions that are rows 1 and 2 of every store; open-store.ts inserts them first. */
import type { FileVersion } from '../../../contract/log.ts'

export const ABSENT: FileVersion = { kind: 'absent', size: 0, mode: 0, hash: null, target: null, notStored: null }
/** The path existed before its folder was scanned, so what it was then is not known (LG-5). */
export const UNKNOWN: FileVersion = { ...ABSENT, kind: 'unknown' }
