/**
 * [DR-2] The clock from which Linux takes the times of files. It stands still between two ticks of up to 10 ms, or longer where a
 * tick is late, as on a virtual computer that waits for its processor. So the age of a file does not tell whether its next
 * change would get another time, but a file that was touched later does.
 */
import { constants, fchmodSync, fstatSync, openSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { ignoreFsErrors } from './fs-errors.ts'
import { isLocalDisk } from './local-disk.ts'

/** Opens a file without a name (open(2), Linux), which is gone when it is closed. */
const O_TMPFILE = 0o20000000 | (constants.O_DIRECTORY ?? 0)
const OWNER_ONLY = 0o600
/** What is trusted where the clock cannot be read, ms. */
const LATE_TICK_MS = 50

/** The file that is touched. Undefined before the first use; null where there can be none. */
let probe: number | null | undefined
/** The clock when it was read last, ms UTC. */
let latest = 0

/**
 * Whether each change from now on gets a later time than `time`, on any disk of Linux itself (local-disk.ts). Both ms UTC. `now`: by
 * the clock of this process. Touches a file in memory unless an earlier call has the answer.
 */
export function isTimePast(time: number, now: number): boolean {
  // Later than now: the clock was set back since.
  if (time < latest && latest <= now) return true
  latest = readClock() ?? now - LATE_TICK_MS
  return time < latest
}

/** Null where it cannot be read. */
function readClock(): number | null {
  if (probe === undefined) probe = openProbe()
  const file = probe
  let time: number | null = null
  if (file !== null) ignoreFsErrors(() => (time = touch(file)))
  return time
}

/** Sets the time of a file to that of the clock and returns it, ms UTC. */
function touch(file: number): number {
  fchmodSync(file, OWNER_ONLY)
  return fstatSync(file).ctimeMs
}

function openProbe(): number | null {
  let file: number | null = null
  for (const folder of ['/dev/shm', tmpdir()]) {
    if (file !== null || !isLocalDisk(folder)) continue
    ignoreFsErrors(() => (file = openSync(folder, O_TMPFILE | constants.O_RDWR, OWNER_ONLY)))
  }
  return file
}
