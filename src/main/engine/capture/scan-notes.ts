/** What a scan learns besides its findings. An unreadable path becomes a note: its version is unknown, never absent. */

import { isUnreadable } from '../files/fs-errors.ts'
import type { Signature } from '../files/signature.ts'

/** Filled while the generators of a scan run; paths are root-relative. */
export interface ScanNotes {
  /** Folders whose names were all read, with the stat taken before the listing: the next scan may skip the listing. */
  readonly listed: { readonly path: string; readonly signature: Signature }[]
  /** Names that are not valid UTF-8, in printable form. */
  readonly unnameable: string[]
  readonly unreadable: string[]
  /** Paths compared so far. */
  compared: number
}

export function createScanNotes(): ScanNotes {
  return { listed: [], unnameable: [], unreadable: [], compared: 0 }
}

/** The result of `stat`, or 'unreadable' after noting the path. */
export function statOrNote(
  notes: ScanNotes,
  path: string,
  stat: () => Signature | null
): Signature | null | 'unreadable' {
  try {
    return stat()
  } catch (error) {
    if (!isUnreadable(error)) throw error
    notes.unreadable.push(path)
    return 'unreadable'
  }
}
