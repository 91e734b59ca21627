/** Who wrote each line of a file now, and the file without some Edits: the weave of one path, read from the store. */
import { createHash } from 'node:crypto'
import type { FileVersion } from '../../../contract/log.ts'
import { LIMITS } from '../diff/classify.ts'
import { readContent } from '../diff/describe-changes.ts'
import { isText, mixesEncodings } from '../diff/encoding.ts'
import { diffBlocks, groupHunks } from '../diff/line-diff.ts'
import { bytesOfKeys, commonUnit, type LineUnit, lineKey, splitLines } from '../diff/lines.ts'
import { walkChain } from '../log/chain.ts'
import { type HunkRef, type Weave, type WeaveHunk, type WeaveStep, weave } from '../log/weave.ts'
import type { EditRow } from '../store/edits.ts'
import type { Head } from '../store/heads.ts'
import type { Store } from '../store/open-store.ts'
import type { VersionId } from '../store/versions.ts'

/** A state no Edit has left: the present text without what is taken back. */
export interface Merge {
  readonly version: FileVersion
  readonly bytes: Buffer
  readonly omits: readonly (HunkRef & { readonly whole: boolean })[]
}

/** Longer histories and larger files are taken back whole or not at all. */
const MOST_STEPS = 2000

/** One step of a text's history. `layer`: it replaced lines; else it is a merge that left some out. */
interface Step {
  readonly edit: EditRow
  readonly layer: boolean
}

/** Edits and merges that made the present state, oldest first. Restores among `layers` are taken as Edits of their own. */
function chainOf(store: Store, head: number, layers: ReadonlySet<number>): Step[] {
  const steps: Step[] = []
  for (const { edit, omitted } of walkChain(head, store.records, (one) => layers.has(one.seq))) {
    const layer = edit.origin !== 'restore' || omitted || layers.has(edit.seq)
    if (layer || edit.merge) steps.push({ edit, layer })
  }
  return steps.reverse()
}

const NONE: ReadonlySet<number> = new Set()

/** Lines as their keys, with what their bytes are made of. */
export interface WovenText extends Weave {
  readonly unit: LineUnit
}

/**
 * The weave of the state that Edit `at` left (0: no Edit, `version` is the first copy). Null when a state in it is not text or
 * not kept, or when some are UTF-16 and others are not: their lines cannot lie in one file.
 */
function weaveAt(
  store: Store,
  path: string,
  at: number,
  version: VersionId,
  layers: ReadonlySet<number> = NONE
): WovenText | null {
  const chain = chainOf(store, at, layers)
  const steps: WeaveStep[] = []
  if (chain.length > MOST_STEPS) return null
  const original = textOf(store, chain[0]?.edit.before ?? version)
  if (!original) return null
  const states = [original]
  for (const { edit, layer } of chain) {
    if (!layer) steps.push({ omit: omittedHunks(store, path, edit) })
    else {
      const [before, after] = [textOf(store, edit.before), textOf(store, edit.after)]
      if (!before || !after) return null
      states.push(before, after)
      steps.push({ seq: edit.seq, hunks: hunksOf(before, after) })
    }
  }
  const unit = commonUnit(states)
  if (unit === null) return null
  const woven = weave(keys(original), steps)
  const last = textOf(store, version)
  const shown = woven.lines().map((line) => line.text)
  // What does not come out as recorded is not used: better no merge than a wrong one.
  return last && bytesOfKeys(shown, unit).equals(last) ? { ...woven, unit } : null
}

/** The same of what is recorded now. */
export function weaveHead(store: Store, head: Head): WovenText | null {
  return head.version === null ? null : weaveAt(store, head.path, head.edit, head.version)
}

/**
 * [LG-4] What a run's diff of a path goes from when others edited it in between: the text the run left, without the run.
 * `mine` are its Edits of the path in log order. Null when that cannot be told apart.
 */
export function textWithoutRun(store: Store, path: string, mine: readonly EditRow[]): Buffer | null {
  const last = mine.at(-1)
  const [first] = mine
  const woven = last ? weaveAt(store, path, last.seq, last.after) : null
  if (!last || !first || !woven) return null
  const own = new Set(mine.map((edit) => edit.seq))
  const foreign = chainOf(store, last.seq, NONE)
    .map(({ edit }) => edit)
    .filter((edit) => edit.seq > first.seq && !own.has(edit.seq))
  const rest = woven.without(
    mine.flatMap((edit) => woven.hunksOf(edit.seq)),
    new Set(foreign.map((edit) => edit.seq))
  )
  return rest ? bytesOfKeys(rest, woven.unit) : null
}

/**
 * The present text without hunks of `mine`, newest first: Edits, or all Edits of one restore. Null when that is not safe, or not
 * text. `only`: some hunks instead of all.
 */
