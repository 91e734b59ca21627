/**
 * Builds the weave of one path from the store: who wrote each line, and what the file would be without some edits.
 * Works on texts of any encoding, line by line, by their bytes. Whenever the result is not certain there is none: a
 * path without a weave is undone as a whole or is a conflict, never merged wrongly.
 */
import type { AffectedPath } from '../../../contract/doctor.ts'
import type { FileVersion } from '../../../contract/log.ts'
import { walkChain } from '../log/chain.ts'
import { ChangedLines, type HunkRef } from '../log/changed-lines.ts'
import { withoutRoundTrips } from '../log/round-trips.ts'
import { type Weave, type WeaveStep, weave } from '../log/weave.ts'
import { runOfEach } from '../store/edit-calls.ts'
import { type EditRow, placesOfContent } from '../store/edits.ts'
import { ABSENT } from '../store/fixed-versions.ts'
import { sha256 } from '../store/hash.ts'
import type { ContentAtHand } from '../store/large-reads.ts'
import type { Store } from '../store/open-store.ts'
import type { Head } from '../store/paths.ts'
import { type Omission, omissionsOf } from '../store/restore-omissions.ts'
import { readStoredContent, type VersionId } from '../store/versions.ts'
import { LIMITS } from './classify.ts'
import { isText, mixesEncodings } from './encoding.ts'
import { commonUnit, type Lines, type LineUnit, splitLike, splitLines } from './lines.ts'
import { areBytes, bytesOfPieces, hunksOf, type Text, type TextPiece, textOf } from './woven-text.ts'

/** The current content without the undone hunks. */
export interface Merge {
  readonly version: FileVersion
  /** Of a version that was never on disk; null for a recorded one. */
  readonly bytes: Buffer | null
  /** The undone hunks. */
  readonly omits: readonly Omission[]
}

/** A hunk of a shown diff of which all or some lines are to be undone, as changes of the edits. */
export interface SelectedHunk {
  /** The selected lines. */
  readonly parts: readonly HunkRef[]
  /** All its lines. */
  readonly shown: readonly HunkRef[]
  /** The hunks of edits it consists of: also lines that one edit inserted and a later one deleted. */
  readonly whole: readonly HunkRef[]
}

/** Longer chains, and those of larger versions together, have no weave: building it reads and compares them all. */
const MOST_STEPS = 2000
const MOST_BYTES = 1024 * 1024 * 1024

/** One step of a text's history. `before`: what it changed; null for a merge, which omits lines instead. */
interface Step {
  readonly edit: EditRow
  readonly before: VersionId | null
}

/**
 * The edits and merges that made the current version, oldest first. Restores in `layers` count as ordinary edits
 * (`walkChain`).
 */
function chainOf(store: Store, head: number, layers: ReadonlySet<number> = new Set()): Step[] {
  const steps: Step[] = []
  for (const { edit, omitted } of walkChain(head, store.records, ({ seq }) => layers.has(seq))) {
    const layer = edit.origin !== 'restore' || omitted || layers.has(edit.seq)
    if (layer || edit.merge) steps.push({ edit, before: layer ? contentBefore(store, edit) : null })
  }
  return steps.reverse()
}

/**
 * [LG-7] The chain, continued with that of the file which its first edit copied. Only for blame: an undo of the original
 * does not change its copies.
 */
function withOriginals(store: Store, chain: readonly Step[]): Step[] {
  const [first, ...rest] = chain
  const place = first?.before === store.records.absent ? originalOf(store, first.edit) : null
  if (!first || !place) return [...chain]
  return [...withOriginals(store, chainOf(store, place.since)), { edit: first.edit, before: first.edit.after }, ...rest]
}

/** A path that had the same content when an edit created its path; null if there was none. */
function originalOf(store: Store, { seq, path, after }: EditRow): AffectedPath | null {
  const { content, size } = store.records.version(after)
  if (content === null || size === 0) return null
  const name = store.records.headById(path).path
  const places = placesOfContent(store, content)
  return places.find(({ path, since, upto }) => path !== name && since < seq && (upto === null || upto > seq)) ?? null
}

