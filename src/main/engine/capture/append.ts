/** Appends what was observed to the log: the one place where Edits are made. Call inside a write transaction. */
import type { Attribution, FileVersion } from '../../../contract/log.ts'
import { prepareCached } from '../db/transaction.ts'
import { isRacy, lstatSignature, type Signature, sameSignature, withoutListing } from '../files/signature.ts'
import { createWorkspaceFs, foldersAbove, parentOf } from '../files/workspace-fs.ts'
import { sameVersion } from '../log/same-version.ts'
import type { Head } from '../store/heads.ts'
import { ROOT_ID, type Store } from '../store/open-store.ts'
import type { StoredVersion } from '../store/versions.ts'
import type { Observation } from './observe.ts'
import { withRecordedMode } from './recorded-mode.ts'

/** Who made the changes: nobody of ours (`drift` collects them) or one or more open calls. */
export interface Author {
  readonly origin: 'agent' | 'outside'
  readonly attribution: Attribution
  readonly by: readonly { readonly run: string; readonly turn: string; readonly call?: string | null }[]
  readonly drift: string | null
}

/** Who made one change. `changedAt` gives the ms at which the system says it happened (a deletion: its folder's), null when unknown. */
export type AuthorOf = (path: string, changedAt: () => number | null) => Author

export interface Appended {
  readonly edits: readonly { readonly seq: number; readonly path: string }[]
  /** [LG-6] Changed again since they were observed: observe them once more. */
  readonly stale: readonly string[]
}

/**
 * Compares each observation with the head and appends an Edit where they differ; equal ones refresh the signature.
 * `author` is asked only when there is an Edit to append.
 * A path never seen has `before` absent only where its folder was covered completely, else unknown (LG-5). `seen`: ms of
 * the observation's start, which decides what is racy (DR-2).
 */
export function append(
  store: Store,
  root: string,
  observations: readonly Observation[],
  author: AuthorOf,
  seen: number,
  at: number
): Appended {
  const { records, content, db } = store
  const fs = createWorkspaceFs(root)
  const edits: { seq: number; path: string }[] = []
  const stale: string[] = []
  const byCall = prepareCached(db, 'INSERT INTO edit_call(edit, run, turn, call) VALUES (?, ?, ?, ?)')
  // A call may have ended before what it did is seen.
  const reachesTo = prepareCached(db, 'UPDATE tool_call SET end_seq = ? WHERE id = ? AND end_seq < ?')

  const stillThere = (observation: Observation): boolean => {
    // Nothing to compare for what could not be looked at, or is recorded as never being still.
    if (observation.version.notStored === 'unreadable' || observation.version.notStored === 'changing') return true
    const now = fs.stat(observation.path)
    if (!observation.signature || !now) return observation.signature === now
    return observation.signature.kind === 'dir'
      ? sameFolder(observation.signature, now)
      : sameSignature(observation.signature, now)
  }

  const parentRow = (path: string): Head => {
    for (const folder of foldersAbove(path)) {
      if (records.head(folder)) continue
      const there = fs.stat(folder)
      const mode = there?.kind === 'dir' ? there.mode : 0o755
      const id = records.addPath(folder, parentId(folder))
      // Discovered, not changed: it was there in a place that was not covered, so no Edit says that it appeared.
      records.setHead(id, records.addVersion(folderVersion(mode), null), 0, there ? withoutListing(there) : null, seen)
    }
    return (records.head(parentOf(path)) ?? records.headById(ROOT_ID)) as Head
  }
  const parentId = (path: string): number =>
    parentOf(path) === '' ? ROOT_ID : (records.head(parentOf(path)) as Head).id

  const versionId = (observation: Observation, previous: number | null): number => {
    if (observation.version.kind === 'absent') return records.absent
    const stored = observation.bytes
      ? content.put(observation.bytes, Buffer.from(observation.version.hash as string, 'hex'), previous)
      : observation.content
    return records.addVersion(observation.version, stored)
  }

  /** What was let go of and is here again fills its content: that is no change. */
  const filled = (version: number, observation: Observation): StoredVersion => {
    const known = records.version(version)
    const { hash } = observation.version
    if (known.notStored !== 'pruned' || !observation.bytes || hash === null || known.hash !== hash) return known
    content.put(observation.bytes, Buffer.from(hash, 'hex'), null)
    return records.version(version)
  }

  const addEdit = (path: Head, observation: Observation, before: number, after: number): void => {
    const made = author(observation.path, () => changedAt(observation))
    const seq = records.addEdit({
      path: path.id,
      before,
      after,
      origin: made.origin,
      attribution: made.attribution,
      base: path.edit,
      at,
      restore: null,
      drift: made.drift
    })
    records.setHead(path.id, after, seq, taken(observation), seen)
    for (const { run, turn, call = null } of made.by) {
      byCall.run(seq, run, turn, call)
      if (call) reachesTo.run(seq, call, seq)
    }
    edits.push({ seq, path: observation.path })
  }

  /** [ST-2] Large content is stored before this transaction; a sweep may have come in between. */
  const isStored = (observation: Observation): boolean =>
    observation.content === null ||
    content.find(Buffer.from(observation.version.hash as string, 'hex')) === observation.content

  const changedAt = (observation: Observation): number | null => {
    if (observation.signature) return observation.signature.ctime
    for (let folder = parentOf(observation.path); ; folder = parentOf(folder)) {
      const there = folder === '' ? lstatSignature(root) : fs.stat(folder)
      if (there || folder === '') return there?.ctime ?? null
    }
  }

  for (const observed of [...observations].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    if (!stillThere(observed) || !isStored(observed)) {
      stale.push(observed.path)
      continue
    }
    const head = records.head(observed.path)
    const observation = asRecorded(store, head, observed)
    const isFolder = observation.version.kind === 'dir'
    const coverable = isFolder && observation.version.notStored === null
    if (!head) {
      if (observation.version.kind === 'absent') continue
      const parent = parentRow(observation.path)
      const id = records.addPath(observation.path, parent.id)
      const fresh = records.headById(id)
      const after = versionId(observation, null)
      if (parent.covered) {
        addEdit(fresh, observation, records.absent, after)
        // What did not exist a moment ago held nothing: everything in it is new.
        if (coverable) records.setCovered(id, true)
      } else if (isFolder) records.setHead(id, after, 0, taken(observation), seen)
      else addEdit(fresh, observation, records.unknown, after)
      continue
    }
    if (head.version === null) {
      records.setHead(head.id, versionId(observation, null), 0, taken(observation), seen)
      continue
    }
    const before = filled(head.version, observation)
    if (sameState(before, observation, head.signature)) {
      records.setSignature(
        head.id,
        isFolder && head.signature ? listingOf(head.signature, observation.signature) : observation.signature,
        isFolder ? head.statAt : seen
      )
      continue
    }
    // Kept while that was allowed, and by its stat still that: not reading it again is no change. Its row stays as doubtful as it was.
    if (isLimited(observation) && before.hash !== null && isSameStat(head.signature, observation.signature)) continue
    addEdit(head, observation, head.version, versionId(observation, before.content))
    if (coverable && before.kind !== 'dir')
      records.setCovered(head.id, before.kind === 'absent' || before.kind === 'file' || before.kind === 'symlink')
    else if (head.covered && !coverable) records.setCovered(head.id, false)
  }
  return { edits, stale }
}

