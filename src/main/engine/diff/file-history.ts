/** The history of one file: every version with its author, its change and whether it is in force. */
import type { PathVersion } from '../../../contract/log.ts'
import { walkChain } from '../log/chain.ts'
import { findDriftRow } from '../store/drifts.ts'
import type { EditRow } from '../store/edits.ts'
import type { Store } from '../store/open-store.ts'
import type { Head, PathId } from '../store/paths.ts'
import { findRestore } from '../store/restores.ts'
import { recordedHead } from '../store/targets.ts'
import { testsBetween } from '../store/test-results.ts'
import type { StoredVersion } from '../store/versions.ts'
import { findWritingTurn } from '../store/writers.ts'
import { describeChanges } from './describe-changes.ts'
import { contentBefore } from './provenance.ts'

/** Time limit for counting lines per call, ms. Counts are cached, so the next call continues. */
const COUNTING_MS = 120
/** Test results that a version has. */
const MAX_TESTS = 20

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
      counted,
      // Until the next version of the file.
      tests: testsBetween(store, edit.seq, edits[index - 1]?.seq ?? Number.MAX_SAFE_INTEGER, MAX_TESTS)
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
    counted: true,
    tests: testsBetween(store, 0, edits.at(-1)?.seq ?? Number.MAX_SAFE_INTEGER, MAX_TESTS)
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
