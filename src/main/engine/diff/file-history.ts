/** Every version of one file: who made it, what it changed, and whether it is in force. */
import { DriftlineError } from '../../../contract/errors.ts'
import type { PathVersion } from '../../../contract/log.ts'
import { prepared } from '../db/transaction.ts'
import type { EditRow } from '../store/edits.ts'
import type { Head } from '../store/heads.ts'
import type { Store } from '../store/open-store.ts'
import type { StoredVersion } from '../store/versions.ts'
import { describeChanges } from './counted.ts'

/** An answer does not wait longer for line counts; each pair of versions is counted once, so the next one goes on. */
const COUNTING_MS = 120

/** Newest first, the first copy (taken `since`, ms) last. Throws UnknownTarget for a path that was never recorded. */
export function versionsOf(store: Store, path: string, since: number): PathVersion[] {
  const { records } = store
  const head = records.head(path)
  if (!head || head.version === null)
    throw new DriftlineError('UnknownTarget', `${path} was never recorded here.`, { path })
  const edits = records.editsOf(head.id)
  const changes = edits.map((edit) => ({
    path,
    before: records.version(edit.before),
    after: records.version(edit.after),
    attribution: edit.attribution,
    interleaved: false
  }))
  const counts = describeChanges(store, changes, COUNTING_MS)
  const inForce = editsThatCount(store, head)
  const versions = edits.map((edit, index): PathVersion => {
    const change = changes[index]!
    const { added, deleted, counted } = counts[index]!
    return {
      ...shape(change.after),
      ...madeBy(store, edit),
      seq: edit.seq,
      origin: edit.origin,
      at: edit.at,
      inForce: inForce.has(edit.seq),
      back: edit.origin === 'restore' && !edit.merge ? edit.base : null,
      change: changeOf(change.before, change.after),
      added,
      deleted,
      counted
    }
  })
  const first = records.version(edits.at(-1)?.before ?? head.version)
  versions.push({
    ...shape(first),
    ...NOBODY,
    seq: 0,
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

type Maker = Pick<PathVersion, 'run' | 'prompt' | 'agent' | 'turn' | 'entry' | 'title' | 'drift'>

const NOBODY: Maker = { run: null, prompt: null, agent: null, turn: null, entry: null, title: '', drift: null }

function madeBy(store: Store, edit: EditRow): Maker {
  const { db } = store
  const writer = prepared(
    db,
    `SELECT c.run, t.prompt, r.agent,
       (SELECT iif(count(*) = 1, NULL, sum(o.n <= t.n)) FROM turn o WHERE o.run = t.run) AS turn
     FROM edit_call c JOIN turn t ON t.id = c.turn JOIN run r ON r.id = c.run WHERE c.edit = ? LIMIT 1`
  ).get(edit.seq) as { run: string; prompt: string; agent: string; turn: number | null } | undefined
  if (writer) return { ...NOBODY, ...writer, entry: writer.run }
  if (edit.restore !== null) {
    const title = prepared(db, 'SELECT title FROM restore WHERE id = ?').pluck().get(edit.restore) as string | undefined
    return { ...NOBODY, entry: edit.restore, title: title ?? '' }
  }
  if (edit.drift === null) return NOBODY
  const state = prepared(db, 'SELECT state FROM drift WHERE id = ?').pluck().get(edit.drift)
  return { ...NOBODY, entry: edit.drift, drift: (state as Maker['drift']) ?? null }
}

/** Edits, those of restores too, that the present state stands on. */
function editsThatCount({ records }: Store, head: Head): ReadonlySet<number> {
  const found = new Set<number>()
  const left = new Set<number>()
  for (let seq = head.edit; seq !== 0; ) {
    const edit = records.edit(seq)
    for (const out of edit.leaves) left.add(out)
    if (!left.has(seq)) found.add(seq)
    seq = edit.base
  }
  return found
}

function changeOf(before: StoredVersion, after: StoredVersion): PathVersion['change'] {
  if (before.kind === 'absent') return after.kind === 'absent' ? 'none' : 'added'
  return after.kind === 'absent' ? 'deleted' : 'modified'
}

function shape(version: StoredVersion): Pick<PathVersion, 'kind' | 'size' | 'hash' | 'stored'> {
  return {
    kind: version.kind,
    size: version.size,
    hash: version.hash,
    stored: version.notStored === null && version.kind !== 'unknown'
  }
}
