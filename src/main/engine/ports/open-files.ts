/** Which files a program has open, read from /proc (Linux only). */
import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'

/** Whether a process of this program has the file open; null where the system does not say it. */
export function isOpenBy(program: string, file: string): boolean | null {
  const wanted = process.platform === 'linux' ? ifReadable(() => statSync(file)) : null
  if (!wanted) return null
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && nameOf(name) === program)
  const found = pids.map((pid) => hasOpen(pid, wanted))
  return found.includes(true) ? true : found.includes(null) ? null : false
}

function nameOf(pid: string): string | undefined {
  return ifReadable(() => readFileSync(`/proc/${pid}/comm`, 'utf8'))?.trim()
}

/** Null of a process of another user. */
function hasOpen(pid: string, wanted: Stats): boolean | null {
  const folder = `/proc/${pid}/fd`
  const names = ifReadable(() => readdirSync(folder))
  if (!names) return nameOf(pid) === undefined ? false : null
  // In a container, the file has another path.
  return names.some((name) => {
    const opened = ifReadable(() => statSync(join(folder, name)))
    return opened?.ino === wanted.ino && opened.dev === wanted.dev
  })
}

function ifReadable<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    // It has ended, or belongs to another user.
    return null
  }
}
