/** One file of what a run, a turn or an outside change did: its two ends, who else wrote in between, what is taken back. */
import type { Writer } from '../../../contract/diff.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import type { FileVersion } from '../../../contract/log.ts'
import { writerOf } from '../log/writer.ts'
import { textWithoutRun } from '../restore/provenance.ts'
import { takenBack } from '../restore/taken-back.ts'
import { editsOfRun } from '../sessions/runs.ts'
import type { EditRow } from '../store/edits.ts'
import { ABSENT } from '../store/fixed-versions.ts'
import type { Head } from '../store/heads.ts'
import type { Store } from '../store/open-store.ts'
import { resolveTarget } from '../store/targets.ts'
import { changesOfPath } from './changes.ts'
import { madeVersion, ownChange } from './own-change.ts'

export interface Ends {
  readonly before: FileVersion
  readonly after: FileVersion
}

export interface OwnFile extends Ends {
  /** The restore that took all of it back. */
  readonly takenBack: string | null
  /** The same of each change of the text; empty when none was. */
  readonly changes: readonly (string | null)[]
  /** Others' Edits between the first and the last of its own, oldest first. */
  readonly between: readonly Writer[]
}

/** Edits of a run, a turn or an outside change. Throws UnknownTarget. */
export function ownEdits(store: Store, of: string): ReadonlySet<number> {
  const target = resolveTarget(store, of)
  if (target.kind === 'drift') {
    const rows = store.db.prepare('SELECT seq FROM edit WHERE drift = ?').all(target.id) as { seq: number }[]
    return new Set(rows.map((row) => row.seq))
  }
  return new Set(target.run ? editsOfRun(store, target.run, target.turn ?? undefined) : [])
}

export function ownFile(store: Store, own: ReadonlySet<number>, path: string, oldPath?: string): OwnFile {
  const ends = (name: string): Ends => {
    const head = store.records.head(name)
    if (!head) return { before: ABSENT, after: ABSENT }
    const edits = editsOn(store, head, own)
    const now = head.version === null ? ABSENT : store.records.version(head.version)
    const [last, first] = [edits[0], edits.at(-1)]
    return {
      before: first ? store.records.version(first.before) : now,
      after: last ? store.records.version(last.after) : now
    }
  }
  const both = { before: ends(oldPath ?? path).before, after: ends(path).after }
  const whole = changesOfPath(store, own, path)
  const alone = whole?.interleaved ? ownChange(store, own, whole) : null
  const head = store.records.head(path)
  const back = head ? takenBack(store, head, editsOn(store, head, own)) : null
  return {
    ...both,
    ...(alone ? { before: alone.before } : {}),
    takenBack: wholeTakenBack(store, own, path, oldPath),
    changes: oldPath === undefined ? (back?.changes() ?? []) : [],
    between: head ? between(store, head, own).map(writerOf(store)) : []
  }
}

/** The restore that took back everything `own` did to a path, and to the one it was moved from; null while some is in force. */
export function wholeTakenBack(
  store: Store,
  own: ReadonlySet<number>,
  path: string,
  oldPath: string | undefined
): string | null {
  const by = [path, ...(oldPath === undefined ? [] : [oldPath])].map((name) => {
    const head = store.records.head(name)
    return head ? takenBack(store, head, editsOn(store, head, own)).whole : null
  })
  return by.every((one) => one !== null) ? (by[0] ?? null) : null
}

/** What others did to a path between the first and the last of these Edits. Throws NotStored when it cannot be told apart. */
export function othersBetween(store: Store, own: ReadonlySet<number>, path: string): Ends {
  const head = store.records.head(path)
  const mine = head ? editsOn(store, head, own).reverse() : []
  const [first, last] = [mine[0], mine.at(-1)]
  const bytes = textWithoutRun(store, path, mine)
  if (!first || !last || !bytes)
    throw new DriftlineError(
      'NotStored',
      `What others wrote in ${path} in between overlaps with this and cannot be shown by itself. Everything between start and end shows both.`,
      { path }
    )
  return {
    before: store.records.version(first.before),
    after: madeVersion(store.records.version(last.after), bytes)
  }
}

function between(store: Store, head: Head, own: ReadonlySet<number>): EditRow[] {
  const mine = editsOn(store, head, own)
  const [last, first] = [mine[0], mine.at(-1)]
  if (!first || !last) return []
  return store.records
    .editsOf(head.id)
    .filter(({ seq, origin }) => seq > first.seq && seq < last.seq && !own.has(seq) && origin !== 'restore')
    .reverse()
}

/** Newest first. */
function editsOn(store: Store, head: Head, own: ReadonlySet<number>): EditRow[] {
  return store.records.editsOf(head.id).filter((edit) => own.has(edit.seq))
}
