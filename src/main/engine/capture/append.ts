/**
 * Appends observations to the log: the only place where edits of files come into being. Keeps `path` rows in step with
 * the edits.
 */
import type { Attribution, FileVersion } from '../../../contract/log.ts'
import { foldersAbove, parentOf } from '../files/paths.ts'
import { changeTime, isRacy } from '../files/racy-times.ts'
import { lstatSignature, type Signature, sameSignature, withoutListing } from '../files/signature.ts'
import { createWorkspaceFs, type WorkspaceFs } from '../files/workspace-fs.ts'
import { sameVersion } from '../log/same-version.ts'
import { insertEditCall } from '../store/edit-calls.ts'
import { ROOT_ID, type Store } from '../store/open-store.ts'
import type { Head, PathId } from '../store/paths.ts'
import type { Writable } from '../store/sql.ts'
import { extendCall } from '../store/tool-calls.ts'
import type { StoredVersion, VersionId } from '../store/versions.ts'
import { folderVersion, type Observation, withRecordedMode } from './observe.ts'

/** Who made an edit: one or more open tool calls or turns, or nobody (`drift` then collects it). */
export interface Author {
  readonly origin: 'agent' | 'outside'
  readonly attribution: Attribution
  readonly by: readonly { readonly run: string; readonly turn: string; readonly call?: string | null }[]
  readonly drift: string | null
}

/** A difference between the log and the disk. */
interface FoundChange {
  readonly path: string
  /** It is the file that was recorded there, so that `changedAt` is the time of the change itself. */
  readonly inPlace: boolean
  /**
   * When the system says the path changed, ms UTC (for a deletion: its folder), null when unknown; it costs a stat, so it
   * is a function.
   */
  changedAt(): number | null
}

/** Resolves the author of one edit. */
export type AuthorOf = (change: FoundChange) => Author

export interface AppendedEdit {
  readonly seq: number
  readonly path: string
  /** A file that was absent before, or is absent now. */
  readonly change: 'created' | 'deleted' | 'other'
  /** Inode numbers of the path; null where it was or is absent. */
  readonly inoBefore: number | null
  readonly inoAfter: number | null
}

interface Appended {
  readonly edits: readonly AppendedEdit[]
  /** [LG-6] Paths that changed again since they were observed: observe them once more. */
  readonly stale: readonly string[]
}

interface AppendContext {
  readonly tx: Writable<Store>
  readonly fs: WorkspaceFs
  /** Called only for an edit. */
  readonly author: AuthorOf
  /** The time of the edits, ms. */
  readonly at: number
  readonly edits: AppendedEdit[]
  /** Folders that count as not listed since a name in them was recorded as absent. */
  readonly unlisted: Set<PathId>
}

/** Compares each observation with the head and appends an edit where they differ; an equal one refreshes the stat. */
export function append(
  tx: Writable<Store>,
  root: string,
  observations: readonly Observation[],
  { author, at }: Pick<AppendContext, 'author' | 'at'>
): Appended {
  const context: AppendContext = { tx, fs: createWorkspaceFs(root), author, at, edits: [], unlisted: new Set() }
  const stale: string[] = []
  // Sorted, so that a folder has its row before what is in it.
  for (const observed of [...observations].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    if (observed.past || isStillOnDisk(context.fs, observed)) {
      const head = tx.records.head(observed.path)
      if (head) appendKnown(context, head, observed)
      else if (observed.version.kind !== 'absent') appendNew(context, ensureParent(context, observed.path), observed)
    } else stale.push(observed.path)
    observed.large?.abandon()
  }
  return { edits: context.edits, stale }
}

/** A path without a row, in the folder `parent`. */
function appendNew(context: AppendContext, parent: Head, observation: Observation): void {
  const { tx } = context
  const { records } = tx
  const id = records.addPath(observation.path, parent.id)
  const after = addVersion(tx, observation, null)
  // [LG-5] It was absent before only if all names of its folder were recorded; else nobody knows.
  if (parent.covered) {
    addEdit(context, records.headById(id), observation, records.absent, after)
    // A folder that did not exist a moment ago was empty: everything in it is new.
    if (isCoveredFolder(observation)) records.setCovered(id, true)
  } else if (observation.version.kind === 'dir')
    records.setHead(id, after, 0, signatureToRecord(observation), observation.statAt)
  else addEdit(context, records.headById(id), observation, records.unknown, after)
}

/** `content`: its id, if a worker packed it. */
export type FirstVersion = Omit<Observation, 'path'> & { readonly content?: number }

/** The first version of a row that the initial snapshot added: the path did not change, so it gets no edit. */
export function setFirstVersion(tx: Writable<Store>, id: PathId, first: FirstVersion): void {
  tx.records.setHead(id, addVersion(tx, first, null), 0, signatureToRecord(first), first.statAt)
}

