/** A process that tries to become the host of a folder, says whether it did, and stays. For tests of the election. */
import { holdHostLock } from '../../src/main/engine/db/host-lock.ts'

const lock = holdHostLock(process.argv[2] ?? '')
console.log(lock ? 'held' : 'refused')
if (lock) setInterval(() => {}, 60_000)
