/** Types shared by the diff modules: one changed path between two positions, and one side of it with its content. */
import type { Attribution, FileVersion } from '../../../contract/log.ts'

/** One side of a change. `bytes` is null for anything but a file, and for a file whose content is not stored. */
export interface ChangeSide {
  readonly version: FileVersion
  readonly bytes: Uint8Array | null
}

/** One path that differs between two positions; `oldPath` is set when it was renamed from there. */
export interface PathChange {
  readonly path: string
  readonly oldPath?: string
  readonly before: FileVersion
  readonly after: FileVersion
  readonly attribution: Attribution
  /** Others changed the path between the first and the last of these Edits. */
  readonly interleaved: boolean
}
