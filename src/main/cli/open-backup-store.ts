/** Where backups are kept, by the address that a person names. */
import type { BackupStore, Place } from './backup-store.ts'
import { openRclone } from './rclone.ts'
import { openRestic } from './restic.ts'

/**
 * `rclone:REMOTE:PATH` is a folder of rclone, `restic:REPOSITORY` what `restic -r` takes, and so is any other address. Throws
 * Refused where the program is not installed.
 */
export function openBackupStore(address: string, place: Place): BackupStore {
  if (address.startsWith('rclone:')) return openRclone(address.slice('rclone:'.length), place)
  return openRestic(address.startsWith('restic:') ? address.slice('restic:'.length) : address, place)
}
