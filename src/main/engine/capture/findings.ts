/**
 * The findings of one scan: paths whose recorded version may be out of date, each reported once, with how much of it to read.
 * Decides coverage: whether a folder is entered, and the size limit of a file.
 */
import type { NotStoredReason } from '../../../contract/log.ts'
import type { Signature } from '../files/signature.ts'
import type { Head } from '../store/paths.ts'
import type { Records } from '../store/records.ts'
import type { CoverRules } from './cover-rules.ts'
import { type Limit, limitOf } from './limit.ts'

export interface Finding {
  readonly path: string
  /** Files: bytes above which the content is not stored. */
  readonly limit: number
  readonly overLimit?: Limit['overLimit']
  /** Folders: why it is recorded by name only; null if it is entered. */
  readonly folderReason: NotStoredReason | null
}

/** Yields null where nothing was found, so that the driver can pause there. */
export type FindingSteps = Generator<Finding | null>

export interface FindingsOptions {
  readonly records: Records
  readonly rules: CoverRules
  /** Folders that are recorded on their own, or hold our data: named, not entered. */
  readonly boundaries: ReadonlySet<string>
  /** [CP-1] Paths a tool names: compared even where everything else is ignored. */
  readonly named?: ReadonlySet<string>
}

export interface Findings {
  /** Yields the finding unless this scan reported the path before. `stat`: what is on disk now, null = nothing. */
  report(path: string, head: Head | null, stat: Signature | null): FindingSteps
  /** Why a folder is not entered; null = it is. */
  folderReason(path: string, head: Head | null): NotStoredReason | null
}

export function createFindings({ records, rules, boundaries, named }: FindingsOptions): Findings {
  const reported = new Set<string>()

  const folderReason = (path: string, head: Head | null): NotStoredReason | null => {
    if (boundaries.has(path)) return 'workspace'
    if (named?.has(path)) return null
    // [LG-5] A folder that was entered once stays covered, whatever the ignore rules say now.
    const version = head === null || head.version === null ? null : records.version(head.version)
    if (version?.kind === 'dir' && version.notStored === null) return null
    return rules.ignoresDir(path) ? 'ignored' : null
  }

  const fileLimit = (path: string, head: Head | null): Limit => {
    const version = head?.version == null ? null : records.version(head.version)
    const wasStored = version !== null && version.notStored !== 'ignored' && version.kind !== 'absent'
    return limitOf(rules, path, wasStored)
  }

  return {
    folderReason,
    *report(path, head, stat) {
      if (reported.has(path)) return
      reported.add(path)
      if (stat?.kind === 'dir') yield { path, limit: 0, folderReason: folderReason(path, head) }
      else yield { path, ...fileLimit(path, head), folderReason: null }
    }
  }
}
