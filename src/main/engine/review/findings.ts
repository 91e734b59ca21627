/**
 * [RV-6] Names what a reviewer should look at first among the changes of a run: at the lines that this run wrote or
 * deleted, one finding for each kind and file, by the rules of finding-rules.ts.
 */
import type { Encodings, TextEncoding } from '../../../contract/diff.ts'
import { FINDING_KINDS, type Finding, type FindingKind } from '../../../contract/findings.ts'
import type { PathChange } from '../diff/aggregate.ts'
import { LIMITS } from '../diff/classify.ts'
import { readContent } from '../diff/describe-changes.ts'
import { decodeAs } from '../diff/encoding.ts'
import { diffBlocks, encodingsOfLines } from '../diff/line-diff.ts'
import { type Lines, splitLines } from '../diff/lines.ts'
import { looksSecret } from '../files/secret-path.ts'
import { createTimeSlicer } from '../ports/time-slicer.ts'
import type { Store } from '../store/open-store.ts'
import {
  COMMENT,
  GENERATED_PATH,
  GENERATED_TEXT,
  isTestPath,
  LINE_RULES,
  type LineRule,
  MANY_LINES,
  PATH_RULES
} from './finding-rules.ts'
import { findingsOnce } from './known-findings.ts'

/** A changed line, numbered from 1 in its version. */
interface ChangedLine {
  readonly line: number
  readonly text: string
}

/** What a run did to one text. */
interface ChangedText {
  readonly path: string
  readonly added: readonly ChangedLine[]
  readonly deleted: readonly ChangedLine[]
  /** The first lines of the version after the run. */
  readonly head: string
}

const MOST_FINDINGS = 100
const HEAD_LINES = 5
/** Other work of this thread waits no longer than this, ms. */
const SLICE_MS = 10

/** By weight and path; `more`: how many are left out. Kinds in `off` are not looked for. */
export async function findingsOf(
  store: Store,
  changes: readonly PathChange[],
  off: ReadonlySet<string> = new Set()
): Promise<{ readonly findings: readonly Finding[]; readonly more: number }> {
  const found: Finding[] = []
  const pause = createTimeSlicer(SLICE_MS)
  for (const change of changes) {
    const ofChange = findingsOnce(store, change, () =>
      findingsOfChange(store, change).map((found) => ({ ...found, version: change.after.hash }))
    )
    found.push(...ofChange.filter(({ kind }) => !off.has(kind)))
    await pause()
  }
  const weight = (kind: FindingKind): number => FINDING_KINDS.indexOf(kind)
  found.sort((a, b) => weight(a.kind) - weight(b.kind) || (a.path < b.path ? -1 : 1))
  return { findings: found.slice(0, MOST_FINDINGS), more: Math.max(0, found.length - MOST_FINDINGS) }
}

type FoundPlace = Omit<Finding, 'version'>

function findingsOfChange(store: Store, change: PathChange): FoundPlace[] {
  const { path, before, after } = change
  const whole = (kind: FindingKind): FoundPlace => ({ kind, path, line: null, side: 'after', text: '', count: 1 })
  const found = PATH_RULES.filter(({ pattern }) => pattern.test(path)).map(({ kind }) => whole(kind))
  if (before.kind === 'file' && after.kind === 'file' && isOpener(before.mode, after.mode))
    found.push(whole('permission'))
  if (before.kind === 'file' && after.kind === 'absent' && isTestPath(path)) return [...found, whole('test-deleted')]
  // A file of dependencies is long, and its lines are names and hashes.
  if (found.some(({ kind }) => kind === 'dependencies')) return found
  const text = changedText(store, change)
  return text ? mergedByKind([...found, ...findingsInText(text)]) : found
}

/** A file that others may now write, or that may now be run. */
function isOpener(before: number | null, after: number | null): boolean {
  return before !== null && after !== null && (~before & after & 0o113) !== 0
}

/** Null for what is no text, is too large to compare, or may contain secrets as a whole. */
function changedText(store: Store, change: PathChange): ChangedText | null {
  const { path } = change
  if (looksSecret(path)) return null
  const sides = [change.before, change.after].map((version) =>
    version.kind === 'absent' || version.kind === 'dir'
      ? Buffer.alloc(0)
      : version.kind === 'file' && version.size <= LIMITS.comparedBytes
        ? readContent(store, version)
        : null
  )
  const [before, after] = sides
  const encodings = before && after && encodingsOfLines(before, after)
  if (!encodings) return null
  return compare(path, before, after, encodings)
}

