/** What the log has of paths that are gone from the disk, for the loss meter. */
import type { Stats } from 'node:fs'
import { join } from 'node:path'
import { exactLstat } from '../files/exact-stat.ts'
import { isNotFound } from '../files/fs-errors.ts'
import { filesBelow } from '../store/losses.ts'
import type { Store } from '../store/open-store.ts'
import type { Head } from '../store/paths.ts'
import { findRun } from '../store/runs.ts'
import { versionAt } from '../store/version-at.ts'
import { isInGeneratedFolder } from './generated.ts'
import type { RecordedFile } from './gone-paths.ts'
import { runsWithCommand } from './suspects.ts'

interface FilesContext {
  readonly root: string
  readonly store: Store
  readonly rules: { ignoresFile(path: string): boolean }
}

export function recordedFiles(context: FilesContext) {
  /** Every run that may delete it now had made it. */
  const isMade = ({ path, edit }: Head): boolean =>
    edit !== 0 &&
    runsWithCommand(context.store).every((run) => {
      const start = findRun(context.store, run)?.start_seq ?? 0
      return edit > start && versionAt(context.store, path, start).kind === 'absent'
    })

  return {
    statOf: (path: string): Stats | null | undefined => {
      try {
        return exactLstat(join(context.root, path)) ?? null
      } catch (error) {
        // EACCES: it may be there still, and the next check compares it.
        return isNotFound(error) ? null : undefined
      }
    },
    recordedFile: (path: string): RecordedFile | null => {
      const head = context.store.records.head(path)
      if (head === null || head.version === null) return null
      const { kind, size } = context.store.records.version(head.version)
      if ((kind !== 'file' && kind !== 'symlink') || isMade(head)) return null
      if (isInGeneratedFolder(path) || context.rules.ignoresFile(path)) return null
      return { ino: head.signature?.ino ?? null, size: kind === 'file' ? size : null }
    },
    folder: (path: string, most: number) => {
      const { signature = null } = context.store.records.head(path) ?? {}
      const ino = signature?.kind === 'dir' ? signature.ino : null
      return { ino, files: ino === null ? [] : filesBelow(context.store, path, most) }
    }
  }
}
