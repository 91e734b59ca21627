/** Full-text search of a workspace's history: prompts, messages, paths, and the lines that edits added or removed. */
import type { SearchHit, SearchResult } from '../../../contract/search.ts'
import { createTimeSlicer } from '../ports/time-slicer.ts'
import type { Store } from '../store/open-store.ts'
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
  read: (after: number) => readonly Row[],
  next: (row: Row) => number,
  take: (row: Row) => boolean,
  pause: Pause
): Promise<void> {
  for (let after = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = read(after)
    for (const row of rows) {
      if (!take(row)) return
      const wait = pause()
      if (wait) await wait
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE_ROWS) return
    after = next(last)
  }
}

interface PromptRow {
  readonly rowid: number
  readonly prompt: string
  readonly run: string
  readonly session: string | null
  readonly message: number | null
  readonly started_at: number
  readonly start_seq: number
}

/** Prompts of agents, and commands of `driftline run`. */
async function searchPrompts(store: Store, needle: string, most: number, pause: Pause): Promise<SearchHit[]> {
  const hits: SearchHit[] = []
  const page = store.db.prepare(
    `SELECT t.rowid, t.prompt, t.run, r.session, t.started_at, t.start_seq,
       (SELECT min(m.seq) FROM message m WHERE m.session = r.session AND m.turn = t.id AND m.role = 'user') AS message
     FROM turn t JOIN run r ON r.id = t.run WHERE t.rowid < ? ORDER BY t.rowid DESC LIMIT ${PAGE_ROWS}`
  )
  await pages(
    (after) => page.all(after) as PromptRow[],
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

interface MessageRow {
  readonly session: string
  readonly seq: number
  readonly text: string
  readonly at: number
  readonly run: string | null
}

/** Answers, and prompts that began no turn. One session after the other, each newest first. */
async function searchMessages(store: Store, needle: string, most: number, pause: Pause): Promise<SearchHit[]> {
  const hits: SearchHit[] = []
  const sessions = store.db.prepare('SELECT id FROM session ORDER BY last_at DESC').all() as { id: string }[]
  const page = store.db.prepare(
    `SELECT m.session, m.seq, m.text, m.at, t.run FROM message m LEFT JOIN turn t ON t.id = m.turn
     WHERE m.session = ? AND m.seq < ? AND (m.role <> 'user' OR m.turn IS NULL) ORDER BY m.seq DESC LIMIT ${PAGE_ROWS}`
  )
  for (const { id } of sessions) {
    await pages(
      (after) => page.all(id, after) as MessageRow[],
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

interface PathRow {
  readonly id: number
  readonly name: string
  readonly edit: number
  readonly at: number | null
  readonly run: string | null
}

/** Paths, including deleted ones; those with the newest edit first. */
async function searchPaths(store: Store, needle: string, most: number, pause: Pause): Promise<SearchHit[]> {
  const found: PathRow[] = []
  const page = store.db.prepare(
    `SELECT p.id, p.name, p.edit, e.at, (SELECT min(c.run) FROM edit_call c WHERE c.edit = p.edit) AS run
     FROM path p LEFT JOIN edit e ON e.seq = p.edit WHERE p.id < ? AND p.name <> '' ORDER BY p.id DESC LIMIT ${PAGE_ROWS}`
  )
  await pages(
    (after) => page.all(after) as PathRow[],
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
