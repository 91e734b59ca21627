/** A stream that keeps what is written, for calling the command line inside a test. */
import type { Sink } from '../../../src/main/cli/output.ts'

export interface MemorySink extends Sink {
  text(): string
  bytes(): Buffer
}

export function memorySink(isTTY = false): MemorySink {
  const parts: Buffer[] = []
  return {
    isTTY,
    columns: 100,
    write: (data, done) => {
      parts.push(Buffer.from(data))
      done()
      return true
    },
    on: () => {},
    bytes: () => Buffer.concat(parts),
    text: () => Buffer.concat(parts).toString('utf8')
  }
}
