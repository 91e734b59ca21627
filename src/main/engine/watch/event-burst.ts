/**
 * Detects lost watcher events by counting events per turn of the event loop.
 *
 * inotify drops events when its queue is full and queues IN_Q_OVERFLOW instead (inotify(7)), but libuv discards that
 * event. It reads the queue until it is empty, in one turn, so an overflow shows only as a very long run of events
 * before the next check phase. All watches of a thread share one queue, so the count is per thread, not per folder.
 */
import { readFileSync } from 'node:fs'

const listeners = new Set<() => void>()
let count = 0
let notified = false
let limit = 0

/** Half the queue: events of watches that were closed meanwhile are not delivered, and must not hide an overflow. */
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

/** Call for every event of every watch in this thread, relevant or not. */
export function countEvent(): void {
  if (count++ === 0) setImmediate(nextTurn)
  if (count < burstLimit() || notified) return
  notified = true
  for (const listener of [...listeners]) listener()
}

function nextTurn(): void {
  count = 0
  notified = false
}

/** `listener` runs when so many events came at once that some may be lost. Returns a function that removes it. */
export function onOverflow(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
