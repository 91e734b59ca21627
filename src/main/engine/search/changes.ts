/** Searches the lines that edits added or removed, from the newest edit on, within a time limit: it has no index. */
import type { SearchHit, SearchResult } from '../../../contract/search.ts'
import { readText } from '../diff/encoding.ts'
import { looksSecret } from '../files/secret-path.ts'
import { readOrNull } from '../store/content-rows.ts'
import type { Store } from '../store/open-store.ts'
import { type ChangeRow, changePage, countChanges } from '../store/search-queries.ts'

/** Larger text is not searched, bytes. */
const MAX_TEXT_BYTES = 512 * 1024
/** Hits reported per edit. */
const MAX_LINES = 3
/**
 * Edits of the first page, and how the next ones grow. The texts of a page are read one path after the other, each text
 * unpacked with the one before it; a page of many edits has several of each path.
 */
const [FIRST_PAGE, GROWTH, LARGEST_PAGE] = [200, 4, 20_000]
/** Number of cached texts: the version before an edit is often the version after the previous one. */
const CACHED_TEXTS = 10

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
  const textOf = createTextCache(store)
  const since = performance.now()
  let searched = 0
  let seq = Number.MAX_SAFE_INTEGER
  for (let size = FIRST_PAGE; hits.length < limit; size = Math.min(size * GROWTH, LARGEST_PAGE)) {
    const rows = changePage(store, seq, size, MAX_TEXT_BYTES)
    const found = new Map<number, SearchHit[]>()
    let inTime = true
    for (const row of byPath(rows)) {
      inTime = performance.now() - since <= budget
      if (!inTime) break
      found.set(row.seq, hitsIn(row, needle, textOf))
      await pause()
    }
    for (const row of rows) hits.push(...(found.get(row.seq) ?? []))
    // A page that was not completed counts for nothing: what is reported is that all newer edits were searched.
    if (!inTime) return { hits: hits.slice(0, limit), searched: { changes: searched, of: countChanges(store) } }
    searched += rows.length
    if (rows.length < size) break
    seq = rows.at(-1)?.seq ?? 0
  }
  return { hits: hits.slice(0, limit), searched: null }
}

/** One path after the other, the oldest edit first. The content of secret files is never shown, so it is left out. */
function byPath(rows: readonly ChangeRow[]): ChangeRow[] {
  return [...Map.groupBy(rows, ({ name }) => name)].flatMap(([name, edits]) =>
    looksSecret(name) ? [] : edits.reverse()
  )
}

function hitsIn(row: ChangeRow, needle: string, textOf: TextOf): SearchHit[] {
  const { name, run, seq, at } = row
  const [oldLines, newLines] = [linesWith(textOf(row.before), needle), linesWith(textOf(row.after), needle)]
  if (oldLines.length === 0 && newLines.length === 0) return []
  return [
    ...without(newLines, oldLines).map((line) => `+ ${line}`),
    ...without(oldLines, newLines).map((line) => `- ${line}`)
  ]
    .slice(0, MAX_LINES)
    .map((text) => ({ kind: 'change', text, path: name, run, session: null, message: null, seq, at }))
}

/** Lines that contain the needle, clipped. */
function linesWith(text: SearchedText | null, needle: string): string[] {
  if (!text?.lower.includes(needle)) return []
  return text.text
    .split('\n')
    .filter((line) => line.toLowerCase().includes(needle))
    .map((line) => clipAround(line, needle))
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

interface SearchedText {
  readonly text: string
  readonly lower: string
}

/** The text of a content; null when it is no text, not stored or damaged. */
type TextOf = (content: number | null) => SearchedText | null

function createTextCache(store: Store): TextOf {
  const cache = new Map<number, SearchedText | null>()
  const readBytes = store.content.unverifiedReader()
  const read = (content: number): SearchedText | null => {
    // It was evicted, or it or its dictionary is damaged. `driftline doctor` reports that; the search continues.
    const bytes = readOrNull(() => readBytes(content))
    const text = bytes && readText(bytes)
    return text === null ? null : { text, lower: text.toLowerCase() }
  }
  return (content) => {
    if (content === null) return null
    const cached = cache.get(content)
    if (cached !== undefined) return cached
    const text = read(content)
    if (cache.size >= CACHED_TEXTS) cache.delete(cache.keys().next().value as number)
    cache.set(content, text)
    return text
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
