/**
 * Takes back the low priority that the recorder gives to the process of an initial snapshot, with which it waits for minutes
 * beside a busy computer: its threads get that of its parent. Only root may; for others it stays.
 */
import { existsSync, readdirSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/** On Linux each thread has its own priority, and those of the garbage collector are there by now. */
const THREADS = '/proc/self/task'

try {
  const priority = getPriority(process.ppid)
  for (const thread of existsSync(THREADS) ? readdirSync(THREADS) : [process.pid]) setPriority(Number(thread), priority)
} catch {
  // EACCES.
}
