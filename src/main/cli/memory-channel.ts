/** Two channel ends in one process: what one sends, the other gets, in order and never inside the sender's call. */
import type { Channel } from '../../contract/wire.ts'

export interface MemoryChannels {
  readonly ends: readonly [Channel, Channel]
  /** Closes both ends. */
  close(): void
}

export function memoryChannels(): MemoryChannels {
  const frame: ((frame: string) => void)[] = [() => {}, () => {}]
  const close: (() => void)[] = [() => {}, () => {}]
  let open = true
  const end = (mine: 0 | 1): Channel => ({
    send: (text) =>
      queueMicrotask(() => {
        if (open) frame[1 - mine]!(text)
      }),
    onFrame: (listener) => {
      frame[mine] = listener
    },
    onClose: (listener) => {
      close[mine] = listener
    }
  })
  return {
    ends: [end(0), end(1)],
    close: () => {
      if (!open) return
      open = false
      for (const listener of close) listener()
    }
  }
}
