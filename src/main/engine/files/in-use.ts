/**
 * [RS-15] Files that another program holds open for a moment. Virus scanners, indexers and sync clients open a file
 * right after it was written; on Windows it can be neither renamed, replaced nor deleted until they close it. Such a
 * call is made again after a pause, while the other items continue.
 */
import { setImmediate, setTimeout } from 'node:timers/promises'
import { errorCode } from './fs-errors.ts'
import { foldersAbove } from './paths.ts'

/** Calls that fail on Windows while another program holds the file, or a deleted entry of the folder, open. */
const REFUSED_WHILE_OPEN = new Set(['rename', 'unlink', 'rmdir', 'mkdir'])
/**
 * What Windows reports then, and also for a missing permission or a folder that is not empty: the codes do not tell
 * which.
 */
const AMBIGUOUS_ON_WINDOWS = new Set(['EPERM', 'EACCES', 'ENOTEMPTY'])

/**
 * Whether the file may be free a moment later. EBUSY says that everywhere; POSIX systems use the other codes only for
 * what stays as it is.
 */
export function isInUse(error: unknown, platform: NodeJS.Platform = process.platform): boolean {
  const code = errorCode(error)
  if (code === 'EBUSY') return true
  const call = error instanceof Error && 'syscall' in error ? String(error.syscall) : ''
  return platform === 'win32' && AMBIGUOUS_ON_WINDOWS.has(code) && REFUSED_WHILE_OPEN.has(call)
}

const FIRST_PAUSE_MS = 10
const LONGEST_PAUSE_MS = 400
/** How long a queue waits in which nothing becomes free. */
const STUCK_MS = 3000
/** How long one restore waits at all, whatever the number of its files. */
const TOTAL_MS = 10_000

/** The time that remains to wait for files in use. Shared by all steps of one piece of work. */
export type Patience = ReturnType<typeof createPatience>

/** `totalMs`: of all its pauses together. */
export function createPatience(totalMs: number = TOTAL_MS) {
  let left = totalMs
  return {
    /**
     * Pauses, longer with each attempt in a row (from 0) that freed nothing. False, at once, when the time is used up.
     */
    pause: async (attempt: number): Promise<boolean> => {
      const ms = Math.min(pauseMs(attempt), left)
      if (ms <= 0) return false
      left -= ms
      await setTimeout(ms)
      return true
    }
  }
}

/** Milliseconds; 0 after STUCK_MS of such pauses. */
function pauseMs(attempt: number): number {
  let waited = 0
  for (let n = 0; n < attempt && waited < STUCK_MS; n++) waited += growing(n)
  return waited < STUCK_MS ? growing(attempt) : 0
}

function growing(attempt: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS)
}

/** The result of `step`, which is repeated while the file is in use. */
export async function whenFree<T>(patience: Patience, step: () => T | Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await step()
    } catch (error) {
      if (!isInUse(error) || !(await patience.pause(attempt))) throw error
    }
  }
}

/**
 * `whenFree` for rare, synchronous work: blocks the thread, for one second at most, and only while the file is in use.
 */
export function whenFreeSync<T>(step: () => T): T {
  for (let attempt = 0, left = 1000; ; attempt++) {
    try {
      return step()
    } catch (error) {
      if (!isInUse(error) || left <= 0) throw error
      const ms = Math.min(growing(attempt), left)
      left -= ms
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
    }
  }
}

/**
 * Steps are mostly synchronous, which is faster than a trip to the thread pool; after so many, other work gets its
 * turn.
 */
const ITEMS_PER_TURN = 64

/**
 * Runs `step` for each item, in order. An item in use goes to the end of the queue, and so do those above and below its
 * path, because a folder is made before what is in it and removed after it. `fail` gets every other error, and those
 * items that stay in use.
 */
export async function eachWhenFree<T extends { readonly path: string }>(
  patience: Patience,
  items: Iterable<T>,
  step: (item: T) => void | Promise<void>,
  fail: (item: T, error: unknown) => void
): Promise<void> {
  let queue: Iterable<T> = items
  let taken = 0
  for (let attempt = 0; ; ) {
    const waiting = createWaiting<T>()
    let progress = false
    for (const item of queue) {
      if (waiting.blocks(item.path)) {
        waiting.add(item, null)
        continue
      }
      if (++taken % ITEMS_PER_TURN === 0) await setImmediate()
      try {
        const pending = step(item)
        if (pending) await pending
        progress = true
      } catch (error) {
        if (isInUse(error)) waiting.add(item, error)
        else fail(item, error)
      }
    }
    if (waiting.items.size === 0) return
    attempt = progress ? 0 : attempt + 1
    if (!(await patience.pause(attempt))) return failAll(waiting.items, step, fail)
    queue = [...waiting.items.keys()]
  }
}

/** Items that waited only for another one get their own result. */
async function failAll<T>(
  items: ReadonlyMap<T, unknown>,
  step: (item: T) => void | Promise<void>,
  fail: (item: T, error: unknown) => void
): Promise<void> {
  for (const [item, error] of items) {
    try {
      if (error === null) await step(item)
      else fail(item, error)
    } catch (own) {
      fail(item, own)
    }
  }
}

/** The items that wait, in order, each with its error; null = only for another one. */
function createWaiting<T extends { readonly path: string }>() {
  const items = new Map<T, unknown>()
  const paths = new Set<string>()
  const above = new Set<string>()
  return {
    items,
    blocks: (path: string): boolean =>
      paths.size > 0 && (paths.has(path) || above.has(path) || foldersAbove(path).some((folder) => paths.has(folder))),
    add: (item: T, error: unknown): void => {
      items.set(item, error)
      paths.add(item.path)
      for (const folder of foldersAbove(item.path)) above.add(folder)
    }
  }
}
