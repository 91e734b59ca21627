/** What the file system refuses, in words for the file it refused. */
import { errorCode } from '../ports/fs-errors.ts'

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'there is no permission to change it',
  EPERM: 'there is no permission to change it',
  EBUSY: 'it is open in another program',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EROFS: 'the disk is read-only',
  ENOENT: 'it went away, or the disk does not take its name',
  EINVAL: 'the disk does not take its name',
  EIO: 'the disk reported an error',
  ENOTCONN: 'its disk is out of reach',
  ENODEV: 'its disk is out of reach',
  ESTALE: 'its disk is out of reach',
  EXDEV: 'it is on another disk than its folder',
  ENAMETOOLONG: 'its path is too long for this system'
}

/** The reason in words. Throws what is no refusal of the file system. */
export function refusedBySystem(error: unknown): string {
  const code = errorCode(error)
  if (code === '') throw error
  return REASONS[code] ?? `the system refused it (${code})`
}