export interface WovenText extends Weave<Text> {
  readonly unit: LineUnit
  /** The edits that are steps of it, oldest first. */
  readonly edits: readonly number[]
  /** Those of round trips, which are none. */
  readonly passed: ReadonlySet<number>
}

interface WeaveOptions {
  /** Restores that count as ordinary edits. */
  readonly layers?: ReadonlySet<number>
  /** Whether lines that a copy had from its original are attributed to who wrote them there. */
  readonly copies?: boolean
  /** Edits whose lines are asked for. */
  readonly asked?: ReadonlySet<number>
}

/**
 * The weave of a path after the edit `at`, which made `version` (0: no edit, the initial snapshot did). Null when a
 * version in the chain is not text or not stored, or when some are UTF-16 and others are not: their lines cannot be in
 * one file. [RS-24] Round trips are no part of it, unless edits that are asked for, or of which a merge omits lines, are
 * in them.
 */
export function weaveAt(
  store: Store,
  at: number,
  version: VersionId,
  { layers, copies = false, asked = new Set() }: WeaveOptions = {}
): WovenText | null {
  const stepsIn = (from: Store): readonly Step[] => {
    const chain = chainOf(from, at, layers)
    return copies ? withOriginals(from, chain) : chain
  }
  const all = stepsIn(store)
  const without = (kept: ReadonlySet<number>): readonly Step[] =>
    stepsIn(readWithoutRoundTrips(store, ({ seq }) => kept.has(seq)))
  const wanted = all.flatMap(({ edit: { seq } }) => (asked.has(seq) ? [seq] : []))
  const neededFor = (steps: readonly Step[]): Set<number> => new Set([...wanted, ...omittedEdits(store, steps)])
  const shortest = without(asked)
  const steps = isIn(neededFor(shortest), shortest) ? shortest : without(neededFor(shortest))
  const isComplete = isIn(neededFor(steps), steps)
  const seqs = seqsOf(steps)
  const passed = new Set(all.flatMap(({ edit: { seq } }) => (seqs.has(seq) ? [] : [seq])))
  const woven = isComplete && passed.size > 0 ? weaveOf(store, steps, version) : null
  if (woven) return { ...woven, passed }
  const whole = weaveOf(store, all, version)
  return whole && { ...whole, passed: new Set() }
}

function seqsOf(steps: readonly Step[]): Set<number> {
  return new Set(steps.map(({ edit }) => edit.seq))
}

function isIn(edits: ReadonlySet<number>, steps: readonly Step[]): boolean {
  const seqs = seqsOf(steps)
  return [...edits].every((seq) => seqs.has(seq))
}

/** The edits of which merges omit something. */
function omittedEdits(store: Store, steps: readonly Step[]): number[] {
  return steps.flatMap(({ edit, before }) => (before === null ? omittedHunks(store, edit).map(({ seq }) => seq) : []))
}

/** [RS-24] The store with a log that has no round trips. `isKept`: no round trip contains the edit. */
export function readWithoutRoundTrips(store: Store, isKept: (edit: EditRow) => boolean): Store {
  const runsOf = (edits: readonly number[]): Map<number, string> => runOfEach(store, edits)
  return { ...store, records: withoutRoundTrips(store.records, { isKept, runsOf }) }
}

function weaveOf(store: Store, chain: readonly Step[], version: VersionId): Omit<WovenText, 'passed'> | null {
  const steps: WeaveStep<Text>[] = []
  if (chain.length > MOST_STEPS) return null
  const linesOf = createTextReader(store)
  const original = linesOf(chain[0]?.before ?? version)
  if (!original) return null
  const units = new Set(unitsOf(original))
  for (const { edit, before: from } of chain) {
    if (from === null) steps.push({ omit: omittedHunks(store, edit) })
    else {
      const [before, after] = [linesOf(from), linesOf(edit.after)]
      if (!before || !after) return null
      for (const text of [before, after]) for (const unit of unitsOf(text)) units.add(unit)
      steps.push({ seq: edit.seq, hunks: hunksOf(before, after) })
    }
  }
  if (units.size > 1) return null
  const [unit = 'byte'] = units
  const woven = weave(textOf(original), steps)
  const last = linesOf(version)
  // Self-check: a weave that does not reproduce the recorded bytes must not be used.
  if (!last || !areBytes(woven.pieces(), last.bytes)) return null
  return { ...woven, unit, edits: chain.flatMap(({ edit, before }) => (before === null ? [] : [edit.seq])) }
}

