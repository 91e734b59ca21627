/** File system errors as the reason of one item: a clause that follows the file's name. */
import { errorCode } from '../files/fs-errors.ts'

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EBUSY: 'it is open in another program',
  ENOTEMPTY: 'another program holds files in it open',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EROFS: 'the disk is read-only',
  ENOENT: 'it was removed, or the disk does not support its name',
  EINVAL: 'the disk does not support its name',
  EIO: 'the disk reported an error',
  ENOTCONN: 'its disk is unreachable',
  ENODEV: 'its disk is unreachable',
  ESTALE: 'its disk is unreachable',
  EXDEV: 'it is on a different disk than its folder',
  ENAMETOOLONG: 'its path is too long for this system'
}

/** Windows reports both in the same way. */
const DENIED_ON_WINDOWS = 'it is open in another program, or permission is denied'

/** The reason in words. Rethrows anything that is not a file system error: that is a bug, and no result of an item. */
export function fsErrorReason(error: unknown, platform: NodeJS.Platform = process.platform): string {
  const code = errorCode(error)
  if (code === '') throw error
  if (platform === 'win32' && (code === 'EPERM' || code === 'EACCES')) return DENIED_ON_WINDOWS
  return REASONS[code] ?? `the system refused it (${code})`
}
