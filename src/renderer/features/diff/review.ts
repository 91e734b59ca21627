/**
 * Review of hunks: which are kept, which are undone, and which is next. Pure. What was undone on disk takes precedence
 * over what was kept here.
 */
import type { FileChange, FileDiff, TextHunk } from '../../../contract/diff.ts'
import type { LineSelection } from '../../../contract/restore.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { areCovered } from './line-selection.ts'

export type Decision = 'kept' | 'undone'

/** A decision on some lines of a hunk leaves the hunk undecided. */
export type Mark = Decision | 'partly kept' | 'partly undone'

/** Identifies a hunk by its lines. A hunk that a live run moves gets a new key and has to be reviewed again. */
export function hunkKey({ oldFrom, oldTo, newFrom, newTo }: TextHunk): string {
  return [oldFrom, oldTo, newFrom, newTo].join(',')
}

/** Identifies kept lines of a hunk. */
export function linesKey(hunk: TextHunk, { side, from, to }: LineSelection): string {
  return `${hunkKey(hunk)} ${side} ${from} ${to}`
}

/** The keys by which the hunk or lines of it are kept. */
export function keptKeys(hunk: TextHunk, kept: ReadonlySet<string>): string[] {
  const whole = hunkKey(hunk)
  return [...kept].filter((key) => key === whole || key.startsWith(`${whole} `))
}

/** The lines that were kept by themselves, by the key of their hunk. */
function keptLines(kept: ReadonlySet<string>): ReadonlyMap<string, LineSelection[]> {
  const lines = new Map<string, LineSelection[]>()
  for (const key of kept) {
    const [hunk = '', side, from, to] = key.split(' ')
    if (side !== 'before' && side !== 'after') continue
    lines.set(hunk, [...(lines.get(hunk) ?? []), { side, from: Number(from), to: Number(to) }])
  }
  return lines
}

/** Decisions by hunk number. What was undone on disk takes precedence over what was kept here. */
export function decisionsOf(hunks: readonly TextHunk[], kept: ReadonlySet<string>): ReadonlyMap<number, Decision> {
  const decisions = new Map<number, Decision>()
  const byLines = keptLines(kept)
  // Each line was kept by itself, or is undone.
  const isKept = (hunk: TextHunk, lines: readonly LineSelection[] = []): boolean =>
    lines.length > 0 && areCovered(hunk.blocks, [...lines, ...hunk.undoneLines])
  for (const hunk of hunks) {
    if (hunk.undoneBy !== null) decisions.set(hunk.n, 'undone')
    else if (kept.has(hunkKey(hunk)) || isKept(hunk, byLines.get(hunkKey(hunk)))) decisions.set(hunk.n, 'kept')
  }
  return decisions
}

/** What the bars say: the decisions, and that only a part of a hunk is decided. */
export function marksOf(
  hunks: readonly TextHunk[],
  decisions: ReadonlyMap<number, Decision>,
  kept: ReadonlySet<string>
): ReadonlyMap<number, Mark> {
  const marks = new Map<number, Mark>(decisions)
  const byLines = keptLines(kept)
  for (const hunk of hunks) {
    if (marks.has(hunk.n)) continue
    if (hunk.undoneLines.length > 0) marks.set(hunk.n, 'partly undone')
    else if (byLines.has(hunkKey(hunk))) marks.set(hunk.n, 'partly kept')
  }
  return marks
}

/** The next undecided hunk: first after number `after`, then from the top; null if all are decided. */
export function nextUndecided(
  hunks: readonly TextHunk[],
  decisions: ReadonlyMap<number, Decision>,
  after: number
): TextHunk | null {
  const open = hunks.filter(({ n }) => !decisions.has(n))
  return open.find(({ n }) => n > after) ?? open[0] ?? null
}

/** "Keep this change", or only the selected lines of it. `lines`: their number; null or 0 for none. */
export function keepText(lines: number | null): string {
  return `Keep ${lines ? plural(lines, 'line') : 'this change'}`
}

/** "Undo this change…", or only the selected lines of it. */
export function undoText(verb: string, lines: number | null): string {
  return `${verb} ${lines ? plural(lines, 'line') : 'this change'}…`
}

/** Why a single change cannot be decided on. */
const ONLY_BY_FILE = 'Single changes can be kept or undone only in a run’s text files'
/** Why a hunk that only others wrote cannot be undone. */
export const BY_OTHERS = 'Others wrote this change'
const SELECT_LINES = 'Select lines of the new file first'

/** All its lines are of the run: it is decided as a whole, unless some of them are selected. */
export function isMadeFile({ change }: FileChange): boolean {
  return change === 'added'
}

export type ReviewScope = ReturnType<typeof reviewScopeOf>

/**
 * Whether a file of a diff is reviewed hunk by hunk, as a whole, or not at all. `diff`: null while another file's diff
 * is on screen. `hunks`: the hunks on screen. `ofRun`: the diff of a run or an outside change. `unavailable`: why nothing can
 * be undone now, null if it can.
 */
export function reviewScopeOf(
  file: FileChange,
  diff: FileDiff | null,
  hunks: readonly TextHunk[],
  ofRun: boolean,
  unavailable: string | null
) {
  const isMade = hunks.length > 0 && isMadeFile(file)
  const byHunk = hunks.length > 0 && !isMade
  const asWhole = ofRun && diff?.undoneBy !== undefined && !byHunk
  const isUnknown = ofRun && diff === null && (file.change !== 'modified' || file.kind !== 'text')
  const undoneBy = diff?.undoneBy ?? file.undoneBy ?? null
  return {
    /** Each hunk can be kept or undone. */
    byHunk,
    /** Why a change cannot be kept or undone by itself, null if it can. `lines`: how many of them are selected. */
    partDisabled: (lines: number): string | null => (byHunk || lines > 0 ? null : isMade ? SELECT_LINES : ONLY_BY_FILE),
    /** A file of a run whose hunks cannot be undone one by one. */
    asWhole,
    /** The buttons of the file are in its header, not in a bar of their own; no earlier than that is known. */
    inHeader: !asWhole && !isUnknown,
    /** Id of the restore that undid the whole file, null if none. */
    undoneBy,
    /** Why the file cannot be undone, null if it can. */
    undoDisabled: undoneBy
      ? 'Already undone'
      : file.notStored
        ? 'The earlier content of this file is not stored'
        : unavailable
  }
}
