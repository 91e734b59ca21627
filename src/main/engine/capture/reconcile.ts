/**
 * Brings the log up to the disk: scans, reads what may have changed, appends edits in bounded transactions, and records
 * which folders were listed completely. The caller holds the workspace's lock.
 */
import { createPatience, eachWhenFree, isInUse } from '../files/in-use.ts'
import { parentOf } from '../files/paths.ts'
import { openParents, type Parents } from '../files/pinned-folder.ts'
import { CLOCK_SLACK_MS } from '../files/racy-times.ts'
import { withoutListing } from '../files/signature.ts'
import { createWorkspaceFs, type Images } from '../files/workspace-fs.ts'
import type { ScanObserver } from '../ports/scan-observer.ts'
import { createTimeSlicer } from '../ports/time-slicer.ts'
import { bumpRev } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { transact, type Writable } from '../store/sql.ts'
import { type AppendedEdit, type AuthorOf, append, changedAt, isSettled } from './append.ts'
import { createScan, type Finding, type FindingSteps, headVersion, type ScanNotes } from './findings.ts'
import type { CoverRules } from './ignore-rules.ts'
import { folderVersion, type Observation, observe, observeUnstable } from './observe.ts'
import { findReadThread } from './read-thread.ts'
import { scanPaths, scanTree } from './scan.ts'
import { openStatService, type StatThreads } from './stat-service.ts'
import { walkTree } from './tree-walk.ts'

/** What recording one folder needs to know. */
export interface RecordingContext extends StatThreads {
  readonly root: string
  readonly store: Store
  readonly rules: CoverRules
  readonly boundaries: ReadonlySet<string>
  /** ms UTC */
  now(): number
}

/** `paths` are compared by themselves, `trees` with everything below them. */
export type Scope = 'all' | { readonly paths: Iterable<string>; readonly trees: Iterable<string> }

export interface Reconciled {
  readonly edits: readonly Pick<AppendedEdit, 'seq' | 'path' | 'change'>[]
  readonly notes: ScanNotes
  /** Paths that changed each time they were read. */
  readonly unstable: readonly string[]
  /**
   * Some paths were not recorded: they belong to an unfinished restore, changed after `notAfter`, or the whole folder
   * vanished meanwhile.
   */
  readonly skipped: boolean
}

export interface ReconcileOptions {
  /**
   * [RS-7] Paths of unfinished restores, which are not recorded. Called in each transaction, because any process may
   * have begun a restore since the paths were read.
   */
  readonly skip?: () => ReadonlySet<string>
  /** Of a scan of everything that begins the watch. */
  readonly observer?: ScanObserver | null | undefined
  /** Trust no stat: read every path of the scope. */
  readonly deep?: boolean
  /** [CP-1] Paths a tool names: recorded even where everything else is ignored. */
  readonly named?: ReadonlySet<string>
  /** Paths as they were at an earlier time, in place of the disk. */
  readonly images?: Images | undefined
  /** Changes after this time, ms UTC, are left to the next scan. */
  readonly notAfter?: number | undefined
  /**
   * Called before a path is recorded as absent; false drops all observations, because the whole folder vanished
   * meanwhile.
   */
  readonly isFolderPresent?: () => boolean
  /** Called in each transaction that appended edits, after them. `at`: when they were recorded, ms UTC. */
  readonly onAppended?: (tx: Writable<Store>, edits: readonly AppendedEdit[], at: number) => void
}

/** A transaction is written when this much is gathered. */
const BATCH_BYTES = 16 * 1024 * 1024
const BATCH_PATHS = 2000
/** How long the thread is kept before other work gets a turn. */
const SLICE_MS = 12
/** How long files in use are waited for, ms. */
const IN_USE_MS = 1000
/** How often a path that changes while it is recorded is read. */
const ROUNDS = 3

interface ReadOptions {
  /** What is in use is recorded as it is. */
  readonly isLast?: boolean
  readonly parents?: Parents
}

