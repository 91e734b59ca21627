/**
 * Runs tasks, the newest first, without blocking the event loop for longer than a slice.
 *
 * Invariant: while tasks wait, the queue runs or its next slice is scheduled; `onIdle` runs each time it became empty.
 */

/** Longest time the tasks block the event loop, 15 ms. */
const SLICE_NS = 15_000_000n

export function createSlicedQueue<Task>(run: (task: Task) => void, onIdle: () => void) {
  const queue: Task[] = []
  /** Callers of `settled`. */
  const waiting: (() => void)[] = []
  let scheduled = false
  let closed = false

  const runTasks = () => {
    scheduled = false
    // Not `performance`, as in time-slicer.ts.
    const until = process.hrtime.bigint() + SLICE_NS
    for (let task = queue.pop(); task !== undefined; task = queue.pop()) {
      run(task)
      if (closed) return
      if (process.hrtime.bigint() > until && queue.length > 0) {
        scheduled = true
        setImmediate(runTasks)
        return
      }
    }
    if (closed) return
    onIdle()
    for (const resolve of waiting.splice(0)) resolve()
  }

  return {
    /** Adds a task from within a task or before `start`. */
    add: (task: Task) => void queue.push(task),
    /** Runs what was added, at once unless a slice is scheduled. */
    start() {
      if (!scheduled && !closed) runTasks()
    },
    isEmpty: () => queue.length === 0,
    /** Resolves when the queue is empty the next time, or closed. */
    settled: () => new Promise<void>((resolve) => void waiting.push(resolve)),
    close() {
      closed = true
      queue.length = 0
      for (const resolve of waiting.splice(0)) resolve()
    }
  }
}
