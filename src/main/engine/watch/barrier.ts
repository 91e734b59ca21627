/** A way to know that the watcher has caught up: a file of ours, written now, whose event can only come last (CK-2). */
import { closeSync, type FSWatcher, mkdirSync, openSync, rmSync, watch } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../ports/clock.ts'
import { countEvent } from './event-burst.ts'

const LONGEST_MS = 1000
let next = 1

export interface Barrier {
  /**
   * True once every event that was queued before the call has been handed out; false after 1 s or when it cannot be
   * known. Holds because all watches of a thread share one first-in-first-out inotify queue.
   */
  wait(): Promise<boolean>
  close(): void
}

/** Opens a barrier in `folder`, which must be our own data folder (CP-5) and is created if missing. */
export function openBarrier(folder: string, clock: Clock): Barrier {
  const waiting = new Map<string, (caughtUp: boolean) => void>()
  let watcher: FSWatcher | null = null
  let closed = false

  const open = (): FSWatcher => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const opened = watch(folder, { persistent: false }, (_event, name) => {
      countEvent()
      const done = name === null ? undefined : waiting.get(name)
      // Answered in a turn of its own: a caller that writes again at once would keep libuv reading and never be done.
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
    wait() {
      if (closed) return Promise.resolve(false)
      const name = `barrier-${process.pid}-${next++}-${Math.random().toString(36).slice(2, 10)}`
      const file = join(folder, name)
      try {
        watcher ??= open()
      } catch {
        // No watch left or no folder: the caller sweeps instead.
        return Promise.resolve(false)
      }
      const opened = watcher
      return new Promise((resolve) => {
        const done = (caughtUp: boolean) => {
          if (!waiting.delete(name)) return
          cancel()
          rmSync(file, { force: true })
          // After a time-out the watch may be dead (our folder was replaced): the next wait opens a new one.
          if (!caughtUp && watcher === opened) {
            opened.close()
            watcher = null
          }
          resolve(caughtUp)
        }
        const cancel = clock.setTimeout(() => done(false), LONGEST_MS)
        waiting.set(name, done)
        try {
          closeSync(openSync(file, 'wx', 0o600))
        } catch {
          // Disk full or folder gone: unknown, so the caller sweeps.
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