function compare(path: string, before: Buffer, after: Buffer, encodings: Encodings): ChangedText {
  const [old, now] = [splitLines(before), splitLines(after)]
  const blocks = diffBlocks(old, now)
  return {
    path,
    deleted: blocks.flatMap(({ oldFrom, oldTo }) => linesBetween(old, encodings.before, oldFrom, oldTo)),
    added: blocks.flatMap(({ newFrom, newTo }) => linesBetween(now, encodings.after, newFrom, newTo)),
    head: linesBetween(now, encodings.after, 0, Math.min(HEAD_LINES, now.count))
      .map(({ text }) => text)
      .join('\n')
  }
}

/** Lines [from, to), 0-based; only these are decoded. */
function linesBetween({ bytes, starts }: Lines, encoding: TextEncoding, from: number, to: number): ChangedLine[] {
  if (from === to) return []
  const text = decodeAs(bytes.subarray(starts[from], starts[to] ?? bytes.length), encoding)
  return text
    .split('\n')
    .slice(0, to - from)
    .map((line, i) => ({ line: from + i + 1, text: line }))
}

/** The findings of the rules for lines, and of generated files. */
function findingsInText(changed: ChangedText): FoundPlace[] {
  const { path, added, head } = changed
  const isGenerated = GENERATED_PATH.test(path) || GENERATED_TEXT.test(head)
  if (isGenerated)
    return added.length < MANY_LINES
      ? []
      : [{ kind: 'generated', path, line: null, side: 'after', text: '', count: added.length }]
  const isTest = isTestPath(path)
  const found = LINE_RULES.filter(({ where }) => where === 'all' || (where === 'tests') === isTest).flatMap((rule) => {
    const finding = rule.what === 'added' ? addedBy(rule, changed) : fewerBy(rule, changed)
    return finding ?? []
  })
  // The assertions of a deleted test are no finding of their own.
  const isDeleted = found.some(({ kind }) => kind === 'test-deleted')
  return found.filter(({ kind, side }) => !(isDeleted && kind === 'test-weakened' && side === 'before'))
}

/** Longer lines are data. */
const LONGEST_LINE = 1000

function addedBy({ kind, pattern, isHidden }: LineRule, { path, added }: ChangedText): FoundPlace | null {
  // A pattern may need the line after: `except ValueError:` and `pass`.
  const matches = added.filter(({ text, line }, i) => {
    if (text.length > LONGEST_LINE) return false
    const next = added[i + 1]
    return (
      pattern.test(text) ||
      (next?.line === line + 1 && pattern.test(`${text}\n${next.text}`) && !pattern.test(next.text))
    )
  })
  return matches.length === 0 ? null : describe(kind, path, 'after', matches, isHidden)
}

function fewerBy({ kind, pattern }: LineRule, { path, added, deleted }: ChangedText): FoundPlace | null {
  const isMatch = ({ text }: ChangedLine): boolean =>
    text.length <= LONGEST_LINE && pattern.test(text) && !COMMENT.test(text)
  const lost = deleted.filter(isMatch)
  const fewer = lost.length - added.filter(isMatch).length
  // The lines that are gone, without those that were only moved or reworded.
  const kept = new Set(added.map(({ text }) => text.trim()))
  const gone = lost.filter(({ text }) => !kept.has(text.trim()))
  return fewer <= 0 || gone.length === 0 ? null : describe(kind, path, 'before', gone.slice(0, fewer))
}

function describe(
  kind: FindingKind,
  path: string,
  side: Finding['side'],
  lines: readonly ChangedLine[],
  isHidden = false
): FoundPlace {
  const { line, text } = lines[0] as ChangedLine
  return { kind, path, line, side, text: isHidden ? '' : text.trim(), count: lines.length }
}

/** Two rules of one kind make one finding, the first. */
function mergedByKind(findings: readonly FoundPlace[]): FoundPlace[] {
  return [...Map.groupBy(findings, ({ kind }) => kind).values()].map((same) => ({
    ...(same[0] as FoundPlace),
    count: same.reduce((sum, { count }) => sum + count, 0)
  }))
}
