/** Brings the log up to the disk: scan, read what moved, append in bounded transactions, note which folders were listed. */
import { bumpRev, write } from '../db/transaction.ts'
import { createWorkspaceFs } from '../files/workspace-fs.ts'
import { createTimeSlicer } from '../ports/time-slicer.ts'
import type { Store } from '../store/open-store.ts'
import { type AuthorOf, append, isSettled } from './append.ts'
import type { CoverRules } from './cover-rules.ts'
import { type Observation, observe, observeUnstable } from './observe.ts'
import { createScanner, type Finding, type ScanNotes } from './scan.ts'

/** What recording one folder needs to know. */
export interface RecordingContext {
  readonly root: string
  readonly store: Store
  readonly rules: CoverRules
  readonly boundaries: ReadonlySet<string>
  /** ms UTC */
  now(): number
}

export type Scope = 'all' | { readonly paths: Iterable<string>; readonly trees: Iterable<string> }

export interface Reconciled {
  readonly edits: readonly { readonly seq: number; readonly path: string }[]
  readonly notes: ScanNotes
  /** Paths that kept changing while they were read. */
  readonly unstable: readonly string[]
  /** Some were of an unfinished restore and were left alone. */
  readonly skipped: boolean
}

export interface ReconcileOptions {
  /** [RS-7] Paths of unfinished restores, which nobody records. Asked in each transaction: one may have begun, in any process, since they were looked at. */
  readonly skip?: () => ReadonlySet<string>
  readonly deep?: boolean
  readonly named?: ReadonlySet<string>
  /** Asked before anything is recorded as gone: false drops what was seen, because the whole folder went away meanwhile. */
  readonly isFolderPresent?: () => boolean
  /** What goes with the Edits: called in each transaction that appended some, after them. */
  readonly onAppended?: () => void
}

/** Bytes gathered before a transaction is made, and how long the thread is kept before others get a turn. */
const BATCH_BYTES = 16 * 1024 * 1024
const BATCH_PATHS = 2000
const SLICE_MS = 12
const ROUNDS = 3

/**
 * Compares `scope` with the log and appends what differs, made by whoever `author` says (asked inside the transaction,
 * so it sees the runs open at that moment). The caller holds the workspace's lock.
 */
export async function reconcile(
  context: RecordingContext,
  scope: Scope,
  author: () => AuthorOf,
  options: ReconcileOptions = {}
): Promise<Reconciled> {
  const { store, root } = context
  const scanner = createScanner({
    root,
    records: store.records,
    rules: context.rules,
    boundaries: context.boundaries,
    deep: options.deep ?? false,
    ...(options.named ? { named: options.named } : {})
  })
  const edits: { seq: number; path: string }[] = []
  let stale: string[] = []
  const startedAt = context.now()
  const pause = createTimeSlicer(SLICE_MS)

  const batch: Observation[] = []
  let bytes = 0
  let left = false
  let skipped = false
  const recordable = (): Observation[] => {
    const skip = options.skip?.()
    const kept = batch.filter((observation) => !skip?.has(observation.path))
    if (kept.length < batch.length) skipped = true
    return kept
  }
  const flush = (): void => {
    if (batch.length === 0) return
    if (batch.some((observation) => observation.version.kind === 'absent') && options.isFolderPresent?.() === false) left = true
    // From then on nothing that was seen can be trusted.
    if (left) batch.length = 0
    const done = write(store.db, () => {
      const done = append(store, root, recordable(), once(author), startedAt, context.now())
      if (done.edits.length > 0) {
        options.onAppended?.()
        bumpRev(store.db)
      }
      return done
    })
    edits.push(...done.edits)
    stale.push(...done.stale)
    batch.length = 0
    bytes = 0
  }
  let fs = createWorkspaceFs(root)
  const take = (found: Finding): void => {
    const observation = observe(fs, store.content, found.path, found)
    if (isSettled(store, observation)) return
    batch.push(observation)
    bytes += observation.bytes?.length ?? 0
    if (bytes >= BATCH_BYTES || batch.length >= BATCH_PATHS) flush()
  }
  const drain = async (findings: Generator<Finding | null>): Promise<void> => {
    for (const found of findings) {
      if (found) take(found)
      const wait = pause()
      if (wait) await wait
    }
  }

  if (scope === 'all') await drain(scanner.tree(''))
  else {
    await drain(scanner.paths(scope.paths))
    for (const tree of scope.trees) {
      await drain(scanner.paths([tree]))
      await drain(scanner.tree(tree))
    }
  }
  flush()
  for (let round = 1; stale.length > 0 && round < ROUNDS; round++) {
    const again = stale
    stale = []
    fs = createWorkspaceFs(root)
    await drain(
      createScanner({
        root,
        records: store.records,
        rules: context.rules,
        boundaries: context.boundaries,
        ...(options.named ? { named: options.named } : {})
      }).paths(again)
    )
    flush()
  }
  // [CP-2] [CP-3] It never held still: that is what is recorded, so that no position silently holds something older.
  fs = createWorkspaceFs(root)
  for (const path of stale) {
    const one = observeUnstable(fs, path)
    if (one) batch.push(one)
  }
  const unstable = stale
  stale = []
  flush()
  if (stale.length === 0 && !left) noteListings(store, scanner.notes, startedAt)
  return { edits, notes: scanner.notes, unstable, skipped }
}

/** Folders whose every name is recorded now: the next scan need not read them again, and what is new in them was absent before (LG-5). */
function noteListings(store: Store, notes: ScanNotes, seen: number): void {
  if (notes.listed.length === 0) return
  const { records } = store
  write(store.db, () => {
    for (const { path, signature } of notes.listed) {
      const head = records.head(path)
      if (!head) continue
      if (path === '' && head.version === null) {
        records.setHead(
          head.id,
          records.addVersion(
            { kind: 'dir', size: 0, mode: signature.mode, hash: null, target: null, notStored: null },
            null
          ),
          0,
          signature,
          seen
        )
      }
      const kind = head.signature?.kind ?? 'dir'
      if (kind !== 'dir') continue
      records.setSignature(head.id, { ...signature, mode: head.signature?.mode ?? signature.mode }, seen)
      records.setCovered(head.id, true)
    }
  })
}

/** Asks who is at work when the first change of a transaction is appended, then keeps to the answer. */
function once(author: () => AuthorOf): AuthorOf {
  let made: AuthorOf | null = null
  return (path, changedAt) => {
    made ??= author()
    return made(path, changedAt)
  }
}