export function mergeWithout(
  store: Store,
  head: Head,
  mine: readonly EditRow[],
  foreign: readonly EditRow[],
  only?: readonly HunkRef[]
): Merge | null {
  const { records } = store
  if (head.version === null) return null
  const now = records.version(head.version)
  const states = [
    now,
    ...[...mine, ...foreign].flatMap((edit) => [records.version(edit.before), records.version(edit.after)])
  ]
  if (states.some((state) => state.kind !== 'file' || state.notStored !== null)) return null
  const layers = new Set(mine.filter((edit) => edit.origin === 'restore').map((edit) => edit.seq))
  const woven = weaveAt(store, head.path, head.edit, head.version, layers)
  if (!woven) return null
  const taken = only ?? mine.flatMap((edit) => refsOf(woven, edit))
  const rest = woven.without(taken, new Set(foreign.map((edit) => edit.seq)))
  if (!rest) return null
  const bytes = bytesOfKeys(rest, woven.unit)
  if (commonUnit([bytes]) !== woven.unit && bytes.length > 0) return null
  // Line by line a person may well bring letters of the old encoding back; a merge of all of them would leave a file in two.
  if (!only && mixesEncodings(bytes) && !mixesEncodings(readContent(store, now) ?? bytes)) return null
  const first = mine.at(-1)
  const mode =
    first && !only && foreign.every((edit) => records.version(edit.before).mode === records.version(edit.after).mode)
      ? records.version(first.before).mode
      : now.mode
  const hash = createHash('sha256').update(bytes).digest('hex')
  const whole = new Set(
    mine
      .filter((edit) =>
        woven
          .hunksOf(edit.seq)
          .every((ref) => woven.isOmitted(ref) || taken.some((one) => one.seq === ref.seq && one.hunk === ref.hunk))
      )
      .map((edit) => edit.seq)
  )
  return {
    version: { kind: 'file', size: bytes.length, mode, hash, target: null, notStored: null },
    bytes,
    omits: taken.map((ref) => ({ ...ref, whole: whole.has(ref.seq) }))
  }
}

/** One that changed no line, permissions for instance, is named too: it goes out of force like the others. */
function refsOf(woven: Weave, { seq }: EditRow): HunkRef[] {
  const hunks = woven.hunksOf(seq)
  return hunks.length > 0 ? hunks : [{ seq, hunk: 0 }]
}

/**
 * For each hunk of the diff of `own` on this path, as `diff RUN PATH` shows it, the hunks of their Edits that make it up.
 * Null when the path cannot be woven. `own`: all Edits of the run, newest first, in force or not, or the count would shift.
 */
export function hunkRefsOfDiff(store: Store, head: Head, own: readonly EditRow[]): HunkRef[][] | null {
  const [last, first] = [own[0], own.at(-1)]
  if (!last || !first) return null
  // The same text the run's diff goes from, so that its hunks are counted alike.
  const [before, after] = [
    textWithoutRun(store, head.path, [...own].reverse()) ?? textOf(store, first.before),
    textOf(store, last.after)
  ]
  const woven = weaveAt(store, head.path, last.seq, last.after)
  if (!before || !after || !woven) return null
  const [old, now] = [splitLines(before), splitLines(after)]
  const seqs = new Set(own.map((edit) => edit.seq))
  return groupHunks(diffBlocks(old, now), old.count).map(({ blocks }) => {
    const refs = new Map<string, HunkRef>()
    for (const block of blocks) {
      for (const ref of woven.hunksAt(block.newFrom, block.newTo))
        if (seqs.has(ref.seq)) refs.set(`${ref.seq}:${ref.hunk}`, ref)
    }
    return [...refs.values()]
  })
}

/** Text content of a version, empty for what did not exist; null when it is not text, too large, or not kept. */
function textOf(store: Store, id: number): Buffer | null {
  const version = store.records.version(id)
  if (version.kind === 'absent') return Buffer.alloc(0)
  if (version.kind !== 'file' || version.notStored !== null || version.size > LIMITS.largeBytes) return null
  const bytes = readContent(store, version)
  return bytes && isText(bytes) ? bytes : null
}

function keys(text: Buffer): string[] {
  const lines = splitLines(text)
  return Array.from({ length: lines.count }, (_, line) => lineKey(lines, line))
}

function hunksOf(before: Buffer, after: Buffer): WeaveHunk[] {
  const [old, now] = [splitLines(before), splitLines(after)]
  return diffBlocks(old, now).map(({ oldFrom, oldTo, newFrom, newTo }) => ({
    from: oldFrom,
    to: oldTo,
    insert: Array.from({ length: newTo - newFrom }, (_, i) => lineKey(now, newFrom + i))
  }))
}

/** The hunks an Edit of a merge left out. */
export function omittedHunks(store: Store, path: string, edit: EditRow): HunkRef[] {
  return store.db
    .prepare('SELECT seq, hunk FROM restore_without WHERE restore = ? AND path = ?')
    .all(edit.restore, path) as HunkRef[]
}
