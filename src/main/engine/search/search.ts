/** Full-text search of a workspace's history: prompts, messages, paths, and the lines that edits added or removed. */
import type { SearchHit, SearchResult } from '../../../contract/search.ts'
import { createTimeSlicer } from '../ports/time-slicer.ts'
import type { Store } from '../store/open-store.ts'
import { messagePage, type PathHitRow, pathPage, promptPage, sessionIds } from '../store/search-queries.ts'
import { searchChanges } from './changes.ts'
import { snippet } from './snippet.ts'

/** How long a search may block its thread at a time, ms. */
const SLICE_MS = 4
const PAGE_ROWS = 500

export interface SearchRequest {
  readonly text: string
  readonly limit: number
  /** Time limit for searching edits, ms. */
  readonly budget: number
}

/** Hits are grouped by kind, newest first within each. Case-insensitive. Pauses for other work. */
export async function search(store: Store, { text, limit, budget }: SearchRequest): Promise<SearchResult> {
  const needle = text.toLowerCase()
  if (needle.trim() === '') return { hits: [], more: false, note: '' }
  const pause = createTimeSlicer(SLICE_MS)
  // One hit more than requested shows that there are more.
  const most = limit + 1
  const prompts = await searchPrompts(store, needle, most, pause)
  const messages = await searchMessages(store, needle, most, pause)
  const paths = await searchPaths(store, needle, most, pause)
  const changes = await searchChanges(store, needle, { limit: most, budget, pause })
  const byKind = [prompts, messages, paths, changes.hits]
  const hits = takeInTurn(byKind, limit)
  return { hits, more: byKind.reduce((sum, { length }) => sum + length, 0) > hits.length, note: changes.note }
}

type Pause = () => Promise<void> | undefined

/** Passes rows to `take`, in pages by descending key, until it returns false. No statement stays open during a pause. */
async function pages<Row>(
  read: (before: number) => readonly Row[],
  next: (row: Row) => number,
  take: (row: Row) => boolean,
  pause: Pause
): Promise<void> {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = read(before)
    for (const row of rows) {
      if (!take(row)) return
      const wait = pause()
      if (wait) await wait
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE_ROWS) return
    before = next(last)
  }
}

/** Prompts of agents, and commands of `driftline run`. */
async function searchPrompts(store: Store, needle: string, most: number, pause: Pause): Promise<SearchHit[]> {
  const hits: SearchHit[] = []
  await pages(
    (before) => promptPage(store, before, PAGE_ROWS),
    (row) => row.rowid,
    (row) => {
      const found = snippet(row.prompt, needle)
      const { run, session, message } = row
      if (found !== null)
        hits.push({
          kind: 'prompt',
          text: found,
          path: null,
          run,
          session,
          message,
          seq: row.start_seq,
          at: row.started_at
        })
      return hits.length < most
    },
    pause
  )
  return hits
}

/** Answers, and prompts that began no turn. One session after the other, each newest first. */
async function searchMessages(store: Store, needle: string, most: number, pause: Pause): Promise<SearchHit[]> {
  const hits: SearchHit[] = []
  for (const id of sessionIds(store)) {
    await pages(
      (before) => messagePage(store, id, before, PAGE_ROWS),
      (row) => row.seq,
      (row) => {
        const found = snippet(row.text, needle)
        if (found !== null)
          hits.push({
            kind: 'message',
            text: found,
            path: null,
            run: row.run,
            session: row.session,
            message: row.seq,
            seq: null,
            at: row.at
          })
        return hits.length < most
      },
      pause
    )
    if (hits.length >= most) break
  }
  return hits
}

/** Paths, including deleted ones; those with the newest edit first. */
async function searchPaths(store: Store, needle: string, most: number, pause: Pause): Promise<SearchHit[]> {
  const found: PathHitRow[] = []
  await pages(
    (before) => pathPage(store, before, PAGE_ROWS),
    (row) => row.id,
    (row) => {
      if (row.name.toLowerCase().includes(needle)) found.push(row)
      return true
    },
    pause
  )
  return found
    .sort((a, b) => b.edit - a.edit || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name, run, edit, at }) => ({
      kind: 'path',
      text: name,
      path: name,
      run,
      session: null,
      message: null,
      seq: edit === 0 ? null : edit,
      at
    }))
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