function appendKnown(context: AppendContext, head: Head, observed: Observation): void {
  const { tx } = context
  const { records } = tx
  if (head.version === null) {
    setFirstVersion(tx, head.id, observed)
    return
  }
  const isFolder = observed.version.kind === 'dir'
  const recorded = records.version(head.version)
  const observation = asRecorded(recorded, head, observed)
  const before = refillLost(tx, recorded, observation)
  if (isSameVersion(before, observation, head.signature)) {
    const signature =
      isFolder && head.signature ? keepListing(head.signature, observation.signature) : observation.signature
    records.setSignature(head.id, signature, isFolder ? head.statAt : observation.statAt)
    return
  }
  // Stored before a setting excluded it or it became unreadable, and its stat is the same or unknown: not reading it is
  // no change. The row keeps its `statAt`.
  if (isNotRead(observation) && before.hash !== null && isSameStat(head.signature, observation.signature)) return
  addEdit(context, head, observation, head.version, addVersion(tx, observation, before.content))
  if (isCoveredFolder(observation) && before.kind !== 'dir')
    records.setCovered(head.id, before.kind === 'absent' || before.kind === 'file' || before.kind === 'symlink')
  else if (head.covered && !isCoveredFolder(observation)) records.setCovered(head.id, false)
}

function addEdit(
  context: AppendContext,
  path: Head,
  observation: Observation,
  before: VersionId,
  after: VersionId
): void {
  const { tx, at, edits } = context
  const { records } = tx
  const { origin, attribution, by, drift } = context.author({
    path: observation.path,
    inPlace: isSameFile(path.signature, observation.signature),
    changedAt: () => changedAt(context.fs, observation)
  })
  const seq = records.addEdit({
    path: path.id,
    before,
    after,
    origin,
    attribution,
    base: path.edit,
    at,
    restore: null,
    drift
  })
  records.setHead(path.id, after, seq, signatureToRecord(observation), observation.statAt)
  for (const { run, turn, call = null } of by) {
    insertEditCall(tx, seq, { run, turn, call })
    // A call may end before its edits are recorded: its range has to include them.
    if (call) extendCall(tx, call, seq)
  }
  const { kind } = observation.version
  if (kind === 'absent' && path.id !== ROOT_ID) unlist(context, path.parent)
  const change = kind === 'absent' ? 'deleted' : kind === 'file' && before === records.absent ? 'created' : 'other'
  const inoBefore = path.signature?.ino ?? null
  edits.push({ seq, path: observation.path, change, inoBefore, inoAfter: observation.signature?.ino ?? null })
}

/**
 * A folder without one of its names is listed by the next scan, whatever its times say: where a folder above was moved
 * away and back meanwhile, the file is still in it and no time tells.
 */
function unlist({ tx: { records }, unlisted }: AppendContext, id: PathId): void {
  if (unlisted.has(id)) return
  unlisted.add(id)
  const folder = records.headById(id)
  if (folder.signature?.kind === 'dir') records.setSignature(id, withoutListing(folder.signature), folder.statAt)
}

/** The row of the parent folder. */
function ensureParent(context: AppendContext, path: string): Head {
  const { records } = context.tx
  let parent = records.headById(ROOT_ID)
  for (const folder of foldersAbove(path)) {
    const head = records.head(folder)
    parent = head && isRecordedFolder(context.tx, head) ? head : recordFolder(context, parent, folder, head)
  }
  return parent
}

/**
 * A folder that has no row, or one of something else: it was made after it was compared, and is recorded now, so that
 * [LG-5] what is in it is new, too. Where not all names are known, it was discovered, not changed, and gets a row
 * without an edit.
 */
function recordFolder(context: AppendContext, parent: Head, path: string, head: Head | null): Head {
  const { tx, fs, at } = context
  const { records } = tx
  const stat = fs.stat(path)
  const version = folderVersion(stat?.kind === 'dir' ? stat.mode : 0o755)
  const observed = { path, version, signature: stat, statAt: at, bytes: null, large: null }
  if (head && stat?.kind === 'dir') appendKnown(context, head, observed)
  else if (parent.covered && stat?.kind === 'dir') appendNew(context, parent, observed)
  else if (!head) {
    const id = records.addPath(path, parent.id)
    records.setHead(id, records.addVersion(version, null), 0, signatureToRecord(observed), at)
  }
  return records.head(path) as Head
}

/** Whether a row is that of a folder, or waits for its first version. */
function isRecordedFolder({ records }: Store, { covered, version }: Head): boolean {
  return covered || version === null || records.version(version).kind === 'dir'
}

