/** Stats as one text, to remember what was read from files until one of them changes. */
import { isRacy } from './racy-times.ts'
import type { Signature } from './signature.ts'

/**
 * Equal stamps stand for equal bytes. Null where a file was changed so shortly before `readAt` (ms UTC) that a later change may leave
 * its stats as they are (DR-2).
 */
export function stampOf(stats: readonly Signature[], readAt: number): string | null {
  if (stats.some((each) => isRacy(each, readAt))) return null
  return stats.map(({ ino, size, mtime, ctime }) => `${ino} ${size} ${mtime} ${ctime}`).join(', ')
}
