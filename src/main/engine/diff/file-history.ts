/**
 * The history of one file: every version with its author, its change and whether it is in force; and who wrote each
 * line.
 */
import { DriftlineError } from '../../../contract/errors.ts'
import type { BlameLine, PathVersion, Seq } from '../../../contract/log.ts'
import { walkChain } from '../log/chain.ts'
import { findDriftRow } from '../store/drifts.ts'
import type { EditRow } from '../store/edits.ts'
import type { Store } from '../store/open-store.ts'
import type { Head, PathId } from '../store/paths.ts'
import { findRestore } from '../store/restores.ts'
import { recordedHead } from '../store/targets.ts'
import type { StoredVersion } from '../store/versions.ts'
import { findWritingTurn } from '../store/writers.ts'
import { describeChanges } from './describe-changes.ts'
import { decodeAs, encodingOf } from './encoding.ts'
import { bytesOfKeys } from './lines.ts'
import { contentBefore, weaveHead } from './provenance.ts'

/** Time limit for counting lines per call, ms. Counts are cached, so the next call continues. */
const COUNTING_MS = 120

/**
 * Newest first; the last entry is the initial snapshot, made at `since` (ms). Throws UnknownTarget for a path that was
 * never recorded.
 */
export function versionsOf(store: Store, path: string, since: number): PathVersion[] {
  const { records } = store
  const head = recordedHead(store, path)
  const edits = editsOfFile(store, head.id)
  const nameOf = (edit: EditRow | undefined): string => (edit ? records.headById(edit.path).path : path)
  const changes = edits.map((edit) => ({
    path: nameOf(edit),
    before: records.version(contentBefore(store, edit)),
    after: records.version(edit.after),
    attribution: edit.attribution,
    interleaved: false
  }))
  const counts = describeChanges(store, changes, COUNTING_MS)
  const inForce = editsAndRestoresInForce(store, head)
  const versions = edits.map((edit, index): PathVersion => {
    const change = changes[index]!
    const { added, deleted, counted } = counts[index]!
    return {
      ...describeVersion(change.after),
      ...findAuthor(store, edit),
      path: change.path,
      ...(edit.movedFrom === null ? {} : { oldPath: nameOf(records.edit(edit.movedFrom)) }),
      seq: edit.seq,
      before: Math.min(edit.seq, edit.movedFrom ?? edit.seq) - 1,
      origin: edit.origin,
      at: edit.at,
      inForce: inForce.has(edit.seq),
      back: edit.origin === 'restore' && !edit.merge ? edit.base : null,
      change: edit.movedFrom === null ? changeOf(change.before, change.after) : 'renamed',
      added,
      deleted,
      counted
    }
  })
  const arrival = edits.at(-1)
  const first = arrival && arrival.movedFrom !== null ? records.edit(arrival.movedFrom) : arrival
  versions.push({
    ...describeVersion(records.version(first?.before ?? head.version)),
    ...NO_AUTHOR,
    path: nameOf(first),
    seq: 0,
    before: 0,
    origin: 'baseline',
    at: since,
    inForce: true,
    back: null,
    change: 'none',
    added: 0,
    deleted: 0,
    counted: true
  })
  return versions
}

type Author = Pick<PathVersion, 'run' | 'prompt' | 'agent' | 'turn' | 'entry' | 'title' | 'drift'>

const NO_AUTHOR: Author = { run: null, prompt: null, agent: null, turn: null, entry: null, title: '', drift: null }

function findAuthor(store: Store, edit: EditRow): Author {
  const writer = findWritingTurn(store, edit.seq)
  if (writer) return { ...NO_AUTHOR, ...writer, entry: writer.run }
  if (edit.restore !== null)
    return { ...NO_AUTHOR, entry: edit.restore, title: findRestore(store, edit.restore)?.title ?? '' }
  if (edit.drift === null) return NO_AUTHOR
  return { ...NO_AUTHOR, entry: edit.drift, drift: findDriftRow(store, edit.drift)?.state ?? null }
}

