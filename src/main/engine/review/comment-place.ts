/**
 * [RV-2] Follows the lines of a comment through all later edits. It names the lines in the weave of their file, where
 * each line is known by the edit that inserted it: equal text elsewhere is another line, an undo brings a line back
 * under its own name, and renames are part of the chain.
 */
import type { Seq } from '../../../contract/log.ts'
import type { CommentedLines } from '../../../contract/review.ts'
import { type WovenText, weaveAt } from '../diff/provenance.ts'
import { currentPathOf } from '../log/chain.ts'
import type { HunkRef } from '../log/changed-lines.ts'
import type { CommentRow } from '../store/comments.ts'
import type { Store } from '../store/open-store.ts'
import type { PathId } from '../store/paths.ts'
import type { VersionId } from '../store/versions.ts'

/** Lines [from, to), 0-based. */
interface LineSpan {
  readonly from: number
  readonly to: number
}

/** A version of a file, and the edit that made it; 0 = the initial snapshot did. */
interface EditedVersion {
  readonly edit: number
  readonly version: VersionId
}

export interface CommentPlace {
  readonly path: PathId
  readonly span: LineSpan | null
  readonly lines: CommentedLines
}

/** Names lines of a file as it was at `seq`; null if the file has no weave there. */
export function nameLines(store: Store, path: PathId, seq: Seq, { from, to }: LineSpan): readonly HunkRef[] | null {
  const at = editAt(store, path, seq)
  return (at && weaveAt(store, at.edit, at.version)?.nameLines(from, to)) ?? null
}

type Placed = Pick<CommentRow, 'seq' | 'from_line' | 'to_line' | 'names'>

type PlaceOf = (comment: Placed, path: PathId) => CommentPlace

/** Says where comments are at `seq`, or now. The weave of a file is built once for all its comments. */
export function createPlacer(store: Store, seq: Seq | null = null): PlaceOf {
  const weaves = new Map<string, WovenText | null>()
  const weaveOf: WeaveOf = ({ edit, version }, asked = []) => {
    const key = `${edit}:${version}:${asked.join()}`
    const known = weaves.get(key)
    if (known !== undefined) return known
    const woven = weaveAt(store, edit, version, { asked: new Set(asked) })
    weaves.set(key, woven)
    return woven
  }
  return (comment, path) => placeOf(store, weaveOf, comment, path, seq)
}

/** `asked`: seqs of edits, as of `weaveAt`. */
type WeaveOf = (at: EditedVersion, asked?: readonly number[]) => WovenText | null

/** [RS-24] A comment may name lines of edits that became part of a round trip. */
function findNames(weaveOf: WeaveOf, at: EditedVersion, names: readonly HunkRef[]) {
  const woven = weaveOf(at)
  const passed = new Set(names.flatMap(({ seq }) => (woven?.passed.has(seq) ? [seq] : [])))
  return (passed.size > 0 ? weaveOf(at, [...passed]) : woven)?.findLines(names)
}

function placeOf(store: Store, weaveOf: WeaveOf, comment: Placed, path: PathId, seq: Seq | null): CommentPlace {
  const now = seq === null ? pathNow(store, path, comment.seq) : path
  const { from_line: from, to_line: to } = comment
  if (from === null || to === null) return { path: now, span: null, lines: 'same' }
  const then = { from, to }
  const before = editAt(store, path, comment.seq)
  const after = editAt(store, now, seq ?? store.records.lastSeq())
  if (before && after && isSameContent(store, before.version, after.version))
    return { path: now, span: then, lines: 'same' }
  const place = comment.names && after ? findNames(weaveOf, after, JSON.parse(comment.names) as HunkRef[]) : undefined
  if (place === undefined) return { path: now, span: null, lines: 'unknown' }
  if (!place || place.visible === 0) return { path: now, span: null, lines: 'gone' }
  const isWhole = place.visible === to - from && place.to - place.from === to - from
  return { path: now, span: place, lines: isWhole ? 'same' : 'changed' }
}

/** [LG-7] The path that has the content now that `path` had at `seq`. */
function pathNow(store: Store, path: PathId, seq: Seq): PathId {
  const moves = store.records.departuresFrom(path).filter((departure) => departure.seq > seq)
  for (const departure of moves) {
    const now = currentPathOf(departure, store.records)
    if (now !== null) return now
  }
  return path
}

/** The newest edit of a path at a position, 0 = the initial snapshot, and the version then; null without a version. */
export function editAt(store: Store, path: PathId, seq: Seq): EditedVersion | null {
  const { records } = store
  const edit = records.editBefore(path, seq + 1)
  if (edit) return { edit: edit.seq, version: edit.after }
  const version = records.editAfter(path, seq)?.before ?? records.headById(path).version
  return version === null ? null : { edit: 0, version }
}

function isSameContent({ records }: Store, a: VersionId, b: VersionId): boolean {
  const { hash } = records.version(a)
  return hash !== null && hash === records.version(b).hash
}
