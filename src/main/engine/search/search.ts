/** Full-text search of a workspace's history: prompts, labels and notes of runs, messages, paths, and the lines that edits added or removed. */
import type { SearchHit, SearchResult } from '../../../contract/search.ts'
import { createTimeSlicer } from '../ports/time-slicer.ts'
import type { Store } from '../store/open-store.ts'
import { runTextPage } from '../store/run-texts.ts'
import { messagePage, type PathHitRow, pathPage, promptPage, sessionIds } from '../store/search-queries.ts'
import { searchChanges, snippet } from './changes.ts'

/** How long a search may block its thread at a time, ms. */
const SLICE_MS = 4
const PAGE_ROWS = 500

interface SearchRequest {
  readonly text: string
  readonly limit: number
  /** Time limit for searching edits, ms. */
  readonly budget: number
}

/** Hits are grouped by kind, newest first within each. Case-insensitive. Pauses for other work. */
export async function search(store: Store, { text, limit, budget }: SearchRequest): Promise<SearchResult> {
  const needle = text.toLowerCase()
  if (needle.trim() === '') return { hits: [], more: false, searched: null }
  const pause = createTimeSlicer(SLICE_MS)
  // One hit more than requested shows that there are more.
  const most = limit + 1
  const prompts = await searchPrompts(store, needle, most, pause)
  const notes = await searchRunTexts(store, needle, most, pause)
  const messages = await searchMessages(store, needle, most, pause)
  const paths = await searchPaths(store, needle, most, pause)
  const changes = await searchChanges(store, needle, { limit: most, budget, pause })
  const byKind = [prompts, notes, messages, paths, changes.hits]
  const hits = takeInTurn(byKind, limit)
  return { hits, more: byKind.reduce((sum, { length }) => sum + length, 0) > hits.length, searched: changes.searched }
}

type Pause = () => Promise<void> | undefined

/** All rows by descending key, read in pages: no statement stays open between two of them. */
function* rowsOf<Row>(read: (before: number) => readonly Row[], keyOf: (row: Row) => number): Generator<Row> {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = read(before)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE_ROWS) return
    before = keyOf(last)
  }
}

/** Prompts of agents, and commands of `driftline run`. */
async function searchPrompts(store: Store, needle: string, most: number, pause: Pause): Promise<SearchHit[]> {
  const hits: SearchHit[] = []
  const rows = rowsOf(
    (before) => promptPage(store, before, PAGE_ROWS),
    (row) => row.rowid
  )
  for (const { prompt, run, session, message, start_seq: seq, started_at: at } of rows) {
    const text = snippet(prompt, needle)
    if (text !== null) hits.push({ kind: 'prompt', text, path: null, run, session, message, seq, at })
    if (hits.length >= most) break
    await pause()
  }
  return hits
}

/** Labels and notes of runs. */
async function searchRunTexts(store: Store, needle: string, most: number, pause: Pause): Promise<SearchHit[]> {
  const hits: SearchHit[] = []
  const rows = rowsOf(
    (before) => runTextPage(store, before, PAGE_ROWS),
    (row) => row.n
  )
  for (const { run, at, text: written } of rows) {
    const text = snippet(written, needle)
    if (text !== null) hits.push({ kind: 'note', text, path: null, run, session: null, message: null, seq: null, at })
    if (hits.length >= most) break
    await pause()
  }
  return hits
}

/** Answers, and prompts that began no turn. One session after the other, each newest first. */
async function searchMessages(store: Store, needle: string, most: number, pause: Pause): Promise<SearchHit[]> {
  const hits: SearchHit[] = []
  for (const id of sessionIds(store)) {
    const rows = rowsOf(
      (before) => messagePage(store, id, before, PAGE_ROWS),
      (row) => row.seq
    )
    for (const { run, seq: message, at, ...row } of rows) {
      const text = snippet(row.text, needle)
      if (text !== null) hits.push({ kind: 'message', text, path: null, run, session: id, message, seq: null, at })
      if (hits.length >= most) return hits
      await pause()
    }
  }
  return hits
}

/** Paths, including deleted ones; those with the newest edit first. */
async function searchPaths(store: Store, needle: string, most: number, pause: Pause): Promise<SearchHit[]> {
  const found: PathHitRow[] = []
  const rows = rowsOf(
    (before) => pathPage(store, before, PAGE_ROWS),
    (row) => row.id
  )
  for (const row of rows) {
    if (row.name.toLowerCase().includes(needle)) found.push(row)
    await pause()
  }
  return found
    .sort((a, b) => b.edit - a.edit || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name, run, edit, at }) => {
      const seq = edit === 0 ? null : edit
      return { kind: 'path', text: name, path: name, run, session: null, message: null, seq, at }
    })
}

/** Takes hits of each kind in turn until the limit is reached, so that no kind crowds out the others. */
function takeInTurn(all: readonly (readonly SearchHit[])[], limit: number): SearchHit[] {
  const taken = all.map(() => 0)
  for (let left = limit; left > 0; ) {
    const before = left
    for (const [kind, hits] of all.entries()) {
      if (left === 0 || (taken[kind] as number) >= hits.length) continue
      taken[kind]!++
      left--
    }
    if (before === left) break
  }
  return all.flatMap((hits, kind) => hits.slice(0, taken[kind]))
}
