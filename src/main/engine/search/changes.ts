/** Searches the lines that edits added or removed, from the newest edit on, within a time limit: it has no index. */
import type { SearchHit, SearchResult } from '../../../contract/search.ts'
import { readText } from '../diff/encoding.ts'
import { lineUnit } from '../diff/lines.ts'
import { looksSecret } from '../files/secret-path.ts'
import { readOrNull } from '../store/content-rows.ts'
import type { Store } from '../store/open-store.ts'
import { type ChangeRow, changeOrigin, changePage, countChanges } from '../store/search-queries.ts'
import { asciiFilter } from './text-filter.ts'

/** Larger text is not searched, bytes. */
const MAX_TEXT_BYTES = 512 * 1024
/** Hits reported per edit. */
const MAX_LINES = 3
/**
 * Edits of the first page, and how the next ones grow. The texts of a page are read one path after the other, each text
 * unpacked with the one before it. What the oldest text of a path is built on is unpacked again for the next page, so
 * few large pages take less time.
 */
const [FIRST_PAGE, GROWTH, LARGEST_PAGE] = [200, 20, 30_000]
/** Number of contents whose lines are cached: the version before an edit is often the version after the previous one. */
const CACHED = 1000
/** Changes whose contents are read in one query. */
const AHEAD = 500

interface Options {
  readonly limit: number
  /** Time limit, ms. */
  readonly budget: number
  readonly pause: () => Promise<void> | undefined
}

/** `needle` is in lower case. `searched` is set when the time limit was reached. */
export async function searchChanges(
  store: Store,
  needle: string,
  { limit, budget, pause }: Options
): Promise<{ readonly hits: SearchHit[]; readonly searched: SearchResult['searched'] }> {
  const hits: SearchHit[] = []
  const lines = createFoundLines(store, needle)
  const since = performance.now()
  let searched = 0
  let seq = Number.MAX_SAFE_INTEGER
  for (let size = FIRST_PAGE; hits.length < limit; size = Math.min(size * GROWTH, LARGEST_PAGE)) {
    const rows = changePage(store, seq, size, MAX_TEXT_BYTES)
    const ordered = byPath(store, rows)
    const found = new Map<number, SearchHit[]>()
    let inTime = true
    for (const [n, row] of ordered.entries()) {
      inTime = performance.now() - since <= budget
      if (!inTime) break
      if (n % AHEAD === 0) lines.readAhead(ordered.slice(n, n + AHEAD))
      const hitsOfRow = hitsIn(store, row, lines)
      if (hitsOfRow.length > 0) found.set(row[0], hitsOfRow)
      const paused = pause()
      if (paused) await paused
    }
    for (const [seq] of rows) hits.push(...(found.get(seq) ?? []))
    // A page that was not completed counts for nothing: what is reported is that all newer edits were searched.
    if (!inTime) return { hits: hits.slice(0, limit), searched: { changes: searched, of: countChanges(store) } }
    searched += rows.length
    if (rows.length < size) break
    seq = rows.at(-1)?.[0] ?? 0
  }
  return { hits: hits.slice(0, limit), searched: null }
}

/** One path after the other, the oldest edit first. The content of secret files is never shown, so it is left out. */
function byPath(store: Store, rows: readonly ChangeRow[]): ChangeRow[] {
  return [...Map.groupBy(rows, ([, path]) => path)].flatMap(([path, edits]) =>
    looksSecret(store.records.pathOf(path)) ? [] : edits.reverse()
  )
}

function hitsIn(store: Store, [seq, id, before, after]: ChangeRow, lines: FoundLines): SearchHit[] {
  const [oldLines, newLines] = [lines.of(before), lines.of(after)]
  if (oldLines.length === 0 && newLines.length === 0) return []
  const found = [
    ...without(newLines, oldLines).map((line) => `+ ${line}`),
    ...without(oldLines, newLines).map((line) => `- ${line}`)
  ].slice(0, MAX_LINES)
  if (found.length === 0) return []
  const { at, run } = changeOrigin(store, seq)
  const path = store.records.pathOf(id)
  return found.map((text) => ({ kind: 'change', text, path, run, session: null, message: null, seq, at }))
}

/** Multiset difference: the lines that occur more often in `all` than in `others`. */
function without(all: readonly string[], others: readonly string[]): string[] {
  const unmatched = new Map<string, number>()
  for (const line of others) unmatched.set(line, (unmatched.get(line) ?? 0) + 1)
  return all.filter((line) => {
    const count = unmatched.get(line) ?? 0
    unmatched.set(line, count - 1)
    return count <= 0
  })
}

/** The lines of contents that contain the needle, clipped. */
interface FoundLines {
  /** None when the content is no text, not stored or damaged. */
  of(content: number | null): readonly string[]
  /** These changes are searched next. */
  readAhead(changes: readonly ChangeRow[]): void
}

const NONE: readonly string[] = []
/** The same, and the bytes have the needle nowhere. */
const NOWHERE: readonly string[] = []

function createFoundLines(store: Store, needle: string): FoundLines {
  const { read, readAhead, changedBytes } = store.content.unverifiedReader()
  const mayContain = asciiFilter(needle) ?? (() => true)
  const cache = new Map<number, readonly string[]>()
  /** Where the base has the needle nowhere, only what replaces a part of it may, with the bytes around. */
  const searchedBytes = (content: number, bytes: Buffer): Buffer => {
    const changed = changedBytes(content)
    if (!changed || cache.get(changed.base) !== NOWHERE) return bytes
    const around = needle.length - 1
    return bytes.subarray(Math.max(0, changed.from - around), changed.to + around)
  }
  const linesOf = (content: number): readonly string[] => {
    // It was evicted, or it or its dictionary is damaged. `driftline doctor` reports that; the search continues.
    const bytes = readOrNull(() => read(content))
    if (!bytes) return NONE
    if (lineUnit(bytes) === 'byte' && !mayContain(searchedBytes(content, bytes))) return NOWHERE
    const text = readText(bytes)
    if (!text?.toLowerCase().includes(needle)) return NONE
    const lines = text.split('\n').filter((line) => line.toLowerCase().includes(needle))
    return lines.map((line) => clipAround(line, needle))
  }
  return {
    of: (content) => {
      if (content === null) return NONE
      const lines = cache.get(content) ?? linesOf(content)
      if (cache.size >= CACHED) cache.clear()
      cache.set(content, lines)
      return lines
    },
    readAhead: (changes) => {
      const contents = changes.flatMap(([, , before, after]) => [before, after])
      readAhead(contents.filter((content) => content !== null))
    }
  }
}

/** Characters of a hit's line in a list. */
const MAX_LENGTH = 200
/** Characters kept before the hit when a line is clipped. */
const CONTEXT_BEFORE = 60

/** The first line of `text` that contains `needle` (in lower case), clipped around it; null when none does. */
export function snippet(text: string, needle: string): string | null {
  if (!text.toLowerCase().includes(needle)) return null
  const line = text.split('\n').find((candidate) => candidate.toLowerCase().includes(needle))
  // The needle spans several lines: the line it begins in.
  return clipAround(line ?? text.slice(text.toLowerCase().indexOf(needle)).split('\n')[0] ?? '', needle)
}

function clipAround(line: string, needle: string): string {
  const trimmed = line.trim()
  if (trimmed.length <= MAX_LENGTH) return trimmed
  const from = Math.max(0, trimmed.toLowerCase().indexOf(needle) - CONTEXT_BEFORE)
  const end = from + MAX_LENGTH
  return `${from > 0 ? '…' : ''}${trimmed.slice(from, end)}${end < trimmed.length ? '…' : ''}`
}
