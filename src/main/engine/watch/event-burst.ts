/**
 * Counts watcher events per turn of this thread's loop, because Linux drops events silently when its queue is full.
 *
 * libuv reads the one inotify queue of a loop until it is empty, in one go, and throws the overflow mark away. So a
 * queue that overflowed shows itself only as a very long run of events before the next check phase. All watches of a
 * thread share the queue, so the count is per thread, not per folder.
 */
import { readFileSync } from 'node:fs'

const listeners = new Set<() => void>()
let count = 0
let told = false
let limit = 0

/** Half the queue: events of watches closed in the meantime are never seen and must not hide an overflow. */
function burstLimit(): number {
  if (limit > 0) return limit
  limit = 8192
  if (process.platform === 'linux') {
    try {
      const queue = Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'))
      if (queue > 0) limit = Math.max(1, Math.floor(queue / 2))
    } catch {
      // /proc may be hidden (containers); the kernel's default queue is 16,384.
    }
  }
  return limit
}

/** Call for every event of every watch in this thread, wanted or not. */
export function countEvent(): void {
  if (count++ === 0) setImmediate(nextTurn)
  if (count < burstLimit() || told) return
  told = true
  for (const listener of [...listeners]) listener()
}

function nextTurn(): void {
  count = 0
  told = false
}

/** `listener` runs when so many events came at once that some may have been dropped. Returns the way to stop. */
export function onOverflow(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
