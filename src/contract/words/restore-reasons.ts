/** Why an item of a restore failed or was kept, as a clause that follows the path. Pure. */
import type { ItemReason } from '../restore.ts'

const CLAUSES = {
  denied: 'permission denied: it or its folder may be read-only',
  'not-permitted': 'not permitted: it or its folder may be immutable or append-only, or the folder sticky',
  'in-use': 'it is open in another program',
  'in-use-or-denied': 'it is open in another program, or permission is denied',
  'held-open': 'another program holds files in it open',
  'disk-full': 'the disk is full',
  'read-only': 'the disk is read-only',
  'removed-or-bad-name': 'it was removed, or the disk does not support its name',
  'bad-name': 'the disk does not support its name',
  'disk-error': 'the disk reported an error',
  unreachable: 'its disk is unreachable',
  'other-disk': 'it is on a different disk than its folder',
  'too-long': 'its path is too long for this system',
  changed: 'it changed during the restore and was not touched',
  'no-links': 'symbolic links cannot be created here',
  'still-there': 'it still exists',
  missing: 'it does not exist',
  'other-mode': 'its permissions differ from the recorded ones',
  'other-link': 'its link target differs from what was written',
  'other-content': 'its content differs from what was written'
} as const

const KINDS: Readonly<Record<string, string>> = {
  file: 'a file',
  dir: 'a folder',
  symlink: 'a symbolic link',
  special: 'a device, socket or pipe'
}

export function itemReasonText(reason: ItemReason): string {
  switch (reason.code) {
    case 'system':
      return `the system refused it (${reason.error})`
    case 'not-readable':
      return `it could not be read back: ${itemReasonText(reason.why)}`
    case 'other-kind':
      return `it is ${KINDS[reason.kind] ?? reason.kind}, not ${KINDS[reason.wanted] ?? reason.wanted}`
    case 'not-a-folder':
      return `${reason.path} is no longer a folder`
    case 'same-name':
      return `it conflicts with ${reason.path} on this case-insensitive disk`
    case 'not-moved':
      return `it stays, because ${reason.path} could not be written`
    case 'not-empty':
      return `the folder still contains ${reason.name ?? 'something'} and was kept`
    case 'kept-beside':
      return `unrecorded content at this path was kept as ${reason.name}`
    default:
      return CLAUSES[reason.code]
  }
}
