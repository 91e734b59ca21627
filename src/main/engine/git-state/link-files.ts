/**
 * [GT-14] Links among the files by which a repository is set up: tools put hooks there as links to scripts of the project. The
 * link is kept and restored, and never followed (CP-4).
 */
import { type BigIntStats, readlinkSync } from 'node:fs'
import { ifReadable } from '../files/fs-errors.ts'

/** The mode of a link, as git writes it in trees. Its content is the path that it names. */
export const LINK_MODE = 0o120000

/** A link at any other place of a repository is not git's own. */
const MAY_BE_LINK = /^(?:hooks|info)(?:\/|$)/

/** Null for what is neither a file nor a link that is kept. */
export function modeOf(path: string, stats: Pick<BigIntStats, 'mode' | 'isFile' | 'isSymbolicLink'>): number | null {
  if (stats.isFile()) return Number(stats.mode & 0o777n)
  return stats.isSymbolicLink() && MAY_BE_LINK.test(path) ? LINK_MODE : null
}

/** Null if it is no link any more. */
export function readLink(file: string | Buffer): Buffer | null {
  return ifReadable(() => readlinkSync(file, { encoding: 'buffer' }))
}
