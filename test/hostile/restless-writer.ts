/** Appends to a file each millisecond until it is killed: a file that is never stable. */
import { ftruncateSync, openSync, writeSync } from 'node:fs'

const fd = openSync(process.argv[2] as string, 'a')
// Large, so that reading it takes far longer than the pause between two writes.
ftruncateSync(fd, 16 << 20)
process.send?.('writing')
const pause = new Int32Array(new SharedArrayBuffer(4))
for (;;) {
  writeSync(fd, 'x')
  // A process that mostly waits gets its turn at once on a busy machine.
  Atomics.wait(pause, 0, 0, 1)
}
