/** Appends to a file until it is killed: a file that is never stable. */
import { ftruncateSync, openSync, writeSync } from 'node:fs'

const fd = openSync(process.argv[2] as string, 'a')
// Large, so that reading it takes far longer than the pause between two writes.
ftruncateSync(fd, 40 << 20)
process.send?.('writing')
for (;;) writeSync(fd, 'x')
