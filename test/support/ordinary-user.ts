/** Tests of denied access: as root, the work is done by a user without special rights, so that denials are real. */
import Database from 'better-sqlite3'

/** The system's "nobody". */
const NOBODY = 65534

/**
 * Does `work` without special rights: as root by being nobody meanwhile, as anybody else just so. Temporary folders made
 * in `work` belong to that user.
 */
export async function asOrdinaryUser<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return await work()
  // Loaded now: nobody may not be able to read the program.
  new Database(':memory:').close()
  const groups = process.getgroups?.() ?? []
  process.setgroups?.([NOBODY])
  process.setegid?.(NOBODY)
  process.seteuid?.(NOBODY)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
    process.setegid?.(0)
    process.setgroups?.(groups)
  }
}
