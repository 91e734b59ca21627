/** The edits of a run, or between two positions, in pages: what a replay needs to know before it reads any content. */
import type { Params } from '../../../contract/api.ts'
import type { Seq } from '../../../contract/log.ts'
import type { ReplayCall, ReplayEdit, ReplayMoment, ReplayPage } from '../../../contract/replay.ts'
import type { Store } from '../store/open-store.ts'
import { countReplayRows, messageTimes, promptsBetween, type ReplayRow, replayRows } from '../store/replay-queries.ts'
import { findRun } from '../store/runs.ts'
import { resolveTarget } from '../store/targets.ts'
import { testsBetween } from '../store/test-results.ts'
import { versionAt } from '../store/version-at.ts'
import { shownBytes } from './describe-changes.ts'
import { type ChangeSide, comparableBlocks, fileDiff } from './display.ts'
import { rangeOf } from './requested-changes.ts'

/** Test results of one replay. */
const MAX_TESTS = 5000

/** Throws UnknownTarget and AmbiguousTarget. */
export function replayPage(store: Store, { target, to, after, limit }: Params<'replay.edits'>): ReplayPage {
  const lastSeq = store.records.lastSeq()
  const range = rangeOf(store, { target, ...(to === undefined ? {} : { to }) })
  const [fromSeq, toSeq] = inOrder(range.fromSeq, range.toSeq ?? lastSeq)
  const run = to === undefined ? resolveTarget(store, target).run : null
  const rows = replayRows(store, Math.max(after ?? fromSeq, fromSeq), toSeq, run, limit + 1)
  const shown = rows.slice(0, limit)
  const more = rows.length > limit
  const left = more ? countReplayRows(store, shown.at(-1)?.seq ?? fromSeq, toSeq) : 0
  const page = { fromSeq, toSeq, ...inTables(shown, run), more, left }
  const session = run === null ? null : (findRun(store, run)?.session ?? null)
  return {
    ...page,
    prompts: promptsBetween(store, run, fromSeq, toSeq),
    tests: testsBetween(store, fromSeq, toSeq + 1, MAX_TESTS),
    messages: run === null || session === null ? [] : messageTimes(store, session, run)
  }
}

/** A file after an edit beside what it was at the start, and which of its lines that edit changed. Reads three versions. */
export function replayMoment(store: Store, { path, from, seq, full }: Params<'replay.file'>): ReplayMoment {
  const sideAt = (at: Seq): ChangeSide => {
    const version = versionAt(store, path, at)
    return { version, bytes: shownBytes(store, version) }
  }
  const [before, former, after] = [sideAt(from), sideAt(seq - 1), sideAt(seq)]
  const diff = fileDiff({ path, before, after, full: full ?? false })
  // Line ends are no part of the lines that are shown.
  if (diff.view !== 'text' || diff.eolOnly !== null) return { diff, blocks: null, edited: [] }
  const edits = comparableBlocks(former.bytes, after.bytes) ?? []
  return {
    diff,
    blocks: comparableBlocks(before.bytes, after.bytes),
    edited: edits.map(({ newFrom, newTo }) => ({ from: newFrom, to: newTo }))
  }
}

/** The older position first: a comparison may be swapped. */
function inOrder(a: number, b: number): readonly [number, number] {
  return a <= b ? [a, b] : [b, a]
}

const ABSENT = 0
const ORIGINS = ['outside', 'run', 'restore'] as const

function inTables(rows: readonly ReplayRow[], run: string | null): Pick<ReplayPage, 'paths' | 'calls' | 'edits'> {
  const paths = new Map<string, number>()
  const calls = new Map<string, number>()
  const described: ReplayCall[] = []
  const edits = rows.map((row): ReplayEdit => {
    if (!paths.has(row.path)) paths.set(row.path, paths.size)
    if (row.call !== null && !calls.has(row.call)) {
      calls.set(row.call, calls.size)
      described.push({ id: row.call, name: row.name ?? '', summary: row.summary ?? '' })
    }
    const change = row.before === ABSENT ? 'added' : row.after === ABSENT ? 'deleted' : 'modified'
    const by = run !== null && row.own === 1 ? 'own' : (ORIGINS[row.origin] ?? 'outside')
    const call = row.call === null ? -1 : (calls.get(row.call) ?? -1)
    return [row.seq, paths.get(row.path) ?? 0, row.at, change, by, call, row.added, row.deleted]
  })
  return { paths: [...paths.keys()], calls: described, edits }
}