function addVersion(tx: Writable<Store>, observation: FirstVersion, previous: number | null): VersionId {
  if (observation.version.kind === 'absent') return tx.records.absent
  return tx.records.addVersion(observation.version, observation.content ?? storeContent(tx, observation, previous))
}

/** Null if there are no bytes to be stored. `previous`: content they probably resemble. */
export function storeContent(
  tx: Writable<Store>,
  { bytes, large, version }: FirstVersion,
  previous: number | null
): number | null {
  if (version.hash === null) return null
  const hash = Buffer.from(version.hash, 'hex')
  return bytes ? tx.content.put(bytes, hash, previous) : (large?.store(tx, hash) ?? null)
}

/**
 * The recorded version. If its content was evicted or is damaged and the same bytes are on disk, stores them again:
 * that is no change.
 */
function refillLost(tx: Writable<Store>, recorded: StoredVersion, observation: Observation): StoredVersion {
  const { hash } = observation.version
  const isLost = recorded.notStored === 'pruned' || recorded.notStored === 'damaged'
  if (!isLost || hash === null || recorded.hash !== hash) return recorded
  storeContent(tx, observation, null)
  return tx.records.version(recorded.id)
}

function isStillOnDisk(fs: WorkspaceFs, { path, signature, version }: Observation): boolean {
  // Nothing to compare: unreadable, or recorded as changing all the time.
  if (version.notStored === 'unreadable' || version.notStored === 'changing') return true
  const now = fs.stat(path)
  if (!signature || !now) return signature === now
  return signature.kind === 'dir' ? isSameFolder(signature, now) : sameSignature(signature, now)
}

/** Change time of the path, or of the nearest folder above it that exists; ms UTC. */
export function changedAt(fs: WorkspaceFs, observation: Observation): number | null {
  if (observation.signature) return changeTime(observation.signature)
  for (let folder = parentOf(observation.path); ; folder = parentOf(folder)) {
    const stat = folder === '' ? lstatSignature(fs.root) : fs.stat(folder)
    if (stat || folder === '') return stat && changeTime(stat)
  }
}

/** The observation is what the log says, and its stat is trusted already (DR-2): there is nothing to write. */
export function isSettled(store: Store, observed: Observation): boolean {
  const { signature } = observed
  if (signature?.kind !== 'file') return false
  const head = store.records.head(observed.path)
  if (!head?.signature || head.version === null || !sameSignature(head.signature, signature)) return false
  // The row of an unreadable file stays racy, so that each scan tries to read it.
  if (observed.version.notStored !== 'unreadable' && isRacy(signature, head.statAt)) return false
  const recorded = store.records.version(head.version)
  return isSameVersion(recorded, asRecorded(recorded, head, observed), head.signature)
}

/** `recorded`: the version of `head`. */
function asRecorded(recorded: FileVersion, head: Head, observation: Observation): Observation {
  const { version, signature } = observation
  const kept = withRecordedMode(version, signature, recorded, head.signature)
  return kept === version ? observation : { ...observation, version: kept }
}

/** Not read because of a person's capture settings, or because the system refuses it. */
function isNotRead({ version }: Observation): boolean {
  return ['too-large', 'never', 'unreadable'].includes(version.notStored ?? '')
}

function isCoveredFolder({ version }: Observation): boolean {
  return version.kind === 'dir' && version.notStored === null
}

/** `now`: null = it cannot be read either. */
function isSameStat(recorded: Signature | null, now: Signature | null): boolean {
  return now === null || (recorded !== null && sameSignature(recorded, now))
}

/** Content that is not stored has no hash, so its size and time decide. */
function isSameVersion(before: FileVersion, observation: Observation, recorded: Signature | null): boolean {
  if (!sameVersion(before, observation.version)) return false
  if (before.notStored === null || before.kind !== 'file') return true
  return (
    recorded !== null &&
    observation.signature !== null &&
    recorded.mtime === observation.signature.mtime &&
    recorded.size === observation.signature.size
  )
}

function isSameFile(before: Signature | null, now: Signature | null): boolean {
  return before?.kind === 'file' && now?.kind === 'file' && before.ino === now.ino
}

function isSameFolder(a: Signature, b: Signature): boolean {
  return a.kind === b.kind && a.ino === b.ino && a.mode === b.mode
}

/** A folder's times stand for its listing (tree-walk.ts), which is recorded later: until then they match none. */
function signatureToRecord({ signature }: FirstVersion): Signature | null {
  return signature?.kind === 'dir' ? withoutListing(signature) : signature
}

/** Observing a folder is no listing of it: the times of the recorded listing stay. */
function keepListing(recorded: Signature, now: Signature | null): Signature | null {
  return now ? { ...recorded, kind: now.kind, mode: now.mode } : now
}
