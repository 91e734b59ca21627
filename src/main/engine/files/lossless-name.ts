/** Finds names that are not valid UTF-8: a path string cannot hold them, so they cannot be restored. */
import { readdirSync } from 'node:fs'

/**
 * Whether `name`, as readdir returned it, is exactly the name on disk. Node decodes invalid bytes as U+FFFD, which can also be
 * part of a valid name, so such names are compared as bytes.
 */
export function isLosslessName(folder: string, name: string): boolean {
  if (!name.includes('\ufffd')) return true
  const raw = Buffer.from(name, 'utf8')
  return readdirSync(folder, { encoding: 'buffer' }).some((listed) => listed.equals(raw))
}