/**
 * [LG-4] The old side of a run's diff of a path that others edited in between: the text after the run's last edit,
 * without the run. So both sides contain the others' lines, and the diff shows only the run's. `own`: the run's edits
 * of the path, newest first. Null when the lines of the two cannot be separated.
 */
export function textWithoutRun(store: Store, own: readonly EditRow[]): Buffer | null {
  const [last, first] = [own[0], own.at(-1)]
  const seqs = new Set(own.map((edit) => edit.seq))
  const woven = last ? weaveAt(store, last.seq, last.after, { asked: seqs }) : null
  if (!first || !woven) return null
  const foreign = foreignIn(woven, seqs, first.seq)
  const ownHunks = own.flatMap((edit) => woven.hunksOf(edit.seq))
  const rest = woven.without(ownHunks, foreign)
  return rest && bytesOfPieces(rest)
}

/** The edits of others since `first`. */
function foreignIn(woven: WovenText, own: ReadonlySet<number>, first: number): Set<number> {
  return new Set(woven.edits.filter((seq) => seq > first && !own.has(seq)))
}

/**
 * The current text without the hunks of `own`, or without the selection `only` alone. `own`: edits in force, or all edits
 * of one restore, newest first. Null when the path is not text or the merge is not safe.
 */
export function mergeWithout(
  store: Store,
  head: Head,
  own: readonly EditRow[],
  foreign: readonly EditRow[],
  only?: readonly SelectedHunk[]
): Merge | null {
  const { records } = store
  if (head.version === null) return null
  const now = records.version(head.version)
  const first = own.at(-1)
  // Selected lines leave a file that the first edit made. Where later ones deleted it and made it again, there is no text, either.
  const isMade = only !== undefined && first !== undefined && contentBefore(store, first) === records.absent
  const endsOf = (edit: EditRow): VersionId[] => [contentBefore(store, edit), edit.after]
  const texts = own.flatMap(endsOf).filter((version) => !(isMade && version === records.absent))
  const versions = [head.version, ...texts, ...foreign.flatMap(endsOf)]
  if (versions.map(records.version).some(({ kind, notStored }) => kind !== 'file' || notStored !== null)) return null
  const layers = new Set(own.filter((edit) => edit.origin === 'restore').map((edit) => edit.seq))
  const seqs = new Set(own.map((edit) => edit.seq))
  const woven = weaveAt(store, head.edit, head.version, { layers, asked: seqs })
  if (!woven) return null
  // Also round trips, if they are part of the weave.
  const others = foreignIn(woven, seqs, first?.seq ?? head.edit)
  for (const { seq } of foreign) others.add(seq)
  const undone = only ? refsOfSelection(woven, only, others) : own.flatMap((edit) => refsOf(woven, edit))
  const rest = woven.without(undone, others)
  if (!rest) return null
  const bytes = bytesOfPieces(rest)
  if (commonUnit([bytes]) !== woven.unit && bytes.length > 0) return null
  // Undoing all hunks must not produce a file in two encodings. A person who selects hunks or lines may want that.
  if (!only && mixesEncodings(bytes) && !mixesEncodings(readStoredContent(store, now) ?? bytes)) return null
  const mode =
    first &&
    !only &&
    foreign.every((edit) => records.version(contentBefore(store, edit)).mode === records.version(edit.after).mode)
      ? records.version(contentBefore(store, first)).mode
      : now.mode
  const isOut = woven.isOutWith(undone)
  // A file of which lines are undone keeps its name.
  const isMove = (edit: EditRow): boolean => only !== undefined && edit.movedFrom !== null
  const isWhole = (edit: EditRow): boolean =>
    !(isMade && endsOf(edit).includes(records.absent)) && !isMove(edit) && woven.hunksOf(edit.seq).every(isOut)
  const whole = new Set(own.filter(isWhole).map(({ seq }) => seq))
  return {
    version: { ...ABSENT, kind: 'file', size: bytes.length, mode, hash: sha256(bytes).toString('hex') },
    bytes,
    omits: undone.map((ref) => ({ ...ref, whole: whole.has(ref.seq) }))
  }
}