/** It is what the log says, and its stat is trusted already (DR-2): there is nothing to write. */
export function isSettled(store: Store, observed: Observation): boolean {
  const head = store.records.head(observed.path)
  const observation = asRecorded(store, head, observed)
  if (!head?.signature || head.version === null || observation.signature?.kind !== 'file') return false
  return (
    sameSignature(head.signature, observation.signature) &&
    !isRacy(observation.signature, head.statAt) &&
    sameState(store.records.version(head.version), observation, head.signature)
  )
}

function asRecorded({ records }: Store, head: Head | null, observation: Observation): Observation {
  if (head?.version == null) return observation
  const version = withRecordedMode(
    observation.version,
    observation.signature,
    records.version(head.version),
    head.signature
  )
  return version === observation.version ? observation : { ...observation, version }
}

/** Not read because of what a person chose. */
function isLimited({ version }: Observation): boolean {
  return version.notStored === 'too-large' || version.notStored === 'never'
}

function isSameStat(known: Signature | null, now: Signature | null): boolean {
  return known !== null && now !== null && sameSignature(known, now)
}

/** Content that is not kept has no hash, so its stat has to tell whether it is another one. */
function sameState(before: FileVersion, observation: Observation, known: Signature | null): boolean {
  if (!sameVersion(before, observation.version)) return false
  if (before.notStored === null || before.kind !== 'file') return true
  return (
    known !== null &&
    observation.signature !== null &&
    known.mtime === observation.signature.mtime &&
    known.size === observation.signature.size
  )
}

function sameFolder(a: Signature, b: Signature): boolean {
  return a.kind === b.kind && a.ino === b.ino && a.mode === b.mode
}

function taken(observation: Observation): Signature | null {
  return observation.signature?.kind === 'dir' ? withoutListing(observation.signature) : observation.signature
}

/** A folder's times say which listing was seen (scan.ts); observing the folder itself must not claim a newer one. */
function listingOf(known: Signature, now: Signature | null): Signature | null {
  return now ? { ...known, kind: now.kind, mode: now.mode } : now
}

function folderVersion(mode: number): FileVersion {
  return { kind: 'dir', size: 0, mode, hash: null, target: null, notStored: null }
}
