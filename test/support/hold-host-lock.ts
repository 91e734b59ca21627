/** A process that tries to take the host lock of a data folder, reports the result, and keeps running. */
import { acquireHostLock } from '../../src/main/engine/store/host-lock.ts'

const lock = acquireHostLock(process.argv[2] ?? '')
console.log(lock ? 'held' : 'refused')
if (lock) setInterval(() => {}, 60_000)
