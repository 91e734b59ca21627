/** Finds words in everything a workspace remembers: prompts, answers, names of paths, and the lines changes added or removed. */
import type { SearchHit, SearchResult } from '../../../contract/search.ts'
import { createTimeSlicer } from '../ports/time-slicer.ts'
import type { Store } from '../store/open-store.ts'
import { searchChanges } from './changes.ts'
import { snippet } from './snippet.ts'

/** How long a search keeps others of this thread waiting, ms. */
const SLICE_MS = 4
const PAGE = 500

export interface SearchRequest {
  readonly text: string
  readonly limit: number
  /** Changes are looked through for so long, newest first, ms. */
  readonly budget: number
}

/** Newest first within each kind. Upper and lower case are the same. Lets other work in. */
export async function search(store: Store, { text, limit, budget }: SearchRequest): Promise<SearchResult> {
  const needle = text.toLowerCase()
  if (needle.trim() === '') return { hits: [], more: false, note: '' }
  const pause = createTimeSlicer(SLICE_MS)
  // One more than asked for tells that there are more.
  const most = limit + 1
  const prompts = await searchPrompts(store, needle, most, pause)
  const messages = await searchMessages(store, needle, most, pause)
  const paths = await searchPaths(store, needle, most, pause)
  const changes = await searchChanges(store, needle, { most, budget, pause })
  const all = [prompts, messages, paths, changes.hits]
  const hits = takeInTurn(all, limit)
  return { hits, more: all.reduce((sum, some) => sum + some.length, 0) > hits.length, note: changes.note }
}

type Pause = () => Promise<void> | undefined

/** Pages through rows without holding the connection while others work. */
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
    if (last === undefined || rows.length < PAGE) return
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

/** What somebody asked for: prompts of agents, commands of `driftline run`. */
async function searchPrompts(store: Store, needle: string, most: number, pause: Pause): Promise<SearchHit[]> {
  const hits: SearchHit[] = []
  const page = store.db.prepare(
    `SELECT t.rowid, t.prompt, t.run, r.session, t.started_at, t.start_seq,
       (SELECT min(m.seq) FROM message m WHERE m.session = r.session AND m.turn = t.id AND m.role = 'user') AS message
     FROM turn t JOIN run r ON r.id = t.run WHERE t.rowid < ? ORDER BY t.rowid DESC LIMIT ${PAGE}`
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

/** Answers, and what was typed without beginning a turn. Sessions in turn, each newest first. */
async function searchMessages(store: Store, needle: string, most: number, pause: Pause): Promise<SearchHit[]> {
  const hits: SearchHit[] = []
  const sessions = store.db.prepare('SELECT id FROM session ORDER BY last_at DESC').all() as { id: string }[]
  const page = store.db.prepare(
    `SELECT m.session, m.seq, m.text, m.at, t.run FROM message m LEFT JOIN turn t ON t.id = m.turn
     WHERE m.session = ? AND m.seq < ? AND (m.role <> 'user' OR m.turn IS NULL) ORDER BY m.seq DESC LIMIT ${PAGE}`
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

interface NameRow {
  readonly id: number
  readonly name: string
  readonly edit: number
  readonly at: number | null
  readonly run: string | null
}

/** Names, also of what is gone; those that changed last come first. */
async function searchPaths(store: Store, needle: string, most: number, pause: Pause): Promise<SearchHit[]> {
  const found: NameRow[] = []
  const page = store.db.prepare(
    `SELECT p.id, p.name, p.edit, e.at, (SELECT min(c.run) FROM edit_call c WHERE c.edit = p.edit) AS run
     FROM path p LEFT JOIN edit e ON e.seq = p.edit WHERE p.id < ? AND p.name <> '' ORDER BY p.id DESC LIMIT ${PAGE}`
  )
  await pages(
    (after) => page.all(after) as NameRow[],
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

/** No kind of find crowds out the others: each gets its turn until the limit is reached. */
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
