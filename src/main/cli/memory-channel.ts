/** A channel within one process. Frames arrive in order and asynchronously, as they do over a socket. */
import type { Channel } from '../../contract/wire.ts'

export interface MemoryChannels {
  readonly ends: readonly [Channel, Channel]
  /** Closes both ends. */
  close(): void
}

export function memoryChannels(): MemoryChannels {
  const frameListeners: ((frame: string) => void)[] = [() => {}, () => {}]
  const closeListeners: (() => void)[] = [() => {}, () => {}]
  let open = true
  const end = (index: 0 | 1): Channel => ({
    send: (text) =>
      queueMicrotask(() => {
        if (open) frameListeners[1 - index]!(text)
      }),
    onFrame: (listener) => {
      frameListeners[index] = listener
    },
    onClose: (listener) => {
      closeListeners[index] = listener
    }
  })
  return {
    ends: [end(0), end(1)],
    close: () => {
      if (!open) return
      open = false
      for (const listener of closeListeners) listener()
    }
  }
}
