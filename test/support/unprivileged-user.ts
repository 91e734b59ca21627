/** For tests of denied access. Root is never denied, so as root the work runs as an unprivileged user. */
import Database from 'better-sqlite3'

/** The user "nobody". */
const NOBODY = 65534

/** Runs `work` without root privileges. Temporary folders created in `work` belong to the unprivileged user. */
export async function asUnprivilegedUser<T>(work: () => Promise<T>): Promise<T> {
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
