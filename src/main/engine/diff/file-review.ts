/** Reviews one file of a run, a turn or an outside change: its two ends, other writers in between, and what is undone. */
import type { Writer } from '../../../contract/diff.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import type { FileVersion } from '../../../contract/log.ts'
import { editsOfRun } from '../store/edit-calls.ts'
import { type EditRow, seqsOfDrift } from '../store/edits.ts'
import { ABSENT } from '../store/fixed-versions.ts'
import type { Store } from '../store/open-store.ts'
import type { Head } from '../store/paths.ts'
import { resolveTarget } from '../store/targets.ts'
import { writerOf } from '../store/writers.ts'
import { changesOfPath } from './changes.ts'
import { textWithoutRun } from './provenance.ts'
import { separateOwnChange, synthesizeVersion } from './separate-change.ts'
import { findUndone } from './undone.ts'

export interface Ends {
  readonly before: FileVersion
  readonly after: FileVersion
}

export interface FileReview extends Ends {
  /** The restore that undid the whole change; null while a part is in force. */
  readonly undoneBy: string | null
  /** The same for each hunk of the text; empty when none is undone. */
  readonly hunks: readonly (string | null)[]
  /** Edits of others between the first and the last own Edit, oldest first. */
  readonly between: readonly Writer[]
}

/** Edits of a run, a turn or an outside change. Throws UnknownTarget. */
export function editsOfTarget(store: Store, of: string): ReadonlySet<number> {
  const target = resolveTarget(store, of)
  if (target.kind === 'drift') return new Set(seqsOfDrift(store, target.id))
  return new Set(target.run ? editsOfRun(store, target.run, target.turn ?? undefined) : [])
}

/** `own`: all Edits of the run, turn or outside change. `oldPath`: set for a rename. */
export function reviewFile(store: Store, own: ReadonlySet<number>, path: string, oldPath?: string): FileReview {
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
  const change = changesOfPath(store, own, path)
  const separate = change?.interleaved ? separateOwnChange(store, own, change) : null
  const head = store.records.head(path)
  const undone = head ? findUndone(store, head, editsOn(store, head, own)) : null
  return {
    ...both,
    ...(separate ? { before: separate.before } : {}),
    undoneBy: findUndoOfFile(store, own, path, oldPath),
    hunks: oldPath === undefined ? (undone?.hunks() ?? []) : [],
    between: head ? foreignEditsBetween(store, head, own).map((edit) => writerOf(store, edit)) : []
  }
}

/** The restore that undid all Edits in `own` of a path and of the path it was renamed from; null while one is in force. */
export function findUndoOfFile(
  store: Store,
  own: ReadonlySet<number>,
  path: string,
  oldPath: string | undefined
): string | null {
  const restores = [path, ...(oldPath === undefined ? [] : [oldPath])].map((name) => {
    const head = store.records.head(name)
    return head ? findUndone(store, head, editsOn(store, head, own)).whole : null
  })
  return restores.every((restore) => restore !== null) ? (restores[0] ?? null) : null
}

/** The change that others made to a path between the first and the last Edit in `own`. Throws NotStored when it overlaps with theirs. */
export function foreignChange(store: Store, own: ReadonlySet<number>, path: string): Ends {
  const head = store.records.head(path)
  const edits = head ? editsOn(store, head, own).reverse() : []
  const [first, last] = [edits[0], edits.at(-1)]
  const bytes = textWithoutRun(store, path, edits)
  if (!first || !last || !bytes)
    throw new DriftlineError(
      'NotStored',
      `The edits of others to ${path} overlap with this change and cannot be shown separately. Compare start and end to see both.`,
      { path }
    )
  return {
    before: store.records.version(first.before),
    after: synthesizeVersion(store.records.version(last.after), bytes)
  }
}

function foreignEditsBetween(store: Store, head: Head, own: ReadonlySet<number>): EditRow[] {
  const edits = editsOn(store, head, own)
  const [last, first] = [edits[0], edits.at(-1)]
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
