/**
 * [DR-2] How old the times of a path must be to prove that it was not changed since it was read. A write within the same
 * tick of the clock leaves them as they are ("racy git").
 */
import type { Signature } from './signature.ts'

type Times = Pick<Signature, 'mtime' | 'ctime'>

/** How much older than the reading they must be, ms: covers the coarsest clock, that of FAT. */
const RACY_MS = 2000
/**
 * The same for times that Linux itself writes, with digits finer than milliseconds: its clock advances every 10 ms or more
 * often. The rest is for a tick that is late, and for a write that sets the time before it copies its bytes.
 */
const FINE_RACY_MS = 50

/** Whether a change after `statAt` (ms), when what the stat stands for was read, can have left it as it is. */
export function isRacy(times: Times, statAt: number): boolean {
  return lastWrite(times) > statAt - RACY_MS
}

/**
 * The `statAt` to record for a stat, which `isRacy` judges: `readAt`, or a later time for one that is trusted although it is
 * young. `readAt`: ms, right before what it is of was read. `isLocal`: whether that is on a local disk (local-disk.ts).
 */
export function statAtOf(times: Times, readAt: number, isLocal: () => boolean): number {
  const isYoung = isRacy(times, readAt) && lastWrite(times) <= readAt - FINE_RACY_MS
  return isYoung && times.ctime % 1 !== 0 && isLocal() ? trustedStatAt(times) : readAt
}

/** The `statAt` of a stat that is trusted however young it is. */
export function trustedStatAt(times: Times): number {
  return Math.ceil(lastWrite(times)) + RACY_MS
}

export function lastWrite({ mtime, ctime }: Times): number {
  return Math.max(mtime, ctime)
}
