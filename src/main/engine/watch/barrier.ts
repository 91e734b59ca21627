/**
 * Tells when the watcher has caught up (CK-2): writes a file into our own data folder and waits for its event, which
 * the system queues behind all earlier events.
 */
import { closeSync, existsSync, type FSWatcher, mkdirSync, openSync, watch } from 'node:fs'
import { join } from 'node:path'
import { removeFile } from '../files/remove.ts'
import type { Clock } from '../ports/clock.ts'
import { countEvent } from './event-burst.ts'

const TIMEOUT_MS = 1000
let next = 1

/** Opens a barrier in `folder`, which must be our own data folder (CP-5) and is created if missing, in one that exists. */
export function openBarrier(folder: string, clock: Clock) {
  const waiting = new Map<string, (caughtUp: boolean) => void>()
  let watcher: FSWatcher | null = null
  let closed = false

  const open = (): FSWatcher => {
    // Not its parents: a data folder that was deleted is not made again.
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
    const opened = watch(folder, { persistent: false }, (_event, name) => {
      countEvent()
      const done = name === null ? undefined : waiting.get(name)
      // In its own turn: libuv reads until the queue is empty, so a caller that writes again at once would never let it
      // finish.
      if (done) setImmediate(done, true)
    })
    opened.on('error', () => drop(opened))
    return opened
  }
  const drop = (failed: FSWatcher) => {
    failed.close()
    if (watcher === failed) watcher = null
    for (const done of [...waiting.values()]) done(false)
  }

  return {
    /**
     * True once every event queued before the call was delivered; false after 1 s, or if that cannot be known. Relies
     * on all watches of a thread sharing one first-in-first-out inotify queue (inotify(7), one instance per libuv
     * loop).
     */
    async wait(): Promise<boolean> {
      if (closed) return false
      const name = `barrier-${process.pid}-${next++}-${Math.random().toString(36).slice(2, 10)}`
      const file = join(folder, name)
      try {
        watcher ??= open()
      } catch {
        // No watch or no folder available: the caller scans instead.
        return false
      }
      const opened = watcher
      return new Promise((resolve) => {
        const done = (caughtUp: boolean) => {
          if (!waiting.delete(name)) return
          cancel()
          removeFile(file)
          // After a timeout the watch may be dead (the folder was replaced): the next call opens a new one.
          if (!caughtUp && watcher === opened) {
            opened.close()
            watcher = null
          }
          resolve(caughtUp)
        }
        const cancel = clock.setTimeout(() => done(false), TIMEOUT_MS)
        waiting.set(name, done)
        try {
          closeSync(openSync(file, 'wx', 0o600))
        } catch {
          // Disk full or folder gone: the caller scans instead.
          done(false)
        }
      })
    },
    close() {
      closed = true
      watcher?.close()
      watcher = null
      for (const done of [...waiting.values()]) done(false)
    }
  }
}