/**
 * The selected parts. Where with them all lines of a hunk are undone, the hunk is: then its edits can be out of force.
 * But only if the text is the same, because an edit's hunk may have lines elsewhere in the diff.
 */
function refsOfSelection(woven: WovenText, only: readonly SelectedHunk[], foreign: ReadonlySet<number>): HunkRef[] {
  const parts = new ChangedLines(only.flatMap((hunk) => hunk.parts)).refs()
  const isOut = woven.isOutWith(parts)
  const complete = only.flatMap((hunk) => (hunk.shown.every(isOut) ? hunk.whole : hunk.parts))
  const refs = new ChangedLines(complete).refs()
  return areSame(woven.without(refs, foreign), woven.without(parts, foreign)) ? refs : parts
}

function areSame(a: readonly TextPiece[] | null, b: readonly TextPiece[] | null): boolean {
  return a && b ? areBytes(a, bytesOfPieces(b)) : a === b
}

/** An edit that changed no line, only permissions for instance, is named by hunk 0, so that it is out of force, too. */
function refsOf(woven: WovenText, { seq }: EditRow): HunkRef[] {
  const hunks = woven.hunksOf(seq)
  return hunks.length > 0 ? hunks : [{ seq, hunk: 0 }]
}

/** The text of a version, empty when it is absent; null when it is not text, larger than `limit` or not stored. */
export function readText(
  store: Store,
  id: number,
  limit: number = LIMITS.comparedBytes,
  like: ContentAtHand | null = null
): Buffer | null {
  const version = store.records.version(id)
  if (version.kind === 'absent') return Buffer.alloc(0)
  const bytes = version.size > limit ? null : readStoredContent(store, version, like)
  return bytes && isText(bytes) ? bytes : null
}

/**
 * Reads texts as lines, up to MOST_BYTES of them. The text after an edit is mostly the one before the next, so the last
 * two are kept.
 */
function createTextReader(store: Store): (id: VersionId) => Lines | null {
  let left = MOST_BYTES
  let [last, newest]: { readonly id: VersionId; readonly lines: Lines | null }[] = []
  return (id) => {
    const known = [newest, last].find((text) => text?.id === id)
    if (known) return known.lines
    const content = newest?.lines ? store.records.version(newest.id).content : null
    const like = content !== null && newest?.lines ? { id: content, bytes: newest.lines.bytes } : null
    const bytes = readText(store, id, Math.min(left, LIMITS.comparedBytes), like)
    left -= bytes?.length ?? 0
    last = newest
    newest = { id, lines: bytes && (last?.lines ? splitLike(last.lines, bytes) : splitLines(bytes)) }
    return newest.lines
  }
}

/** Empty for empty text, which fits any. */
function unitsOf({ bytes, unit }: Lines): LineUnit[] {
  return bytes.length > 0 ? [unit] : []
}

/** The hunks, and parts of hunks, that a merge omitted. */
export function omittedHunks(store: Store, { restore, path }: EditRow): HunkRef[] {
  return restore === null ? [] : omissionsOf(store, restore, store.records.headById(path).path)
}

/** [LG-7] What an edit changed: the version of its path before it, or what the old name had before a rename. */
export function contentBefore({ records }: Store, { before, movedFrom }: EditRow): VersionId {
  return movedFrom === null ? before : records.edit(movedFrom).before
}
