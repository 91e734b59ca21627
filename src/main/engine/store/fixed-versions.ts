/** The two versions every store has: rows 1 and 2, made with it. */
import type { FileVersion } from '../../../contract/log.ts'

export const ABSENT: FileVersion = { kind: 'absent', size: 0, mode: 0, hash: null, target: null, notStored: null }
/** There before anybody looked, or not looked at. */
export const UNKNOWN: FileVersion = { ...ABSENT, kind: 'unknown' }
