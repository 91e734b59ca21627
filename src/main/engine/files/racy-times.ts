/**
 * [DR-2] How old the times of a path must be to prove that it was not changed since it was read. A write within the same
 * tick of the clock leaves them as they are ("racy git").
 */
import { isTimePast } from './file-clock.ts'
import type { Signature } from './signature.ts'

type Times = Pick<Signature, 'mtime' | 'ctime'>

/** How much older than the reading they must be, ms: covers the coarsest clock, that of FAT. */
const RACY_MS = 2000
/** A change may appear this much older than it is where times are kept with digits, ms: they come from a coarser clock than ours. */
export const CLOCK_SLACK_MS = 20
/**
 * The same for times that Linux itself writes, with digits finer than milliseconds, once its clock has advanced: for a write that
 * sets the time before it copies its bytes.
 */
const FINE_RACY_MS = 20

/** Whether a change after `statAt` (ms), when what the stat stands for was read, can have left it as it is. */
export function isRacy({ mtime, ctime }: Times, statAt: number): boolean {
  return areRacy(mtime, ctime, statAt)
}

/** `isRacy` for times that are in no object. */
export function areRacy(mtime: number, ctime: number, statAt: number): boolean {
  return Math.max(mtime, ctime) > statAt - RACY_MS
}

/**
 * The `statAt` to record for a stat, which `isRacy` judges: `readAt`, or a later time for one that is trusted although it is
 * young. To be asked for after the stat and before what it is of is read. `readAt`: ms, right before the stat. `isLocal`:
 * whether that is on a local disk (local-disk.ts).
 */
export function statAtOf(times: Times, readAt: number, isLocal: () => boolean): number {
  const last = lastWrite(times)
  const isFine = isRacy(times, readAt) && last <= readAt - FINE_RACY_MS && times.ctime % 1 !== 0
  return isFine && isLocal() && isTimePast(last, readAt) ? trustedStatAt(times) : readAt
}

/** The `statAt` of a stat that is trusted however young it is. */
export function trustedStatAt(times: Times): number {
  return Math.ceil(lastWrite(times)) + RACY_MS
}

/** When a path changed, as the system says it: no program can set this time. FAT has none on Windows (the year 1601). */
export function changeTime({ mtime, ctime }: Times): number {
  return ctime > 0 ? ctime : mtime
}

/** The latest moment at which a change with this time may have been made. FAT keeps every second second, HFS+ every one. */
export function latestMoment(time: number): number {
  return time + (time % 1000 === 0 ? RACY_MS : CLOCK_SLACK_MS)
}

export function lastWrite({ mtime, ctime }: Times): number {
  return Math.max(mtime, ctime)
}
