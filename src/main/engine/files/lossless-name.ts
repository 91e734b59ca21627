/** Names that are not UTF-8 cannot be written back through our paths, so they are told apart from those that are. */
import { readdirSync } from 'node:fs'

/** Whether `name`, as readdir gave it, is the very name on disk. Bytes that are no UTF-8 become U+FFFD, which may also be a name's own. */
export function isLosslessName(folder: string, name: string): boolean {
  if (!name.includes('\ufffd')) return true
  const raw = Buffer.from(name, 'utf8')
  return readdirSync(folder, { encoding: 'buffer' }).some((one) => one.equals(raw))
}
