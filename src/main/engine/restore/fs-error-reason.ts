/** File system errors as the reason of one item. */
import type { FsReason } from '../../../contract/restore.ts'
import { itemReasonText } from '../../../contract/words/restore-reasons.ts'
import { errorCode } from '../files/fs-errors.ts'

const REASONS: Readonly<Record<string, Exclude<FsReason['code'], 'system'>>> = {
  EACCES: 'denied',
  EPERM: 'not-permitted',
  EBUSY: 'in-use',
  ENOTEMPTY: 'held-open',
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  EROFS: 'read-only',
  ENOENT: 'removed-or-bad-name',
  EINVAL: 'bad-name',
  EIO: 'disk-error',
  ENOTCONN: 'unreachable',
  ENODEV: 'unreachable',
  ESTALE: 'unreachable',
  EXDEV: 'other-disk',
  ENAMETOOLONG: 'too-long'
}

/** The reason of an error. Rethrows what is not a file system error: that is a bug, and no result of an item. */
export function fsErrorReason(error: unknown, platform: NodeJS.Platform = process.platform): FsReason {
  const code = errorCode(error)
  if (code === '') throw error
  if (platform === 'win32' && (code === 'EPERM' || code === 'EACCES')) return { code: 'in-use-or-denied' }
  const known = REASONS[code]
  return known ? { code: known } : { code: 'system', error: code }
}

/** The same as a clause for an error message. */
export const fsErrorText = (error: unknown): string => itemReasonText(fsErrorReason(error))