/**
 * Compares `scope` with the log and appends what differs. `author` is called inside each transaction, so it sees the
 * runs that are open at that moment.
 */
export async function reconcile(
  context: RecordingContext,
  scope: Scope,
  author: (tx: Writable<Store>) => AuthorOf,
  options: ReconcileOptions = {}
): Promise<Reconciled> {
  const { store, root, rules, boundaries } = context
  const { named = new Set(), deep = false, images } = options
  // What is taken from images proves nothing about the disk now (DR-2).
  const now = images ? () => 0 : context.now
  const scanOptions = { root, records: store.records, rules, boundaries, named, deep, images, now }
  const helper = context.fileHelper === undefined ? null : findReadThread(context.fileHelper)
  const mayShare = scope === 'all' && !deep && !images
  using stats = mayShare ? openStatService(context, { root, paths: store.records.pathCount() }) : null
  const scan = createScan({ ...scanOptions, observer: options.observer, stats })
  const batch = createBatch(context, author, options)
  const pause = createTimeSlicer(SLICE_MS)
  const patience = createPatience(IN_USE_MS)

  /** Reads what the steps find. [CP-8] What is in use is read again at the end, unless it is recorded as unreadable. */
  const read = async (steps: FindingSteps): Promise<void> => {
    // A new one each time, because it remembers which folders are real.
    const fs = createWorkspaceFs(root, images)
    const inUse: Finding[] = []
    const isUnreadable = (path: string): boolean =>
      headVersion(scan, store.records.head(path))?.notStored === 'unreadable'
    const readFinding = (finding: Finding, { isLast = false, parents }: ReadOptions = {}): void => {
      const observation = observe(fs, store.content, finding.path, { ...finding, readAt: now(), helper }, parents)
      if (!finding.differs && isSettled(store, observation)) {
        observation.large?.abandon()
        return
      }
      if (observation.inUse && !isLast && !isUnreadable(finding.path)) throw observation.inUse
      batch.add(observation)
    }
    // Open as long as the thread is held.
    let parents: Parents | null = null
    try {
      for (const finding of steps) {
        try {
          parents ??= openParents(fs)
          if (finding) readFinding(finding, { parents })
        } catch (error) {
          if (!finding || !isInUse(error)) throw error
          inUse.push(finding)
        }
        const paused = pause()
        if (!paused) continue
        parents?.[Symbol.dispose]()
        parents = null
        await paused
      }
    } finally {
      parents?.[Symbol.dispose]()
    }
    await eachWhenFree(
      patience,
      inUse,
      (finding) => readFinding(finding),
      (finding, error) => {
        if (!isInUse(error)) throw error
        readFinding(finding, { isLast: true })
      }
    )
  }

  if (scope === 'all') await read(walkTree(scan, ''))
  else {
    await read(scanPaths(scan, scope.paths))
    for (const tree of scope.trees) await read(scanTree(scan, tree))
  }
  batch.flush()
  // [LG-6] What changed between reading and recording is read again.
  let stale = batch.takeStale()
  for (let round = 1; stale.length > 0 && round < ROUNDS; round++) {
    await read(scanPaths(createScan(scanOptions), stale))
    batch.flush()
    stale = batch.takeStale()
  }
  // [CP-2] [CP-3] Still changing: recorded as such, so that no position silently holds an older version.
  const unstable = stale
  const lastFs = createWorkspaceFs(root)
  for (const path of unstable) {
    const observation = observeUnstable(lastFs, path)
    if (observation) batch.add(observation)
  }
  batch.flush()
  // A name that is left to the next scan must not look recorded.
  const isPartial = options.notAfter !== undefined && batch.skipped()
  if (batch.takeStale().length === 0 && !batch.folderVanished() && !isPartial)
    recordListings(store, scan.notes, batch.edits)
  const vanished = batch.folderVanished() || options.isFolderPresent?.() === false
  return { edits: batch.edits, notes: scan.notes, unstable, skipped: batch.skipped() || vanished }
}

