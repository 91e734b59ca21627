/**
 * restic, which keeps backups: encrypted, deduplicated, on a disk, by SFTP, in object stores and wherever rclone reaches
 * (restic.net). The person's own program with the person's environment; its questions and errors are shown as they are.
 * What it prints as JSON: restic.readthedocs.io, "Scripting".
 */
import { type BackupStore, type Place, programOf } from './backup-store.ts'

/** Marks the snapshots that are Driftline's, in a repository that may have others. */
const TAG = 'driftline'

/** What we read of restic's JSON. */
interface SnapshotRow {
  readonly short_id: string
  readonly time: string
  readonly hostname: string
}
interface Summary {
  readonly data_added: number
  readonly snapshot_id: string
}

/** Throws Refused where restic is not installed. */
export function openRestic(repository: string, place: Place): BackupStore {
  const run = programOf('restic', place, MISSING)
  const restic = (args: readonly string[], what: string, cwd?: string) => run(['-r', repository, ...args], what, cwd)
  return {
    init: async () => void (await restic(['init', '--quiet'], 'make the repository')),
    backUp: async (folder) => {
      // A relative path: the folder has another name each time, and is to be restored under any.
      const out = await restic(['backup', '--tag', TAG, '--json', '.'], 'store the copy', folder)
      const last = out.trimEnd().split('\n').at(-1) ?? ''
      const { snapshot_id: snapshot, data_added: added } = JSON.parse(last) as Summary
      return { snapshot, added }
    },
    snapshots: async () => {
      const text = await restic(['snapshots', '--tag', TAG, '--json'], 'list the backups')
      const rows = (JSON.parse(text) ?? []) as SnapshotRow[]
      return rows
        .map(({ short_id: id, time, hostname: computer }) => ({ id, at: Date.parse(time), computer }))
        .toSorted((a, b) => a.at - b.at)
    },
    restore: async (snapshot, into) => void (await restic(['restore', snapshot, '--target', into], 'fetch the backup'))
  }
}

const MISSING =
  'Backups are made by restic, which is not installed: `apt install restic`, `brew install restic` or `winget install restic.restic`. Nothing was changed.'
