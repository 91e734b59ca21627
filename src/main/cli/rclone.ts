/**
 * Backups as plain folders of a remote of rclone (rclone.org): each is a whole copy, `TIME-COMPUTER`, and counts once the
 * file that is written last is there. Nothing is encrypted but by a remote that does it.
 */
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BackupStore, Place, StoredBackup } from './backup-store.ts'
import { programOf } from './backup-store.ts'

/** The file that is written last. */
const COMPLETE = 'complete.json'
/** What SQLite left beside a copy when it was verified; it is empty. */
const WITHOUT = ['--exclude', '*-shm', '--exclude', '*-wal'] as const
const NAME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-(.+)$/

/** `remote`: `REMOTE:PATH`. Throws Refused where rclone is not installed. */
export function openRclone(remote: string, place: Place): BackupStore {
  const rclone = programOf('rclone', place, MISSING)
  const at = (path: string): string => `${remote.replace(/\/$/, '')}/${path}`
  return {
    init: async () => void (await rclone(['mkdir', remote], 'make the folder')),
    backUp: async (folder) => {
      const name = `${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}-${computerName()}`
      const bytes = sizeOf(folder)
      await rclone(['copy', '--immutable', ...WITHOUT, folder, at(name)], 'store the copy')
      const mark = mkdtempSync(join(tmpdir(), 'driftline-'))
      try {
        writeFileSync(join(mark, COMPLETE), `${JSON.stringify({ bytes })}\n`)
        await rclone(['copy', mark, at(name)], 'mark the copy as complete')
      } finally {
        rmSync(mark, { recursive: true, force: true })
      }
      return { snapshot: name, added: bytes }
    },
    snapshots: async () => {
      const args = ['lsf', '--recursive', '--files-only', '--include', `/*/${COMPLETE}`, remote]
      const files = (await rclone(args, 'list the backups')).split('\n')
      return files.flatMap((file) => toBackup(file.split('/')[0] ?? '') ?? []).toSorted((a, b) => a.at - b.at)
    },
    restore: async (snapshot, into) =>
      void (await rclone(['copy', '--exclude', `/${COMPLETE}`, at(snapshot), into], 'fetch the backup'))
  }
}

/** Null for a folder that is no backup. */
function toBackup(name: string): StoredBackup | null {
  const [, year, month, day, hour, minute, second, computer] = NAME.exec(name) ?? []
  if (computer === undefined) return null
  return { id: name, at: Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`), computer }
}

/** Of characters that every remote has in names. */
function computerName(): string {
  return hostname().replaceAll(/[^A-Za-z0-9.-]+/g, '-') || 'computer'
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/-(shm|wal)$/.test(entry.name))
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

const MISSING =
  'This backup is carried by rclone, which is not installed: `apt install rclone`, `brew install rclone` or `winget install Rclone.Rclone`. Nothing was changed.'