function changedAfter(root: string, time: number): (observation: Observation) => boolean {
  const fs = createWorkspaceFs(root)
  return (observation) => (changedAt(fs, observation) ?? 0) > time + CLOCK_SLACK_MS
}

/** Gathers observations and appends them in transactions of bounded size. */
function createBatch(
  context: RecordingContext,
  author: (tx: Writable<Store>) => AuthorOf,
  { skip, notAfter, isFolderPresent, onAppended }: ReconcileOptions
) {
  const { store, root } = context
  const edits: Reconciled['edits'][number][] = []
  const gathered: Observation[] = []
  const stale: string[] = []
  let bytes = 0
  let folderVanished = false
  let skipped = false

  const recordable = (): Observation[] => {
    const excluded = skip?.()
    const isLater = notAfter === undefined ? () => false : changedAfter(root, notAfter)
    const kept = gathered.filter((observation) => !excluded?.has(observation.path) && !isLater(observation))
    if (kept.length < gathered.length) skipped = true
    return kept
  }
  /** Appends what was gathered in one transaction. */
  const flush = (): void => {
    if (gathered.length === 0) return
    if (gathered.some((observation) => observation.version.kind === 'absent') && isFolderPresent?.() === false)
      folderVanished = true
    // From then on no observation can be trusted.
    if (folderVanished) gathered.length = 0
    const appended = transact(store, (tx) => {
      const at = context.now()
      const authorOf = once(() => author(tx))
      const appended = append(tx, root, recordable(), { author: authorOf, at })
      if (appended.edits.length > 0) {
        onAppended?.(tx, appended.edits, at)
        bumpRev(tx)
      }
      return appended
    })
    edits.push(...appended.edits)
    stale.push(...appended.stale)
    gathered.length = 0
    bytes = 0
  }

  return {
    edits,
    /** Adds an observation; flushes a full batch, and a large file at once. */
    add: (observation: Observation): void => {
      gathered.push(observation)
      bytes += observation.bytes?.length ?? 0
      if (observation.large || bytes >= BATCH_BYTES || gathered.length >= BATCH_PATHS) flush()
    },
    flush,
    /** Paths that changed between reading and recording, since the last call. */
    takeStale: (): string[] => stale.splice(0),
    folderVanished: () => folderVanished,
    skipped: () => skipped
  }
}

/**
 * [LG-5] Marks folders whose every name is recorded now: the next scan need not list them, and a new name in them was
 * absent before. Only after all edits of the scan are written, so that a process that dies leaves no folder marked too
 * early. `edits`: those of the scan. A folder in which one of them says that a name is absent is listed once more.
 */
export function recordListings(store: Store, notes: ScanNotes, edits: Reconciled['edits']): void {
  if (notes.listed.length === 0) return
  const unlisted = new Set(edits.flatMap(({ path, change }) => (change === 'deleted' ? [parentOf(path)] : [])))
  transact(store, ({ records }) => {
    for (const { path, signature: listed, statAt } of notes.listed) {
      const signature = unlisted.has(path) ? withoutListing(listed) : listed
      const head = records.head(path)
      if (!head) continue
      // The root has a row from the start, but no version before its first listing.
      if (path === '' && head.version === null) {
        const version = records.addVersion(folderVersion(signature.mode), null)
        records.setHead(head.id, version, 0, signature, statAt)
      }
      if (head.signature && head.signature.kind !== 'dir') continue
      records.setSignature(head.id, { ...signature, mode: head.signature?.mode ?? signature.mode }, statAt)
      records.setCovered(head.id, true)
    }
  })
}

/** Calls `author` when the first edit of a transaction is appended, and keeps its answer for the others. */
function once(author: () => AuthorOf): AuthorOf {
  let resolved: AuthorOf | null = null
  return (change) => {
    resolved ??= author()
    return resolved(change)
  }
}