/** Seqs of all edits on the chain that no merge omitted; unlike `editsInForce` with those of restores. */
function editsAndRestoresInForce({ records }: Store, head: Head): ReadonlySet<number> {
  return new Set([...walkChain(head.edit, records)].filter(({ omitted }) => !omitted).map(({ edit }) => edit.seq))
}

/** [LG-7] The edits of a path and, before each rename, those of the path it was renamed from. Newest first. */
function editsOfFile(store: Store, path: PathId, upTo = Number.POSITIVE_INFINITY): EditRow[] {
  const { records } = store
  const own = records.editsOf(path).filter(({ seq }) => seq <= upTo)
  const older = own.flatMap(({ movedFrom }) => {
    if (movedFrom === null) return []
    const departure = records.edit(movedFrom)
    return editsOfFile(store, departure.path, departure.seq - 1)
  })
  const all = new Map([...own, ...older].map((edit) => [edit.seq, edit]))
  return [...all.values()].sort((a, b) => b.seq - a.seq)
}

function changeOf(before: StoredVersion, after: StoredVersion): PathVersion['change'] {
  if (before.kind === 'absent') return after.kind === 'absent' ? 'none' : 'added'
  return after.kind === 'absent' ? 'deleted' : 'modified'
}

function describeVersion(version: StoredVersion): Pick<PathVersion, 'kind' | 'size' | 'hash' | 'stored'> {
  return {
    kind: version.kind,
    size: version.size,
    hash: version.hash,
    stored: version.notStored === null && version.kind !== 'unknown'
  }
}

/** The lines of a larger file, each with its writer, are too many for one answer. */
const MOST_BLAMED_BYTES = 8 * 1024 * 1024

/**
 * Attributes each line of a path's newest recorded version to a run and prompt, to an outside edit, or to the initial
 * snapshot, from the same weave as merges. Throws UnknownTarget when it is no file, NotStored when its lines have no
 * complete history.
 */
export function blame(store: Store, path: string): BlameLine[] {
  const head = store.records.head(path)
  if (!head || head.version === null || store.records.version(head.version).kind !== 'file') {
    throw new DriftlineError('UnknownTarget', `${path} is not a recorded file.`, { path })
  }
  const isTooLarge = store.records.version(head.version).size > MOST_BLAMED_BYTES
  const woven = isTooLarge ? null : weaveHead(store, head)
  if (!woven)
    throw new DriftlineError(
      'NotStored',
      `Couldn't attribute the lines of ${path}: it is not text, is larger than 8 MB, or a version of it is not stored.`,
      { path }
    )
  const lines = woven.lines()
  const authors = new Map([...new Set(lines.map(({ seq }) => seq))].map((seq) => [seq, lineAuthor(store, path, seq)]))
  const bytesOf = (texts: readonly string[]): Buffer => bytesOfKeys(texts, woven.unit)
  // The encoding is a property of the whole file; a single line may fit several.
  const encoding = encodingOf(bytesOf(lines.map(({ text }) => text))) ?? 'utf8'
  return lines.map(({ text, seq }, i) => ({
    n: i + 1,
    seq,
    text: decodeAs(bytesOf([text]), encoding).replace(/\r?\n$/, ''),
    ...authors.get(seq)!
  }))
}

function lineAuthor(
  store: Store,
  path: string,
  seq: Seq
): Pick<BlameLine, 'run' | 'prompt' | 'origin' | 'at' | 'oldPath'> {
  if (seq === 0) return { run: null, prompt: null, origin: 'baseline', at: null }
  const writer = findWritingTurn(store, seq)
  const edit = store.records.edit(seq)
  const writtenAt = store.records.headById(edit.path).path
  return {
    run: writer?.run ?? null,
    prompt: writer?.prompt ?? null,
    origin: writer ? 'agent' : 'outside',
    at: edit.at,
    ...(writtenAt === path ? {} : { oldPath: writtenAt })
  }
}
