/**
 * Compares a large folder with its log in the background, so that no caller waits for it (CK-2): finds what no event
 * reported, such as writes through a memory mapping. The comparison takes a small share of the processor and no lock;
 * what it finds is read and recorded inside the lock, by the change times of the files.
 *
 * Invariant: a comparison that began after a position covers that position; a request while one runs begins another.
 */
import { createScan } from '../capture/findings.ts'
import { isFolderPresent } from '../capture/presence.ts'
import { type Reconciled, recordListings } from '../capture/reconcile.ts'
import { walkTree } from '../capture/tree-walk.ts'
import type { Clock } from '../ports/clock.ts'
import type { Lock } from '../ports/lock.ts'
import { type CheckContext, recordUncoverable } from './check.ts'
import { ORDINARY_EDITS } from './drifts.ts'
import { type LateChanges, recordChanges } from './record.ts'

interface ComparisonContext extends CheckContext {
  readonly lock: Lock
}

interface ComparisonOptions {
  readonly clock: Clock
  /** An initial snapshot or a restore works on the folder, so that the comparison has to wait. */
  isBusy(): boolean
  readonly onAttributed: LateChanges['onAttributed']
  onError(error: unknown): void
}

/** How long a comparison holds the thread, ms. */
const SLICE_MS = 4
/** How long it then leaves the thread to others, ms: it takes a fifth of one core. */
const REST_MS = 16
/**
 * After a comparison the next one waits this long for each of its slices, ms: four times as long as the comparison takes, but for
 * the time that a busy computer adds to it.
 */
const PAUSE_PER_SLICE_MS = 4 * (SLICE_MS + REST_MS)
/** Callers get their answer first, and the changes of one moment are compared once, ms. */
const DELAY_MS = 500
/** While the folder is busy, ms. */
const BUSY_MS = 5000
/** Paths recorded in one go. */
const BATCH = 500

export function createComparison(context: ComparisonContext, options: ComparisonOptions) {
  const { clock } = options
  let requested = false
  let closed = false
  let earliest = 0
  /** Of the current comparison. */
  let slices = 0
  let cancel: (() => void) | null = null
  let running: Promise<void> | null = null
  let wake = (): void => {}

  const schedule = (ms: number): void => {
    cancel ??= clock.setTimeout(
      () => {
        cancel = null
        if (options.isBusy()) schedule(BUSY_MS)
        else begin()
      },
      Math.max(ms, earliest - clock.now())
    )
  }
  const begin = (): void => {
    requested = false
    slices = 1
    running = compareFolder(context, clock.now(), rest, options)
      .catch(options.onError)
      .finally(() => {
        running = null
        earliest = clock.now() + slices * PAUSE_PER_SLICE_MS
        if (requested && !closed) schedule(DELAY_MS)
      })
  }
  /** Resolves after a rest; false when the comparison has to stop. */
  const rest = async (): Promise<boolean> => {
    if (closed) return false
    await new Promise<void>((resolve) => {
      const stop = clock.setTimeout(resolve, REST_MS)
      wake = () => {
        stop()
        resolve()
      }
    })
    slices += 1
    return !closed
  }

  return {
    /** Compares the folder soon, once for all requests until then. */
    request(): void {
      requested = true
      if (!closed && !running) schedule(DELAY_MS)
    },
    /** Resolves when no comparison runs any more. */
    async close(): Promise<void> {
      closed = true
      cancel?.()
      wake()
      await running
    }
  }
}

/**
 * `rest`: pauses; false = stop. What a stopped comparison found is recorded, but the folder does not count as compared.
 */
async function compareFolder(
  context: ComparisonContext,
  startedAt: number,
  rest: () => Promise<boolean>,
  { onAttributed }: Pick<ComparisonOptions, 'onAttributed'>
): Promise<void> {
  const { root, store, rules, boundaries, disk, lock } = context
  const late: LateChanges = { since: disk.wholeSince, onAttributed }
  const scan = createScan({
    root,
    records: store.records,
    rules,
    boundaries,
    named: new Set(),
    deep: false,
    now: context.now
  })
  const found: string[] = []
  const edits: Reconciled['edits'][number][] = []
  let complete = true
  const record = async (): Promise<void> => {
    const paths = found.splice(0)
    if (paths.length === 0) return
    const done = await lock.run(() => recordFound(context, paths, late))
    complete &&= done !== null && !done.skipped && done.unstable.length === 0
    for (const edit of done?.edits ?? []) edits.push(edit)
  }

  // Without events, or with lost ones, the next check scans the folder anyway.
  if (!disk.isLive() || !isFolderPresent(context)) return
  let sliceEnd = performance.now() + SLICE_MS
  for (const finding of walkTree(scan, '')) {
    if (finding) found.push(finding.path)
    if (found.length >= BATCH) await record()
    if (performance.now() < sliceEnd) continue
    if (!(await rest()) || !disk.isLive()) return record()
    sliceEnd = performance.now() + SLICE_MS
  }
  await record()
  if (!complete || !isFolderPresent(context)) return
  await lock.run(async () => {
    recordListings(store, scan.notes, edits)
    recordUncoverable(context, scan.notes)
  })
  disk.recordCompared(
    startedAt,
    edits.map(({ path }) => path),
    scan.notes.compared
  )
}

/** Null while nothing can be recorded. Call inside the workspace's lock. */
async function recordFound(context: ComparisonContext, paths: readonly string[], late: LateChanges) {
  if (context.space.measure().low) return null
  context.recordLateResults()
  const done = await recordChanges(context, { paths, trees: [] }, ORDINARY_EDITS, { late })
  const edits = [...new Set(done.edits.map((edit) => edit.path))]
  if (edits.length > 0) context.notifyChanged(['edits', 'drift', 'runs'], edits.slice(0, 200))
  return done
}
